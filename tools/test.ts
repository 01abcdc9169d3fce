/**
 * Runs all the tests: `npm test`; the quick ones: `npm run test:quick`; some: `npm test -- <file or glob> ...`. It starts a real PostgreSQL
 * unless `POOLGATE_TEST_POSTGRES_URL` names one, and unpacks a real browser if a test needs one. A run of all tests repeats those of the
 * suites over the routes in front of a pool with Cognito's protocol. It repeats most of them a third time against two replicas on
 * PostgreSQL behind a load balancer. The run fails if no test ran or any was skipped, because a green run of zero tests proves nothing.
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
/** Lower bounds, well below the actual numbers: a run with fewer tests has lost some. */
const LEAST_TESTS = { embedded: 2200, cognito: 300, replicas: 500, quick: 1200 };
/** Allowed skips: only the suite on a real Amazon pool, if none is configured. */
const ALLOWED_SKIPS = [missingForAmazon()].filter((reason) => reason !== undefined);
/** The folder of the tests that need a browser. */
const BROWSER_TESTS = /(^|\/)e2e\/browser\//;

/** Each process loads the whole service. The shared compile cache saves each a second. */
const COMPILED = fileURLToPath(new URL('../tmp/compiled', import.meta.url));

/** A run of the test runner, and its options. */
interface Wanted extends Pass {
  readonly least: number;
  /** Printed with the name of each file. */
  readonly setting: string;
  /** The variables that a command must set to run one of its files again. */
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

/** Returns the problems of a pass other than failed tests. */
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
