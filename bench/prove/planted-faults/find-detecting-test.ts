import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasRun, readCoverage } from './coverage.ts';
import type { BaselineRun, Detection } from './detection.ts';
import type { Fault } from './draw-faults.ts';
import type { ImportGraph } from './import-graph.ts';
import { applyFault } from './mutations.ts';
import type { ResultCache } from './run-cache.ts';
import { runTest, type TestResult, type TestRun } from './run-test.ts';

/** The options of the search for a fault. */
export interface SearchOptions {
  readonly root: string;
  readonly graph: ImportGraph;
  readonly limitMs: number;
  /** The maximum numbers of tests: the nearest tests of the package, and others. */
  readonly most: { readonly package: number; readonly rest: number };
  environmentOf(test: string): Readonly<Record<string, string>>;
  /** The results of tests without faults. */
  readonly sound: ResultCache<string, BaselineRun>;
  /** Running tests without faults. */
  readonly soundUnderWay: Map<string, Promise<BaselineRun>>;
}

/**
 * Plants a fault, runs the tests that execute the changed code, nearest first, until one fails, and removes it again. A run of each test
 * without the fault shows which tests these are: a test that never executes the code cannot detect it. Killed processes report no coverage.
 */
export async function findDetectingTest(look: SearchOptions, fault: Fault): Promise<Detection> {
  const began = performance.now();
  const home = `${fault.file.split('/').slice(0, 2).join('/')}/`;
  const all = look.graph.testsOf(fault.file);
  const near = all.filter((test) => test.startsWith(home));
  const far = all.filter((test) => !test.startsWith(home));
  const own = await findFirstFailing(look, fault, near.slice(0, look.most.package));
  const rest = own.end === undefined ? await findFirstFailing(look, fault, far.slice(0, look.most.rest)) : NONE;
  const { test, end } = own.end === undefined ? rest : own;
  return {
    seenBy: own.end !== undefined ? 'package' : rest.end !== undefined ? 'rest' : 'nobody',
    ...(test === undefined || end === undefined ? {} : { test, by: end.by }),
    ran: [own.ran, near.length],
    ranRest: [rest.ran, far.length],
    seconds: Math.round((performance.now() - began) / 1000),
  };
}

interface FailingTest {
  readonly test?: string;
  readonly end?: TestResult;
  /** The number of tests that were run with the fault. */
  readonly ran: number;
}

const NONE: FailingTest = { ran: 0 };

/** A slow result counts if the test normally needs less than a third of the limit. */
const SLOWER = 3;

/** With a fault, a test hangs if it takes ten times as long as without it, and at least ten seconds. */
const HANGING = 10;
const LEAST_LIMIT_MS = 10_000;

/** A test that also fails without the fault detects nothing. */
async function findFirstFailing(look: SearchOptions, fault: Fault, tests: readonly string[]): Promise<FailingTest> {
  let ran = 0;
  for (const test of tests) {
    const sound = await getBaselineRun(look, test);
    if (!sound.end.passed || !hasRun(sound.ran, fault.file, fault.start)) continue;
    ran += 1;
    const limitMs = Math.min(look.limitMs, Math.max(LEAST_LIMIT_MS, sound.end.ms * HANGING));
    const end = await runWith({ ...look, limitMs }, fault, test);
    if (end.passed || (end.isSlow && sound.end.ms * SLOWER >= look.limitMs)) continue;
    // A slow test may have failed only because of a timeout.
    const again = end.ms < sound.end.ms * SLOWER ? end : await runWith({ ...look, limitMs }, fault, test);
    if (!again.passed) return { test, end, ran };
  }
  return { ran };
}

async function getBaselineRun(look: SearchOptions, test: string): Promise<BaselineRun> {
  const known = look.sound.find(test) ?? look.soundUnderWay.get(test);
  if (known !== undefined) return known;
  const run = runBaseline(look, test).finally(() => look.soundUnderWay.delete(test));
  look.soundUnderWay.set(test, run);
  return run;
}

async function runBaseline(look: SearchOptions, test: string): Promise<BaselineRun> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-coverage-'));
  try {
    const run = createTestRun(look, test, { NODE_V8_COVERAGE: folder });
    const first = await runTest(run, test);
    const end = first.passed ? first : await runTest(run, test);
    const sound = { end, ran: readCoverage(look.root, folder) };
    look.sound.save(test, sound);
    return sound;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runWith(look: SearchOptions, fault: Fault, test: string): Promise<TestResult> {
  const path = join(look.root, fault.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, applyFault(source, fault));
  try {
    // Compiled code is cached by content, so that unchanged code is compiled once.
    return await runTest(createTestRun(look, test, { NODE_COMPILE_CACHE: join(look.root, 'compiled') }), test);
  } finally {
    writeFileSync(path, source);
  }
}

function createTestRun(look: SearchOptions, test: string, more: Readonly<Record<string, string>>): TestRun {
  return { root: look.root, environment: { ...look.environmentOf(test), ...more }, limitMs: look.limitMs };
}
