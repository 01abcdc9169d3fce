/** The results of tests, by test file. */
import type { EventData } from 'node:test';
import { inspect } from 'node:util';
import { formatFile } from './test-batches.ts';

/** A test that failed. */
export interface Failure {
  readonly file: string;
  /** With line and column. */
  readonly place: string;
  /** Its suites and its own name. */
  readonly name: string;
  readonly detail: string;
}

/** How many tests there were, in the words of the test runner's last lines. */
export interface Counts {
  readonly tests: number;
  readonly suites: number;
  readonly pass: number;
  readonly fail: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly todo: number;
}

/** The counts of a file without a test. */
export const NO_TESTS: Counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

/** The counts of several files together. */
export function sumCounts(all: readonly Counts[]): Counts {
  const sum = { ...NO_TESTS };
  for (const counts of all) {
    for (const name of Object.keys(NO_TESTS) as (keyof Counts)[]) sum[name] += counts[name];
  }
  return sum;
}

/** How a file ended. */
export interface FileEnd {
  readonly file: string;
  readonly tests: number;
  readonly failed: number;
  readonly milliseconds: number;
}

/** What is known of a test file. */
export interface FileRecord {
  readonly file: string;
  readonly failures: Failure[];
  /** Errors that nobody caught, as the test runner tells them. */
  readonly uncaught: string[];
  counts: Counts;
  ended: boolean;
}

/** What the runner tells and its types do not. */
export interface UndocumentedFields {
  /** What the process was started with. */
  readonly entryFile?: string;
  /** The names of the suites around a test. */
  readonly classname?: string;
}

/** How the test runner calls what it ended before its time. */
const CANCELLED: ReadonlySet<unknown> = new Set(['cancelledByParent', 'testAborted', 'testTimeoutFailure']);
type TestError = Error & { readonly failureType?: string };

/** What the runner tells of a test or a suite that ended. */
export type TestEvent = (EventData.TestPass | EventData.TestFail) & UndocumentedFields;

/** The error of a test that failed. */
export const readError = ({ details }: TestEvent): TestError | undefined =>
  'error' in details ? details.error : undefined;

/** What a person is shown of an error: its cause, where it has one. */
export const describeError = ({ cause, message }: TestError): string =>
  cause instanceof Error ? inspect(cause) : message;

/** Of a suite that fails because something in it did, nothing is told: that has been told already. */
export const isTold = (data: TestEvent): boolean => readError(data)?.failureType === 'subtestsFailed';

function nameResult(data: TestEvent): keyof Counts {
  const error = readError(data);
  if (data.details.type === 'suite') return 'suites';
  if (data.skip !== undefined) return 'skipped';
  if (data.todo !== undefined) return 'todo';
  if (error === undefined) return 'pass';
  return CANCELLED.has(error.failureType) ? 'cancelled' : 'fail';
}

function countTest(record: FileRecord, result: keyof Counts): void {
  const counts = { ...record.counts, [result]: record.counts[result] + 1 };
  record.counts = result === 'suites' ? counts : { ...counts, tests: counts.tests + 1 };
}

/** Adds a finished test to its file. */
export function addTest(record: FileRecord, data: TestEvent): void {
  const error = readError(data);
  countTest(record, nameResult(data));
  if (error === undefined || isTold(data)) return;
  const { name, file = record.file, classname = '', line, column } = data;
  const suites = classname.startsWith(record.file) ? classname.slice(record.file.length + 1) : classname;
  record.failures.push({
    file: record.file,
    place: `${formatFile(file)}:${line}:${column}`,
    name: [suites.replaceAll('.', ' › '), name].filter(Boolean).join(' › '),
    detail: describeError(error),
  });
}

/** What is known of a file before it ran. */
export const createFileRecord = (file: string): FileRecord => ({
  file: formatFile(file),
  failures: [],
  uncaught: [],
  counts: NO_TESTS,
  ended: false,
});
