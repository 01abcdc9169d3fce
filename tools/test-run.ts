/** Runs test files, each in a process of its own, and keeps what a report of them needs. */
import { relative, resolve } from 'node:path';
import { type EventData, run } from 'node:test';
import { inspect } from 'node:util';

/** One run of the test runner. */
export interface Pass {
  readonly files: readonly string[];
  /** Tests of these names are left out. */
  readonly without: readonly RegExp[];
  /** What the tests find in their environment, next to what this process has. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A test that failed. */
export interface Failure {
  readonly file: string;
  /** With line and column. */
  readonly place: string;
  /** Its suites and its own name. */
  readonly name: string;
  readonly detail: string;
}

const NONE = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

/** How many tests there were, in the words of the test runner's last lines. */
export type Counts = Readonly<typeof NONE>;

/** How a file ended. */
export interface FileEnd {
  readonly file: string;
  readonly tests: number;
  readonly failed: number;
  readonly milliseconds: number;
}

/** What came out of a pass. */
export interface Outcome {
  readonly success: boolean;
  readonly counts: Counts;
  readonly failures: readonly Failure[];
  /** What each file printed in which something failed. */
  readonly printed: ReadonlyMap<string, string>;
  /** Why tests were skipped, as they say themselves. */
  readonly skips: readonly string[];
}

/** Files that run side by side: more than there are cores, because many wait for a database. */
const SIDE_BY_SIDE = 4;
const LONGEST_TEST_MS = 480_000;
/** A process that did not end when it was asked to is killed. */
const LONGEST_FILE_MS = process.env.POOLGATE_TEST_FILE_MS ?? '600000';
/** How the test runner says that an error was caught by nobody. */
const UNCAUGHT = /^Error: .* (?:unhandledRejection|uncaughtException) event/s;
const WATCHDOG = `${import.meta.resolve('./test-watchdog.ts')}?ms=${LONGEST_FILE_MS}`;
const TEST_CONTEXT = import.meta.resolve('./test-context.ts');

/** What the runner tells and its types do not. */
interface UndocumentedFields {
  /** The file that was run, where the test itself is defined in another. */
  readonly entryFile?: string;
  /** The names of the suites around a test. */
  readonly classname?: string;
}

const formatFile = (file: string): string => relative(process.cwd(), file);

/** Whether it is said of a file, not of a test in it. */
const isOfFile = ({ name, file }: EventData.TestFail): boolean => file !== undefined && resolve(name) === file;

function toFailure(data: EventData.TestFail & UndocumentedFields): Failure {
  const { name, file = name, entryFile = file, classname, line, column } = data;
  const { cause, message } = data.details.error;
  return {
    file: formatFile(entryFile),
    place: `${formatFile(file)}:${line}:${column}`,
    name: isOfFile(data) ? 'the whole file' : [classname?.replaceAll('.', ' › '), name].filter(Boolean).join(' › '),
    detail: cause instanceof Error ? inspect(cause) : message,
  };
}

/** Of a suite that fails because something in it did, nothing is told: that has been told already. */
const isItself = (data: EventData.TestFail): boolean =>
  (data.details.error as { readonly failureType?: string }).failureType !== 'subtestsFailed';

const toCounts = (counts: EventData.TestSummary['counts'] & { readonly failed?: number }): Counts => ({
  tests: counts.tests,
  suites: counts.suites,
  pass: counts.passed,
  fail: counts.failed ?? 0,
  cancelled: counts.cancelled,
  skipped: counts.skipped,
  todo: counts.todo,
});

/** The counts of several passes together. */
export function sumCounts(all: readonly Counts[]): Counts {
  const sum = { ...NONE };
  for (const counts of all) {
    for (const name of Object.keys(NONE) as (keyof Counts)[]) sum[name] += counts[name];
  }
  return sum;
}

/** Runs a pass; reports each file when it ended. */
export async function runPass(pass: Pass, onFile: (end: FileEnd) => void): Promise<Outcome> {
  const failures: Failure[] = [];
  const printed = new Map<string, string>();
  const skips: string[] = [];
  let total = { success: false, counts: NONE as Counts };
  const unheard = new Set(pass.files.map((file) => formatFile(resolve(file))));
  const ended = (end: FileEnd): void => {
    unheard.delete(end.file);
    onFile(end);
  };

  /** Errors of a file that nobody caught, as the test runner tells them. */
  const uncaught = new Map<string, readonly string[]>();
  const uncaughtIn = (file: string): readonly string[] => uncaught.get(file) ?? [];

  const onText = ({ file, message }: EventData.TestStdout): void => {
    printed.set(formatFile(file), (printed.get(formatFile(file)) ?? '') + message);
  };
  const stream = run({
    files: [...pass.files],
    concurrency: SIDE_BY_SIDE,
    timeout: LONGEST_TEST_MS,
    testSkipPatterns: [...pass.without],
    execArgv: ['--import', WATCHDOG, '--import', TEST_CONTEXT],
    env: { ...process.env, ...pass.environment },
  });
  stream.on('test:stdout', onText);
  stream.on('test:stderr', onText);
  stream.on('test:pass', ({ skip }) => {
    if (skip !== undefined) skips.push(String(skip));
  });
  stream.on('test:diagnostic', ({ file, message }) => {
    if (file === undefined || !UNCAUGHT.test(message)) return;
    uncaught.set(formatFile(file), [...uncaughtIn(formatFile(file)), message]);
  });
  stream.on('test:fail', (data) => {
    if (!isItself(data)) return;
    const failure = toFailure(data);
    const said = isOfFile(data) ? uncaughtIn(failure.file) : [];
    failures.push(said.length === 0 ? failure : { ...failure, detail: said.join('\n') });
    const { duration_ms: milliseconds } = data.details;
    // A file that could not be run to its end has no summary.
    if (isOfFile(data) && unheard.has(failure.file)) ended({ file: failure.file, tests: 0, failed: 1, milliseconds });
  });
  stream.on('test:summary', ({ file, duration_ms: milliseconds, success, counts: told }) => {
    const counts = toCounts(told);
    if (file === undefined) {
      total = { success, counts };
      return;
    }
    const failed = counts.fail + counts.cancelled + uncaughtIn(formatFile(file)).length;
    ended({ file: formatFile(file), tests: counts.tests, failed, milliseconds });
    if (failed === 0) printed.delete(formatFile(file));
  });
  for await (const _ of stream);
  for (const file of unheard) {
    failures.push({
      file,
      place: file,
      name: 'the whole file',
      detail: 'its process ended without a report of its tests',
    });
  }
  return { ...total, success: total.success && unheard.size === 0, failures, printed, skips };
}
