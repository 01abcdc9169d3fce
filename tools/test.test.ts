import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'poolgate-test-runner-'));
after(() => rmSync(folder, { recursive: true }));

function testFile(name: string, body: string): string {
  const file = join(folder, `${name}.test.ts`);
  writeFileSync(file, `import { test } from 'node:test';\n${body}\n`);
  return file;
}

function exitCodeOfNode(...words: readonly string[]): number | null {
  // A runner inside a test must not take itself for a part of the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, words, { env }).status;
}

/** Runs the test command on one file, as its users do. */
function exitCodeOf(name: string, body: string): number | null {
  return exitCodeOfNode(fileURLToPath(new URL('./test.ts', import.meta.url)), testFile(name, body));
}

test('the test command fails when a test fails, is skipped or is left to do, and when there is none', () => {
  assert.equal(exitCodeOf('passing', "test('passes', () => {});"), 0);
  assert.equal(exitCodeOf('failing', "test('fails', () => { throw new Error('planted'); });"), 1);
  assert.equal(exitCodeOf('skipped', "test('is skipped', { skip: true }, () => {});"), 1);
  assert.equal(exitCodeOf('todo', "test('is left to do', { todo: true }, () => {});"), 1);
  assert.equal(exitCodeOf('throwing', "throw new Error('planted');"), 1);
});

test('a test that waits for what never comes fails beside the doors of the stores', () => {
  const body = `import '${import.meta.resolve('@poolgate/store/testing')}';\ntest('waits', { timeout: 3_000 }, () => new Promise(() => {}));`;
  assert.notEqual(exitCodeOfNode(testFile('waiting', body)), 0);
});
