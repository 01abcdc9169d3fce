import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { AREAS } from './areas.ts';

/** The options of a run. */
export interface Options {
  readonly seed: number;
  readonly count: number;
  readonly workers: number;
  readonly limitSeconds: number;
  /** The maximum number of nearest tests of the package; the other value is for other tests. */
  readonly package: number;
  readonly rest: number;
  /** Names of areas; empty: all. */
  readonly areas: ReadonlySet<string>;
  /** Numbers of the table; empty: all. */
  readonly only: ReadonlySet<number>;
}

/** The text of `--help`. */
export const HELP = `npm --prefix bench run prove -- planted-faults [options]

  --seed <n>      draws the same faults again from the same sources (by default the time)
  --count <n>     how many faults (120)
  --workers <n>   how many at once, each in a copy of the tree (one for each core)
  --limit <s>     the longest a test may take (120); a test gets ten times as long as without the fault, at least ten seconds
  --package <n>   at most so many of the nearest tests of the package itself (all)
  --rest <n>      at most so many of the nearest other tests (all)
  --areas <a,a>   faults of these areas only (${Object.keys(AREAS).join(', ')})
  --only <n,n>    only the faults of these numbers; nothing is kept for a later run

What was found is kept below tmp/planted-faults/: the same command goes on where it was stopped, while no source and no test changes.
Control-C ends it after the faults that it is at, with a report of those that it looked for.`;

/**
 * Reads the flags.
 * @throws {TypeError} a flag is unknown, or its value is not a number or an area
 */
export function readOptions(words: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = {
    seed: text,
    count: text,
    workers: text,
    limit: text,
    package: text,
    rest: text,
    areas: text,
    only: text,
  };
  const { values } = parseArgs({ args: [...words], options });
  const number = (name: keyof typeof options, otherwise: number): number =>
    values[name] === undefined ? otherwise : parseWholeNumber(name, values[name]);
  return {
    seed: number('seed', Math.trunc(Date.now() / 1000)),
    count: number('count', 120),
    workers: number('workers', availableParallelism()),
    limitSeconds: number('limit', 120),
    package: number('package', Number.MAX_SAFE_INTEGER),
    rest: number('rest', Number.MAX_SAFE_INTEGER),
    areas: new Set(values.areas?.split(',').map(requireKnownArea)),
    only: new Set(values.only?.split(',').map((each) => parseWholeNumber('only', each))),
  };
}

function requireKnownArea(name: string): string {
  if (!Object.hasOwn(AREAS, name)) throw new TypeError(`--areas: there is no ${name}`);
  return name;
}

function parseWholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new TypeError(`--${name} must be a whole number`);
  return Number(text);
}
