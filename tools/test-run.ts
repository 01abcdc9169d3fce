/** Runs test files and collects what the report needs. */
import { run } from 'node:test';
import { createEntries, planBatches } from './test-batches.ts';
import { TestCollector } from './test-collector.ts';
import { type Counts, type Failure, type FileEnd, sumCounts } from './test-results.ts';

/** One run of the test runner. */
export interface Pass {
  readonly files: readonly string[];
  /** Tests with these names are skipped. */
  readonly without: readonly RegExp[];
  /** The environment of the tests, in addition to that of this process. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The result of a pass. */
export interface Outcome {
  readonly counts: Counts;
  readonly failures: readonly Failure[];
  /** The output of each file with a failure. */
  readonly printed: ReadonlyMap<string, string>;
  /** The reasons of skipped tests. */
  readonly skips: readonly string[];
}

/** The number of concurrent processes: more than there are cores, because many wait for a database. */
const SIDE_BY_SIDE = 4;
const LONGEST_TEST_MS = 480_000;
/** With room for young objects, the collector runs less often: a tenth of the processor time of a suite. */
const YOUNG_SPACE = '--max-semi-space-size=32';
const FIRST_IMPORTS = ['./test-watchdog.ts', './test-context.ts'].flatMap((file) => [
  '--import',
  import.meta.resolve(file),
]);

type Batches = readonly (readonly string[])[];

async function runProcesses(batches: Batches, pass: Pass, onFile: (end: FileEnd) => void): Promise<TestCollector> {
  const { entries, remove } = createEntries(batches);
  const collector = new TestCollector(entries, onFile);
  const stream = run({
    files: entries.map(({ path }) => path),
    concurrency: SIDE_BY_SIDE,
    timeout: LONGEST_TEST_MS,
    testSkipPatterns: [...pass.without],
    execArgv: [YOUNG_SPACE, ...FIRST_IMPORTS],
    env: { ...process.env, ...pass.environment },
  });
  collector.listen(stream);
  for await (const _ of stream);
  remove();
  return collector;
}

/** Runs each batch of files in a process and reports each file when it ends. If a file ends or hangs its process, the rest of the batch runs in another. */
export async function runBatches(batches: Batches, pass: Pass, onFile: (end: FileEnd) => void): Promise<Outcome> {
  const collectors: TestCollector[] = [];
  let left = batches;
  while (left.length > 0) {
    const collector = await runProcesses(left, pass, onFile);
    collectors.push(collector);
    left = collector.finish();
  }
  return {
    counts: sumCounts(collectors.map(({ counts }) => counts)),
    failures: collectors.flatMap(({ failures }) => failures),
    printed: new Map(collectors.flatMap(({ printed }) => [...printed])),
    skips: collectors.flatMap(({ skips }) => skips),
  };
}

/**
 * Runs the files of a pass in as few processes as they allow.
 * @param seed determines the batches and the order of the files
 */
export function runPass(pass: Pass, seed: number, onFile: (end: FileEnd) => void): Promise<Outcome> {
  return runBatches(planBatches(pass.files, seed), pass, onFile);
}
