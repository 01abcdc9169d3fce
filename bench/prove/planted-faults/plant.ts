import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './draw.ts';
import type { ImportGraph } from './import-graph.ts';
import { withFault } from './mutations.ts';
import { runTest, type TestEnd, type TestRun } from './run-test.ts';

/** Who saw a fault. */
export interface Sighting {
  /** `package`: a test of the package that has the fault; `rest`: another one. */
  readonly seenBy: 'package' | 'rest' | 'nobody';
  /** The test file and its first failing test. */
  readonly test?: string;
  readonly by?: string;
  /** Of how many tests of the package, and others, so many were run. */
  readonly ran: readonly [run: number, of: number];
  readonly ranRest: readonly [run: number, of: number];
  readonly seconds: number;
}

/** How a fault is looked for. */
export interface Look {
  readonly root: string;
  readonly graph: ImportGraph;
  readonly limitMs: number;
  /** So many of the nearest tests of the package, and so many others. */
  readonly most: { readonly package: number; readonly rest: number };
  environmentOf(test: string): Readonly<Record<string, string>>;
  /** How a test ends without any fault; undefined until it was tried. */
  readonly sound: Map<string, TestEnd>;
}

/** Plants a fault, runs the tests that reach it, nearest first, until one fails, and takes it out again. */
export async function plant(look: Look, fault: Fault): Promise<Sighting> {
  const began = performance.now();
  const path = join(look.root, fault.file);
  const source = readFileSync(path, 'utf8');
  const home = `${fault.file.split('/').slice(0, 2).join('/')}/`;
  const all = look.graph.testsOf(fault.file);
  const near = all.filter((test) => test.startsWith(home));
  const far = all.filter((test) => !test.startsWith(home));
  const without = <T>(act: () => Promise<T>): Promise<T> => {
    writeFileSync(path, source);
    return act().finally(() => writeFileSync(path, withFault(source, fault)));
  };
  writeFileSync(path, withFault(source, fault));
  try {
    const own = await firstFailing(look, near.slice(0, look.most.package), without);
    const rest = own.end === undefined ? await firstFailing(look, far.slice(0, look.most.rest), without) : NONE;
    const { test, end } = own.end === undefined ? rest : own;
    return {
      seenBy: own.end !== undefined ? 'package' : rest.end !== undefined ? 'rest' : 'nobody',
      ...(test === undefined || end === undefined ? {} : { test, by: end.by }),
      ran: [own.ran, near.length],
      ranRest: [rest.ran, far.length],
      seconds: Math.round((performance.now() - began) / 1000),
    };
  } finally {
    writeFileSync(path, source);
  }
}

interface Found {
  readonly test?: string;
  readonly end?: TestEnd;
  readonly ran: number;
}

const NONE: Found = { ran: 0 };

/** A slow end counts where the test takes less than a third of that by itself. */
const SLOWER = 3;

/** A test that fails without the fault too has seen nothing. */
async function firstFailing(
  look: Look,
  tests: readonly string[],
  without: (act: () => Promise<TestEnd>) => Promise<TestEnd>,
): Promise<Found> {
  for (const [index, test] of tests.entries()) {
    const run: TestRun = { root: look.root, environment: look.environmentOf(test), limitMs: look.limitMs };
    const end = await runTest(run, test);
    if (end.passed) continue;
    const sound = look.sound.get(test) ?? (await without(() => runTest(run, test)));
    look.sound.set(test, sound);
    if (sound.passed && (!end.isSlow || sound.ms * SLOWER < look.limitMs)) return { test, end, ran: index + 1 };
  }
  return { ran: tests.length };
}
