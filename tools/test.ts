/**
 * Runs all the tests: `npm test -- [file or glob ...]`.
 * Starts one real PostgreSQL for the run and unpacks a real browser where a test needs one. Without arguments the suites over
 * the routes run a second time, before a pool that is reached by Cognito's protocol. Fails when nothing ran or anything was
 * skipped, because a green run of zero tests proves nothing.
 */

import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@poolgate/store/testing';
import { missingForAmazon } from '../e2e/conformance/amazon.ts';
import { CHROMIUM_VARIABLE, extractedChromium } from '../e2e/support/chromium.ts';
import { ON_COGNITO, PROVIDER_VARIABLE } from '../e2e/support/tested-provider.ts';
import { filesOnCognito, skipsOnCognito } from './on-cognito.ts';

const GLOBS = ['packages/*/src/**/*.test.ts', 'e2e/**/*.test.ts', 'tools/**/*.test.ts'];
/** Floors well below what exists: a run that finds less has lost its tests. */
const LEAST_TESTS = { embedded: 2200, cognito: 300 };
/** Skips that are allowed: only the suite on a real pool of Amazon, while none is named. */
const ALLOWED_SKIPS = missingForAmazon() === undefined ? [] : [`# ${missingForAmazon()}`];
/** Where the tests lie that need a browser. */
const BROWSER_TESTS = /(^|\/)e2e\/browser\//;

/** Each file is a process that loads the whole service: what one has compiled the others read, which saves a second of each. */
const COMPILED = fileURLToPath(new URL('../tmp/compiled', import.meta.url));

/** One run of the test runner. */
interface Pass {
  readonly files: readonly string[];
  readonly least: number;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const chosen = process.argv.slice(2);
const files = (chosen.length > 0 ? chosen : GLOBS).flatMap((glob) =>
  globSync(glob, { exclude: ['**/node_modules/**', '**/dist/**'] }),
);
const least = (floor: number): number => (chosen.length > 0 ? 1 : floor);
const asItIs: Pass = { files, least: least(LEAST_TESTS.embedded), flags: [], environment: {} };
const onCognito: Pass = {
  files: filesOnCognito(files),
  least: least(LEAST_TESTS.cognito),
  flags: skipsOnCognito(),
  environment: { [PROVIDER_VARIABLE]: 'cognito' },
};
const bothPasses = chosen.length > 0 ? [asItIs] : [asItIs, onCognito];
const passes = ON_COGNITO ? [onCognito] : bothPasses;
if (passes.some((pass) => pass.files.length === 0)) {
  console.error(`No test file matches ${chosen.join(' ') || GLOBS.join(' ')}`);
  process.exit(1);
}

const browser: Record<string, string> = {};
if (files.some((file) => BROWSER_TESTS.test(file))) {
  browser[CHROMIUM_VARIABLE] = process.env[CHROMIUM_VARIABLE] ?? (await extractedChromium());
}
const postgres = await startPostgres();

/** Runs a pass and gives what is wrong with it. */
async function run(pass: Pass): Promise<readonly string[]> {
  const started = spawn(
    process.execPath,
    ['--test', '--test-concurrency=4', '--test-timeout=240000', ...pass.flags, ...pass.files],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        NODE_COMPILE_CACHE: COMPILED,
        ...process.env,
        ...browser,
        ...pass.environment,
        POOLGATE_TEST_POSTGRES_URL: postgres.adminUrl,
      },
    },
  );
  const counts: Record<string, number> = {};
  const announced: string[] = [];
  let line = '';
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    const lines = (line + text).split('\n');
    line = lines.pop() ?? '';
    for (const each of lines) {
      const count = /^ℹ (tests|pass|fail|skipped|todo|cancelled) (\d+)$/.exec(each);
      if (count?.[1]) counts[count[1]] = Number(count[2]);
      if (each.startsWith('﹣ ')) announced.push(...ALLOWED_SKIPS.filter((reason) => each.endsWith(reason)));
    }
  });
  const code = await new Promise<number>((resolve) => started.on('close', (exit) => resolve(exit ?? 1)));
  const skipped = (counts.skipped ?? 0) + (counts.todo ?? 0) + (counts.cancelled ?? 0);
  const allowed = Math.min(announced.length, ALLOWED_SKIPS.length);
  return [
    ...(code === 0 ? [] : [`The test runner ended with ${code}.`]),
    ...((counts.tests ?? 0) < pass.least ? [`Only ${counts.tests ?? 0} tests ran; at least ${pass.least} must.`] : []),
    ...(skipped > allowed ? [`${skipped} tests were skipped; ${allowed} may be.`] : []),
  ];
}

const faults: string[] = [];
for (const pass of passes) faults.push(...(await run(pass)));
await postgres.stop();
for (const fault of faults) console.error(fault);
// Said outright: the exit hook of the PostgreSQL package ends a process with 0, whatever `process.exitCode` says.
process.exit(faults.length > 0 ? 1 : 0);
