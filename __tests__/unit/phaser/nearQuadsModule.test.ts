import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

it('the machine code is what the text compiles to', () => {
  const program =
    "import('./scripts/compileNearQuads.mjs').then(async (m) => process.stdout.write(await m.compileNearQuads()))";
  const { stdout } = spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' });
  expect(stdout).toBe(readFileSync('src/record/frame/nearQuadsModule.ts', 'utf8'));
});
