/**
 * Runs several test files in one process, in sequence. Each file is a test that contains the tests of the file. A file fails if it leaves the
 * process changed.
 */
import { resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { formatMark } from './file-mark.ts';
import { findLeftResources, listChanges, readProcessState } from './process-state.ts';
import { importInTest } from './test-context.ts';
import { restartWatchdog } from './test-watchdog.ts';

/** The longest time that a timer takes: the limit for one test must not end a file, which has a watchdog. */
const LONGEST_MS = 2 ** 31 - 1;

/** Uncaught errors since the file began. */
const uncaught: unknown[] = [];
process.on('uncaughtExceptionMonitor', (error) => uncaught.push(error));
process.on('unhandledRejection', (reason) => uncaught.push(reason));

/** The process is killed if it still runs this long after its last file. */
const ENDING_MS = 5_000;

/** Marks the start of the output of a file. */
function markOutput(file: string): void {
  process.stdout.write(formatMark(file));
  process.stderr.write(formatMark(file));
}

async function runFile(file: string, context: TestContext): Promise<void> {
  restartWatchdog();
  markOutput(file);
  uncaught.length = 0;
  const before = { state: readProcessState(), resources: process.getActiveResourcesInfo() };
  try {
    await importInTest(pathToFileURL(resolve(file)).href);
  } finally {
    context.after(async () => {
      const left = await findLeftResources(before.resources);
      restartWatchdog(ENDING_MS);
      const [error] = uncaught;
      if (error !== undefined) throw error;
      const changes = [...listChanges(before.state), ...left];
      if (changes.length > 0) throw new Error(`It leaves the process changed: ${changes.join(', ')}`);
    });
  }
}

/** Declares the files as tests. */
export function runBatch(files: readonly string[]): void {
  for (const file of files) {
    test(file, { timeout: LONGEST_MS }, (context) => runFile(file, context));
  }
}
