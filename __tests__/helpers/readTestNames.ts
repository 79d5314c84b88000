import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** The name of a test after those of the groups around it. */
export type TestPath = readonly string[];

/** Names of all tests in the test files below a folder. */
export function readTestNames(folder: string): TestPath[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => parseTestNames(readFileSync(path.join(folder, file), 'utf8')));
}

/**
 * Names of the tests in a test file's text. A name that begins with `%s` stands for one name per row of its table. What
 * does not run (`skip`, `todo`, `failing`) has no name.
 */
export function parseTestNames(text: string): TestPath[] {
  const names: TestPath[] = [];
  const visit = (node: ts.Node, groups: TestPath): void => {
    const call = ts.isCallExpression(node) ? readCall(node) : null;
    if (call === null) return ts.forEachChild(node, (child) => visit(child, groups));
    if (!call.runs) return;
    for (const title of call.titles) {
      const path = [...groups, title];
      if (call.kind === 'test') names.push(path);
      else call.body.forEach((child) => visit(child, path));
    }
  };
  visit(ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest, true), []);
  return names;
}

interface TestCall {
  readonly kind: 'test' | 'group';
  readonly runs: boolean;
  readonly titles: readonly string[];
  readonly body: readonly ts.Node[];
}

/** A call of `it`, `test` or `describe`, with or without `.each(table)`. */
function readCall(node: ts.CallExpression): TestCall | null {
  let callee: ts.Expression = node.expression;
  let table: ts.Expression | undefined;
  if (ts.isCallExpression(callee)) {
    table = callee.arguments[0];
    callee = callee.expression;
  }
  const [name, ...modifiers] = callee.getText().split('.');
  const kind = name === 'it' || name === 'test' ? 'test' : name === 'describe' ? 'group' : null;
  const [title, ...body] = node.arguments;
  if (kind === null || title === undefined || !ts.isStringLiteralLike(title)) return null;
  const runs = !modifiers.some((modifier) => ['skip', 'todo', 'failing'].includes(modifier));
  const titles = title.text.startsWith('%s')
    ? firstCells(table).map((cell) => cell + title.text.slice(2))
    : [title.text];
  return { kind, runs, titles, body };
}

/** The texts that `%s` stands for, as far as they are written in the table. */
function firstCells(table: ts.Expression | undefined): string[] {
  if (table === undefined || !ts.isArrayLiteralExpression(table)) return [];
  return table.elements
    .map((row) => (ts.isArrayLiteralExpression(row) ? row.elements[0] : row))
    .filter((cell) => cell !== undefined && ts.isStringLiteralLike(cell))
    .map((cell) => cell.text);
}
