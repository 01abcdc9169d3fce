import { spawn } from 'node:child_process';
import { once } from 'node:events';

const ROOT = new URL('../../', import.meta.url).pathname;
/** The number of concurrent files. */
const SIDE_BY_SIDE = 2;
/** A longer test or file has failed. */
const LONGEST_MS = 600_000;

/** The result of test files. */
export interface SuitesResult {
  readonly tests: number;
  readonly passed: number;
  /** The names of tests that failed. */
  readonly failed: readonly string[];
}

/**
 * Runs test files of the repository with additional environment variables.
 * @param without the names of tests to skip
 */
export async function runSuites(
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
  without: readonly RegExp[] = [],
): Promise<SuitesResult> {
  // Without files, the runner would run all that it finds.
  if (files.length === 0) return { tests: 0, passed: 0, failed: ['no suite is of these names'] };
  const skips = without.map((name) => `--test-skip-pattern=${name}`);
  const runner = ['--test', '--test-reporter=tap', `--test-concurrency=${SIDE_BY_SIDE}`];
  const words = [...runner, `--test-timeout=${LONGEST_MS}`, ...skips, ...files];
  const tests = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let tap = '';
  tests.stdout.setEncoding('utf8').on('data', (text: string) => {
    tap += text;
  });
  await once(tests, 'close');
  const count = (name: string): number => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(tap)?.[1] ?? Number.NaN);
  const failed = [...tap.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name = '']) => name);
  const none = count('tests') > 0 ? [] : ['no test ran'];
  return { tests: count('tests'), passed: count('pass'), failed: [...failed, ...none] };
}
