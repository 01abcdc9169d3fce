import type { Coverage } from './coverage.ts';
import type { TestResult } from './run-test.ts';

/** Who saw a fault. */
export interface Detection {
  /** `package`: a test of the package that has the fault; `rest`: another one. */
  readonly seenBy: 'package' | 'rest' | 'nobody';
  /** The test file and its first failing test. */
  readonly test?: string;
  readonly by?: string;
  /** So many tests of the package, and others, ran the changed code, of how many that reach its file. */
  readonly ran: readonly [run: number, of: number];
  readonly ranRest: readonly [run: number, of: number];
  readonly seconds: number;
}

/** How a test ends without any fault, and what it runs. */
export interface BaselineRun {
  readonly end: TestResult;
  readonly ran: Coverage;
}
