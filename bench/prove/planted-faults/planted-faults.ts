import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../../packages/store/src/testing/index.ts';
import type { ProofResult } from '../proof.ts';
import { AREAS } from './areas.ts';
import type { Detection } from './detection.ts';
import { drawFaults, type Fault } from './draw-faults.ts';
import { findDetectingTest, type SearchOptions } from './find-detecting-test.ts';
import { createImportGraph } from './import-graph.ts';
import { type Options, readOptions } from './planted-faults-options.ts';
import { formatPlace, formatReport, type Row } from './planted-faults-report.ts';
import { openBaselineCache, openDetectionCache } from './run-cache.ts';
import { copyTree } from './scratch-tree.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Tests that import no source of the areas, or that need the complete test run. */
const LEFT_OUT = /^e2e\/(browser|releases)\//;

/** Plants faults drawn by a seed, and reports which test detects each. The words are flags: see `HELP`. */
export async function provePlantedFaults(words: readonly string[], tell: (line: string) => void): Promise<ProofResult> {
  const options = readOptions(words);
  const areas = Object.fromEntries(
    Object.entries(AREAS).filter(([name]) => options.areas.size === 0 || options.areas.has(name)),
  );
  const drawn = drawFaults(ROOT, areas, options.seed, options.count).map((fault, index) => ({
    fault,
    number: index + 1,
  }));
  const chosen = drawn.filter(({ number }) => options.only.size === 0 || options.only.has(number));
  tell(`${chosen.length} of ${drawn.length} faults drawn by seed ${options.seed}`);
  const rows = await detectAll(options, chosen, tell);
  const outcome = formatReport(rows, options.seed);
  const left = chosen.length - rows.length;
  return left === 0
    ? outcome
    : { ...outcome, faults: [...outcome.faults, `stopped: ${left} faults were not looked for`] };
}

interface NumberedFault {
  readonly number: number;
  readonly fault: Fault;
}

async function detectAll(options: Options, faults: readonly NumberedFault[], tell: (line: string) => void) {
  const kept = openDetectionCache(ROOT, `${options.package} ${options.rest} ${options.limitSeconds}`);
  const graph = createImportGraph(ROOT);
  const usable = { ...graph, testsOf: (file: string) => graph.testsOf(file).filter((test) => !LEFT_OUT.test(test)) };
  const sound = openBaselineCache(ROOT, graph);
  const soundUnderWay: SearchOptions['soundUnderWay'] = new Map();
  const postgres = await startPostgres();
  const queue = faults.toReversed();
  const rows: Row[] = [];
  // After an interruption, it reports the faults so far.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => queue.splice(0));
  const work = async (): Promise<void> => {
    const tree = copyTree(ROOT);
    const look: SearchOptions = {
      root: tree.root,
      graph: usable,
      limitMs: options.limitSeconds * 1000,
      most: { package: options.package, rest: options.rest },
      environmentOf: (test) => ({ ...onSqlite(test), POOLGATE_TEST_POSTGRES_URL: postgres.adminUrl }),
      sound,
      soundUnderWay,
    };
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const known = options.only.size === 0 ? kept.find(next.fault) : undefined;
      const sighting = known ?? (await findDetectingTest(look, next.fault));
      if (known === undefined && options.only.size === 0) kept.save(next.fault, sighting);
      rows.push({ ...next, sighting });
      tell(`${rows.length} of ${faults.length}: ${formatSighting(next, sighting)}`);
    }
    tree.remove();
  };
  await Promise.all(Array.from({ length: Math.max(1, options.workers) }, work));
  await postgres.stop();
  return rows.toSorted((a, b) => a.number - b.number);
}

/** The pool's own tests do the same on every database; the store's tests cover the differences. */
function onSqlite(test: string): Readonly<Record<string, string>> {
  return test.startsWith('packages/pool/') ? { POOLGATE_TEST_PROVIDER: 'cognito' } : {};
}

function formatSighting({ number, fault }: NumberedFault, { seenBy, test, seconds }: Detection): string {
  return `${number}. ${formatPlace(fault)}, ${fault.rule}: ${seenBy}${test === undefined ? '' : ` (${test})`}, ${seconds} s`;
}
