/** The results of tests, by test file. */
import type { EventData } from 'node:test';
import { inspect } from 'node:util';
import { formatFile } from './test-batches.ts';

/** A test that failed. */
export interface Failure {
  readonly file: string;
  /** With line and column. */
  readonly place: string;
  /** The names of its suites and its own name. */
  readonly name: string;
  readonly detail: string;
}

/** Numbers of tests, under the names in the test runner's last lines. */
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

/** Returns the sum of the counts of several files. */
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

/** The record of a test file. */
export interface FileRecord {
  readonly file: string;
  readonly failures: Failure[];
  /** Uncaught errors, as the test runner reports them. */
  readonly uncaught: string[];
  counts: Counts;
  ended: boolean;
}

/** Fields of the runner that its types do not declare. */
export interface UndocumentedFields {
  /** The file that the process was started with. */
  readonly entryFile?: string;
  /** The names of the suites around a test. */
  readonly classname?: string;
}

/** The test runner's codes for a test that it ended early. */
const CANCELLED: ReadonlySet<unknown> = new Set(['cancelledByParent', 'testAborted', 'testTimeoutFailure']);
type TestError = Error & { readonly failureType?: string };

/** The runner's event for a test or a suite that ended. */
export type TestEvent = (EventData.TestPass | EventData.TestFail) & UndocumentedFields;

/** The error of a test that failed. */
export const readError = ({ details }: TestEvent): TestError | undefined =>
  'error' in details ? details.error : undefined;

/** Returns the text of an error: its cause, if it has one. */
export const describeError = ({ cause, message }: TestError): string =>
  cause instanceof Error ? inspect(cause) : message;

/** A suite that fails because of its tests is not reported, because the tests already were. */
export const isTold = (data: TestEvent): boolean => readError(data)?.failureType === 'subtestsFailed';

function nameResult(data: TestEvent): keyof Counts {
  const error = readError(data);
  // Also of a suite: the runner does not report the tests of a skipped one.
  if (data.skip !== undefined) return 'skipped';
  if (data.todo !== undefined) return 'todo';
  if (data.details.type === 'suite') return 'suites';
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

/** Creates the record of a file before it runs. */
export const createFileRecord = (file: string): FileRecord => ({
  file: formatFile(file),
  failures: [],
  uncaught: [],
  counts: NO_TESTS,
  ended: false,
});
