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
  writeFileSync(file, `import { describe, it, test } from 'node:test';\n${body}\n`);
  return file;
}

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
}

function node(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Ended {
  // A runner inside a test must not consider itself a part of the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, words, { env: { ...env, ...environment }, encoding: 'utf8' });
}

const COMMAND = fileURLToPath(new URL('./test.ts', import.meta.url));

/** Runs the test command on one file, as its users do. */
const runTestFile = (name: string, body: string): number | null => node([COMMAND, testFile(name, body)]).status;

const PASSES = "test('passes', () => {});\n";

test('the test command fails when a test or suite fails, is skipped or is left to do, and when there is none', () => {
  assert.equal(runTestFile('passing', "test('passes', () => {});"), 0);
  assert.equal(runTestFile('failing', "test('fails', () => { throw new Error('planted'); });"), 1);
  assert.equal(runTestFile('skipped', "test('is skipped', { skip: true }, () => {});"), 1);
  assert.equal(runTestFile('todo', "test('is left to do', { todo: true }, () => {});"), 1);
  assert.equal(
    runTestFile('skipped-suite', `${PASSES}describe.skip('is skipped', () => { it('is lost', () => {}); });`),
    1,
  );
  assert.equal(runTestFile('todo-suite', `${PASSES}describe.todo('is left to do', () => {});`), 1);
  assert.equal(runTestFile('throwing', "throw new Error('planted');"), 1);
});

test('a test that is marked as the only one excludes no other', () => {
  const fails = "it('fails', () => { throw new Error('planted'); });";
  const body = `it.only('passes', () => {});
    ${fails}
    describe('a suite', () => { it.only('passes', () => {}); ${fails} });
    describe.only('another', () => { it('passes', () => {}); });`;
  const { status, stdout } = node([COMMAND, testFile('only', body)]);
  assert.equal(status, 1);
  assert.match(stdout, /only\.test\.ts: 2 failed of 5 tests,/);
});

test('a test that waits for what never comes fails, also where it started PostgreSQL', () => {
  const started =
    "const server = await startPostgres();\ntest('waits', { timeout: 1_500 }, async () => { await server.stop(); await new Promise(() => {}); });";
  const body = `import { startPostgres } from '${import.meta.resolve('@poolgate/store/testing')}';\n${started}`;
  assert.notEqual(node([testFile('waiting', body)]).status, 0);
});

test('the test command fails when a file ends without a report of its tests, with the code of success', () => {
  const file = testFile('vanishing', "test('ends everything', () => process.exit(0));");
  const { status, stdout } = node([COMMAND, file]);
  assert.equal(status, 1);
  assert.match(stdout, /its process ended without a report of its tests/);
});

test('the test command ends a file that hangs and catches the signal to end', () => {
  const body =
    "process.on('SIGTERM', () => {});\nsetInterval(() => {}, 1_000);\ntest('hangs', () => new Promise(() => {}));";
  const { status, stdout } = node([COMMAND, testFile('hanging', body)], { POOLGATE_TEST_FILE_MS: '1500' });
  assert.equal(status, 1);
  assert.match(stdout, /hanging\.test\.ts: ended before its tests did/);
});

test('an error that nobody caught fails its file, and is shown with where it was thrown', () => {
  for (const [name, body, counted] of [
    [
      'rejecting',
      "test('passes', async () => { void lost(); await new Promise((resolve) => setTimeout(resolve, 20)); });\nasync function lost() { throw new Error('planted'); }",
      '1 failed of 1 test,',
    ],
    [
      'later',
      "test('passes', async () => { setTimeout(() => lost(), 1); await new Promise((resolve) => setTimeout(resolve, 20)); });\nfunction lost() { throw new Error('planted'); }",
      '1 failed of 1 test,',
    ],
    ['early', "void lost();\nasync function lost() { throw new Error('planted'); }", 'ended before its tests did,'],
  ] as const) {
    const { status, stdout } = node([COMMAND, testFile(name, body)]);
    assert.equal(status, 1, name);
    assert.ok(stdout.includes(`${name}.test.ts: ${counted}`), stdout);
    assert.match(stdout, /Error: planted\n +at lost/);
    assert.match(stdout, /1 test failed:\n.*\n +✖ the whole file\n/);
  }
});
