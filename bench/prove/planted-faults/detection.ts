import type { Coverage } from './coverage.ts';
import type { TestResult } from './run-test.ts';

/** Whether a test detected a fault, and which. */
export interface Detection {
  /** `package`: a test of the package that contains the fault; `rest`: another test. */
  readonly seenBy: 'package' | 'rest' | 'nobody';
  /** The test file and its first failing test. */
  readonly test?: string;
  readonly by?: string;
  /** How many tests of the package, and others, executed the changed code, of how many that import its file. */
  readonly ran: readonly [run: number, of: number];
  readonly ranRest: readonly [run: number, of: number];
  readonly seconds: number;
}

/** The result of a test without faults, and the code that it executes. */
export interface BaselineRun {
  readonly end: TestResult;
  readonly ran: Coverage;
}
