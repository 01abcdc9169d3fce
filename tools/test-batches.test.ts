import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, it } from 'node:test';
import { planBatches } from './test-batches.ts';
import type { Failure, FileEnd } from './test-results.ts';
import type { Outcome } from './test-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'poolgate-test-batches-'));
after(() => rmSync(folder, { recursive: true }));

const nameFile = (name: string): string => relative(process.cwd(), join(folder, `${name}.test.ts`));

interface Ran {
  /** The results of the files, in this order. */
  readonly ends: readonly FileEnd[];
  readonly failures: readonly Failure[];
  readonly printed: Readonly<Record<string, string>>;
  readonly counts: Outcome['counts'];
}

/** Runs files in one process, given by name and body. */
function runTogether(bodies: Readonly<Record<string, string>>, environment: NodeJS.ProcessEnv = {}): Ran {
  for (const [name, body] of Object.entries(bodies)) {
    writeFileSync(nameFile(name), `import { after, before, describe, it, test } from 'node:test';\n${body}\n`);
  }
  const program = `import { runBatches } from '${import.meta.resolve('./test-run.ts')}';
    const ends = [];
    const pass = { files: [], without: [/^is left out$/], environment: {} };
    const outcome = await runBatches([${JSON.stringify(Object.keys(bodies).map(nameFile))}], pass, (end) => ends.push(end));
    console.log(JSON.stringify({ ...outcome, ends, printed: Object.fromEntries(outcome.printed) }));`;
  // A runner inside a test must not consider itself a part of the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const path = join(folder, 'run.mjs');
  writeFileSync(path, program);
  const { stdout } = spawnSync(process.execPath, [path], {
    env: { ...env, ...environment },
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as Ran;
}

const listEnds = ({ ends }: Ran) => ends.map(({ file, tests, failed }) => [file, tests, failed]);

const PASSES = "test('passes', () => {});";

describe('files that share a process', () => {
  it('are counted and attributed by file, with their hooks, and one after the other', () => {
    const ran = runTogether({
      first: `await new Promise((resolve) => setTimeout(resolve, 5));
        before(() => console.log('begins'));
        after(() => console.log('ends'));
        describe('a suite', () => {
          it('fails', () => { throw new Error('planted'); });
          it('is left out', () => { throw new Error('not left out'); });
          it('is skipped', { skip: true }, () => {});
        });
        ${PASSES}`,
      second: `console.error('of another file');\n${PASSES}\ntest('is left to do', { todo: true }, () => {});`,
    });
    assert.deepEqual(listEnds(ran), [
      [nameFile('first'), 3, 1],
      [nameFile('second'), 2, 0],
    ]);
    const [failure, ...others] = ran.failures;
    assert.equal(others.length, 0);
    assert.equal(failure?.file, nameFile('first'));
    assert.equal(failure.name, 'a suite › fails');
    assert.match(failure.place, /first\.test\.ts:\d+:\d+$/);
    assert.match(failure.detail, /planted/);
    assert.deepEqual(ran.printed, { [nameFile('first')]: 'begins\nends\n' });
    const { tests, suites, pass, fail, skipped, todo } = ran.counts;
    assert.deepEqual([tests, suites, pass, fail, skipped, todo], [5, 1, 2, 1, 1, 1]);
  });

  it('run all the same where one of them hangs, ends the process or cannot be loaded', () => {
    const ran = runTogether(
      {
        hanging: "setInterval(() => {}, 1_000);\ntest('hangs', () => new Promise(() => {}));",
        vanishing: `${PASSES}\ntest('ends everything', () => process.exit(0));`,
        throwing: `${PASSES}\nthrow new Error('planted');`,
        last: PASSES,
      },
      { POOLGATE_TEST_FILE_MS: '2500' },
    );
    assert.deepEqual(
      ran.failures.map(({ file, name }) => [file, name]),
      ['hanging', 'vanishing', 'throwing'].map((name) => [nameFile(name), 'the whole file']),
    );
    assert.deepEqual(
      ran.ends.map(({ file, failed }) => [file, failed]),
      ['hanging', 'vanishing', 'throwing', 'last'].map((name) => [nameFile(name), name === 'last' ? 0 : 1]),
    );
  });

  it('fail by an error that nobody caught', () => {
    const ran = runTogether({
      rejecting: `test('passes', async () => { void lost(); await new Promise((resolve) => setTimeout(resolve, 20)); });
        async function lost() { throw new Error('planted'); }`,
      next: PASSES,
    });
    assert.deepEqual(listEnds(ran), [
      [nameFile('rejecting'), 1, 1],
      [nameFile('next'), 1, 0],
    ]);
    assert.match(ran.failures[0]?.detail ?? '', /planted\n +at lost/);
  });

  it('fail if they leave the process changed', () => {
    const changes = {
      'process.env.CHANGED': "process.env.CHANGED = 'yes';",
      'listeners of SIGHUP': "process.on('SIGHUP', () => {});",
      'process.exitCode': 'process.exitCode = 0;',
      'globalThis.fetch': 'globalThis.fetch = async () => new Response();',
      Timeout: 'setInterval(() => {}, 1_000);',
      'process.cwd()': "process.chdir('/');",
    };
    const bodies = Object.values(changes).map((change, index) => [
      `change-${index}`,
      `test('changes', () => { ${change} });`,
    ]);
    const { failures } = runTogether({ first: PASSES, ...Object.fromEntries(bodies) });
    assert.deepEqual(
      failures.map(({ file, detail }) => [file, /leaves the process changed: (.*)$/m.exec(detail)?.[1]]),
      Object.keys(changes).map((name, index) => [nameFile(`change-${index}`), name]),
    );
  });
});

describe('the plan of batches', () => {
  const files = ['packages/gateway/src', 'packages/store/src', 'e2e/routes'].flatMap((path) =>
    Array.from({ length: 30 }, (_, index) => `${path}/${index}.test.ts`),
  );

  it('has each file once, keeps packages and suites apart, and is another with another seed', () => {
    const batches = planBatches(files, 1);
    assert.deepEqual(batches.flat().toSorted(), files.toSorted());
    for (const batch of batches) assert.equal(new Set(batch.map((file) => file.split('/')[1])).size, 1);
    assert.deepEqual(planBatches(files, 1), batches);
    assert.notDeepEqual(planBatches(files, 2), batches);
  });

  it('gives a process of their own to the files that need one', () => {
    const alone = ['e2e/browser/pages.test.ts', 'e2e/routes/stopping.test.ts', 'packages/elements/src/react.test.ts'];
    const batches = planBatches([...files, ...alone], 1);
    for (const file of alone) assert.ok(batches.some((batch) => batch.length === 1 && batch[0] === file));
    // The short batches of the packages come last.
    const isPackage = batches.slice(alone.length).map(([first]) => first?.startsWith('packages/'));
    assert.deepEqual(isPackage, isPackage.toSorted());
  });
});
