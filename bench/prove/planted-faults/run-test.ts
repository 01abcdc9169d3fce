import { spawn } from 'node:child_process';

/** The result of a test file. */
export interface TestResult {
  readonly passed: boolean;
  /** The first test that failed, or the reason why no test failed. */
  readonly by: string;
  readonly isSlow: boolean;
  readonly ms: number;
}

/** The options of a test file's run. */
export interface TestRun {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A longer run is stopped. */
  readonly limitMs: number;
}

/** Runs one test file until its first failure. */
export function runTest({ root, environment, limitMs }: TestRun, file: string): Promise<TestResult> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--test-reporter=tap', file], {
    cwd: root,
    // An outer test runner would get the results in another format.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let failed: string | undefined;
  let isSlow = false;
  let text = '';
  const stop = (): void => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const timer = setTimeout(() => {
    isSlow = true;
    stop();
  }, limitMs);
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    failed ??= /^\s*not ok \d+ - (.*)$/m.exec(text)?.[1];
    text = text.slice(text.lastIndexOf('\n') + 1);
    if (failed !== undefined) stop();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      // Ends the remaining processes of the test.
      stop();
      const passed = code === 0 && failed === undefined;
      const why = isSlow ? `no end within ${limitMs / 1000} s` : 'it does not load';
      resolve({ passed, isSlow, by: failed ?? (passed ? '' : why), ms: performance.now() - began });
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}
