/**
 * Runs all the tests: `npm test`; those that are quick: `npm run test:quick`; some: `npm test -- <file or glob> ...`.
 * Starts one real PostgreSQL for the run, where `POOLGATE_TEST_POSTGRES_URL` names none, and unpacks a real browser where a test
 * needs one. When all the tests run, those of the suites over the routes run a second time, in front of a pool that is reached by
 * Cognito's protocol, and most of them a third time against two replicas on PostgreSQL behind a load balancer. Fails when nothing ran
 * or anything was skipped, because a green run of zero tests proves nothing.
 */

import { randomInt } from 'node:crypto';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ADMIN_URL_VARIABLE, startPostgres } from '@poolgate/store/testing';
import { missingForAmazon } from '../e2e/conformance/amazon.ts';
import { CHROMIUM_VARIABLE, extractChromium } from '../e2e/support/browser/chromium.ts';
import { ON_COGNITO, PROVIDER_VARIABLE, REPLICAS, REPLICAS_VARIABLE } from '../e2e/support/provider/tested-provider.ts';
import { listSkippedOnCognito, selectFilesOnCognito } from './on-cognito.ts';
import { listSkippedOnReplicas, selectFilesOnReplicas } from './on-replicas.ts';
import { isQuick, QUICK_ENVIRONMENT } from './quick-tests.ts';
import { formatCounts, formatFailedFiles, formatFailures, formatFileLine } from './test-report.ts';
import { sumCounts } from './test-results.ts';
import { type Outcome, type Pass, runPass } from './test-run.ts';

const GLOBS = ['packages/*/src/**/*.test.ts', 'e2e/**/*.test.ts', 'tools/**/*.test.ts'];
/** Floors well below what exists: a run that finds less has lost its tests. */
const LEAST_TESTS = { embedded: 2200, cognito: 300, replicas: 500, quick: 1200 };
/** Skips that are allowed: only the suite on a real pool of Amazon, while none is named. */
const ALLOWED_SKIPS = [missingForAmazon()].filter((reason) => reason !== undefined);
/** Where the tests lie that need a browser. */
const BROWSER_TESTS = /(^|\/)e2e\/browser\//;

/** Each process loads the whole service: what one has compiled the others read, which saves a second of each. */
const COMPILED = fileURLToPath(new URL('../tmp/compiled', import.meta.url));

/** A run of the test runner, and what is asked of it. */
interface Wanted extends Pass {
  readonly least: number;
  /** Beside the name of each file. */
  readonly setting: string;
  /** What a command has to set that runs a file of it again. */
  readonly variables: string;
}

const QUICK_FLAG = '--quick';
const words = process.argv.slice(2);
const chosen = words.filter((word) => word !== QUICK_FLAG);
const quick = words.includes(QUICK_FLAG);
const files = (chosen.length > 0 ? chosen : GLOBS)
  .flatMap((glob) => globSync(glob, { exclude: ['**/node_modules/**', '**/dist/**'] }))
  .filter((file) => !quick || isQuick(file));
const floor = quick ? LEAST_TESTS.quick : LEAST_TESTS.embedded;
const asItIs: Wanted = {
  files,
  without: [],
  environment: quick ? QUICK_ENVIRONMENT : {},
  least: chosen.length > 0 ? 1 : floor,
  setting: '',
  variables: '',
};
const onCognito: Wanted = {
  files: selectFilesOnCognito(files),
  without: listSkippedOnCognito(),
  environment: { [PROVIDER_VARIABLE]: 'cognito' },
  least: chosen.length > 0 ? 1 : LEAST_TESTS.cognito,
  setting: "backed by Cognito's protocol",
  variables: `${PROVIDER_VARIABLE}=cognito `,
};
const onReplicas: Wanted = {
  files: selectFilesOnReplicas(files),
  without: listSkippedOnReplicas(),
  environment: { [REPLICAS_VARIABLE]: '2' },
  least: chosen.length > 0 ? 1 : LEAST_TESTS.replicas,
  setting: 'on two replicas',
  variables: `${REPLICAS_VARIABLE}=2 `,
};
const allPasses = chosen.length > 0 || quick ? [asItIs] : [asItIs, onCognito, onReplicas];
const askedFor = [...(ON_COGNITO ? [onCognito] : []), ...(REPLICAS > 1 ? [onReplicas] : [])];
const passes = askedFor.length > 0 ? askedFor : allPasses;
if (passes.some((pass) => pass.files.length === 0)) {
  console.error(`No test file matches ${chosen.join(' ') || GLOBS.join(' ')}`);
  process.exit(1);
}

/** What is wrong with a pass beside the tests that failed. */
function listFaults({ counts, skips }: Outcome, { least, setting }: Wanted): readonly string[] {
  const where = setting === '' ? '' : ` ${setting}`;
  const skipped = counts.skipped + counts.todo + counts.cancelled;
  const allowed = ALLOWED_SKIPS.filter((reason) => skips.includes(reason)).length;
  return [
    ...(counts.tests < least ? [`Only ${counts.tests} tests ran${where}; at least ${least} must.`] : []),
    ...(skipped > allowed
      ? [`${skipped} tests were skipped, left to do or cancelled${where}; ${allowed} may be.`]
      : []),
  ];
}

/** Set it to repeat the batches and the order of a run. */
const SEED_VARIABLE = 'POOLGATE_TEST_SEED';
const seed = Number(process.env[SEED_VARIABLE] ?? randomInt(1_000_000));

const started = performance.now();
process.env.NODE_COMPILE_CACHE ??= COMPILED;
if (files.some((file) => BROWSER_TESTS.test(file))) process.env[CHROMIUM_VARIABLE] ??= await extractChromium();
const postgres = process.env[ADMIN_URL_VARIABLE] === undefined ? await startPostgres() : undefined;
if (postgres !== undefined) process.env[ADMIN_URL_VARIABLE] = postgres.adminUrl;

const outcomes: Outcome[] = [];
for (const pass of passes) {
  outcomes.push(await runPass(pass, seed, (end) => console.log(formatFileLine(end, pass.setting))));
}
await postgres?.stop();

const failing = outcomes.map((outcome, index) => ({ outcome, wanted: passes[index] ?? asItIs }));
const failed = failing.filter(({ outcome }) => outcome.failures.length > 0);
if (failed.length > 0) console.log(`\nThe order of the files: ${SEED_VARIABLE}=${seed}`);
for (const { outcome } of failed) console.log(`\n${formatFailures(outcome)}`);
for (const { outcome, wanted } of failed) console.log(formatFailedFiles(outcome.failures, wanted.variables));
console.log(formatCounts(sumCounts(outcomes.map(({ counts }) => counts)), performance.now() - started));
const faults = failing.flatMap(({ outcome, wanted }) => listFaults(outcome, wanted));
for (const fault of faults) console.error(fault);
process.exit(failed.length > 0 || faults.length > 0 ? 1 : 0);
