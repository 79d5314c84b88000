/**
 * Judges a packed package by publint and by "are the types wrong". Prints what they find; fails when they do.
 *
 *     node scripts/checkPackage.mjs package.tgz
 */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const tarball = new Uint8Array(readFileSync(process.argv[2]));
const found = [];

const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, level: 'suggestion' });
for (const message of messages) found.push(`publint: ${formatMessage(message, pkg, { color: false })}`);

const { types, problems } = await checkPackage(createPackageFromTarballData(tarball));
if (!types) found.push('attw: the package has no types');
for (const problem of problems ?? []) found.push(`attw: ${JSON.stringify(problem)}`);

for (const line of found) console.log(line);
process.exitCode = found.length === 0 ? 0 : 1;
