import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { batchLogLines } from './log-line.ts';

test('the lines of a turn of the event loop are written together, in order', async () => {
  const writes: string[] = [];
  const stream = batchLogLines({ write: (text) => void writes.push(text) });
  stream.write('1\n');
  stream.write('2\n');
  assert.deepEqual(writes, []);
  await nextTurn();
  stream.write('3\n');
  await nextTurn();
  assert.deepEqual(writes, ['1\n2\n', '3\n']);
});

for (const [end, statement] of Object.entries({
  'exits at once': 'process.exit(0)',
  'ends by an error that nobody caught': "process.on('uncaughtException', () => process.exit(0)); throw new Error()",
})) {
  test(`remaining lines are written when the process ${end}`, () => {
    const module = fileURLToPath(new URL('./log-line.ts', import.meta.url));
    const program = `const { batchLogLines } = await import(${JSON.stringify(module)});
      batchLogLines(process.stdout).write('the last line\\n'); ${statement}`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    assert.equal(printed, 'the last line\n');
  });
}
