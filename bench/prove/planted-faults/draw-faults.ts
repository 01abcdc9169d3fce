import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPicker, type Picker } from '../../../e2e/support/requests/picker.ts';
import { type Areas, NOT_PLANTED } from './areas.ts';
import { applyFault, listMutations, type Mutation, RULE_NAMES } from './mutations.ts';

/** A fault with its location. */
export interface Fault extends Mutation {
  readonly area: string;
  /** Relative to the tree. */
  readonly file: string;
  readonly line: number;
  /** The changed code, on one line. */
  readonly before: string;
  readonly after: string;
}

/**
 * Draws faults: area by area and rule by rule, at random within both. No two are on one line, as far as there are enough lines.
 * @param seed the same seed draws the same faults from the same sources
 * @throws {RangeError} a pattern of an area matches no source
 */
export function drawFaults(root: string, areas: Areas, seed: number, count: number): readonly Fault[] {
  const choose = createPicker(seed);
  const piles = Object.entries(areas).map(([area, globs]) => shuffleByRule(choose, listFaults(root, area, globs)));
  const drawn: Fault[] = [];
  const taken = new Set<string>();
  for (let round = 0; drawn.length < count && piles.flat(2).length > 0; round += 1) {
    for (const [index, ofArea] of piles.entries()) {
      const fault = ofArea[(round + index) % ofArea.length]?.pop();
      const place = `${fault?.file}:${fault?.line}`;
      if (fault === undefined || taken.has(place) || drawn.length >= count) continue;
      taken.add(place);
      drawn.push(fault);
    }
  }
  return drawn;
}

/** A shuffled pile for each rule. */
function shuffleByRule(choose: Picker, faults: readonly Fault[]): readonly Fault[][] {
  return RULE_NAMES.map((name) =>
    shuffle(
      choose,
      faults.filter(({ rule }) => rule === name),
    ),
  );
}

function shuffle<T>({ below }: Picker, list: readonly T[]): T[] {
  const left = [...list];
  return list.flatMap(() => left.splice(below(left.length), 1));
}

function listFaults(root: string, area: string, globs: readonly string[]): readonly Fault[] {
  const files = globs.flatMap((glob) => {
    const found = globSync(glob, { cwd: root, exclude: NOT_PLANTED });
    if (found.length === 0) throw new RangeError(`No source matches ${glob}. Correct the area ${area} in areas.ts.`);
    return found.map((file) => file.replaceAll('\\', '/'));
  });
  return files.toSorted().flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return listMutations(file, source).map((mutation) => ({
      ...mutation,
      area,
      file,
      ...formatMutation(source, mutation),
    }));
  });
}

const MAX_SHOWN = 90;

/** Returns the changed lines before and after. */
function formatMutation(source: string, mutation: Mutation): Pick<Fault, 'line' | 'before' | 'after'> {
  const from = source.lastIndexOf('\n', mutation.start - 1) + 1;
  const to = source.indexOf('\n', mutation.end);
  const changed = applyFault(source, mutation);
  const end = (to === -1 ? source.length : to) + changed.length - source.length;
  return {
    line: source.slice(0, mutation.start).split('\n').length,
    before: toSingleLine(source.slice(from, to === -1 ? undefined : to), mutation.start - from),
    after: toSingleLine(changed.slice(from, end), mutation.start - from),
  };
}

/** Returns an excerpt that shows the change, which is `at` this offset. */
function toSingleLine(text: string, at: number): string {
  const from = Math.max(0, at - MAX_SHOWN / 3);
  return text
    .slice(from, from + MAX_SHOWN)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
