/**
 * Runs all the tests: `node tools/test.ts [file or glob ...]`.
 * Starts one real PostgreSQL for the run and unpacks a real browser where a test needs one. Fails when nothing ran or
 * anything was skipped, because a green run of zero tests proves nothing.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { startPostgres } from '@poolgate/store/testing';
import { CHROMIUM_VARIABLE, extractedChromium } from '../e2e/support/chromium.ts';

const GLOBS = ['packages/*/src/**/*.test.ts', 'e2e/**/*.test.ts', 'tools/**/*.test.ts'];
/** A floor well below what exists: a run that finds less has lost its tests. */
const LEAST_TESTS = 2200;
/** Skips that are allowed, by reason: only a suite on a real Amazon pool, which needs credentials. */
const ALLOWED_SKIPS = 0;
/** Where the tests lie that need a browser. */
const BROWSER_TESTS = /(^|\/)e2e\/browser\//;

const chosen = process.argv.slice(2);
const files = (chosen.length > 0 ? chosen : GLOBS).flatMap((glob) =>
  globSync(glob, { exclude: ['**/node_modules/**', '**/dist/**'] }),
);
if (files.length === 0) {
  console.error(`No test file matches ${chosen.join(' ') || GLOBS.join(' ')}`);
  process.exit(1);
}

const browser: Record<string, string> = {};
if (files.some((file) => BROWSER_TESTS.test(file))) {
  browser[CHROMIUM_VARIABLE] = process.env[CHROMIUM_VARIABLE] ?? (await extractedChromium());
}
const postgres = await startPostgres();
const run = spawn(process.execPath, ['--test', '--test-concurrency=4', '--test-timeout=240000', ...files], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, ...browser, POOLGATE_TEST_POSTGRES_URL: postgres.adminUrl },
});

const counts: Record<string, number> = {};
let line = '';
run.stdout.setEncoding('utf8').on('data', (text: string) => {
  process.stdout.write(text);
  const lines = (line + text).split('\n');
  line = lines.pop() ?? '';
  for (const each of lines) {
    const count = /^ℹ (tests|pass|fail|skipped|todo|cancelled) (\d+)$/.exec(each);
    if (count?.[1]) counts[count[1]] = Number(count[2]);
  }
});
const code = await new Promise<number>((resolve) => run.on('close', (exit) => resolve(exit ?? 1)));
await postgres.stop();

const skipped = (counts.skipped ?? 0) + (counts.todo ?? 0) + (counts.cancelled ?? 0);
const least = chosen.length > 0 ? 1 : LEAST_TESTS;
const faults = [
  ...((counts.tests ?? 0) < least ? [`Only ${counts.tests ?? 0} tests ran; at least ${least} must.`] : []),
  ...(skipped > ALLOWED_SKIPS ? [`${skipped} tests were skipped; none may be.`] : []),
];
for (const fault of faults) console.error(fault);
// Said outright: the exit hook of the PostgreSQL package ends a process with 0, whatever `process.exitCode` says.
process.exit(faults.length > 0 ? 1 : code);
