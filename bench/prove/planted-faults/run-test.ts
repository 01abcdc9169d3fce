import { spawn } from 'node:child_process';

/** How a test file ended. */
export interface TestResult {
  readonly passed: boolean;
  /** The first test that failed, or why there is none. */
  readonly by: string;
  readonly isSlow: boolean;
  readonly ms: number;
}

/** What a test file is run with. */
export interface TestRun {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What runs longer is stopped. */
  readonly limitMs: number;
}

/** Runs one test file until its first failing test. */
export function runTest({ root, environment, limitMs }: TestRun, file: string): Promise<TestResult> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--test-reporter=tap', file], {
    cwd: root,
    // A test runner that this runs in would be told in a form of its own.
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
      // What a test started and did not end.
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
    // All of it has ended.
  }
}
