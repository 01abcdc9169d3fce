/** An area under the ROC curve with the interval in which it lies. */
export interface Auc {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Times of requests that came one after the other: of one kind and of another. */
export interface Block {
  readonly one: readonly number[];
  readonly other: readonly number[];
}

/** The interval of 99 % leaves out so many of a thousand resamplings, half of them on each side. */
const OUTSIDE_PER_MILLE = 10;
const RESAMPLINGS = 4_000;

/** How often a time of the one kind is above one of the other (Mann and Whitney, 1947); ties count half. */
export function computeAuc({ one, other }: Block): number {
  const marked = [...one.map((ms) => ({ ms, isOne: true })), ...other.map((ms) => ({ ms, isOne: false }))];
  marked.sort((left, right) => left.ms - right.ms);
  let ranks = 0;
  for (let from = 0; from < marked.length; ) {
    let to = from;
    while (to < marked.length && marked[to]?.ms === marked[from]?.ms) to += 1;
    const rank = (from + to + 1) / 2;
    ranks += rank * marked.slice(from, to).filter(({ isOne }) => isOne).length;
    from = to;
  }
  return (ranks - (one.length * (one.length + 1)) / 2) / (one.length * other.length);
}

/**
 * The mean over blocks, each of which is compared with itself alone, so that what slows the machine for a while slows both kinds.
 * The interval is a block bootstrap's: blocks are drawn again, with replacement.
 * @param random gives numbers from 0 to below 1
 */
export function aucOver(blocks: readonly Block[], random: () => number): Auc {
  const values = blocks.map(computeAuc);
  const means = Array.from({ length: RESAMPLINGS }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).toSorted((left, right) => left - right);
  const cut = Math.floor((RESAMPLINGS * OUTSIDE_PER_MILLE) / 2000);
  return { value: mean(values), low: means[cut] ?? 0, high: means.at(-1 - cut) ?? 0 };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
