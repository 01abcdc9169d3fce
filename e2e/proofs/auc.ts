/** An area under the ROC curve with its confidence interval. */
export interface Auc {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Consecutive durations of requests: of one kind and of another. */
export interface Block {
  readonly one: readonly number[];
  readonly other: readonly number[];
}

/** The 99 % interval excludes this many of a thousand resamplings, half of them on each side. */
const OUTSIDE_PER_MILLE = 10;
const RESAMPLINGS = 4_000;

/** The share of pairs in which the first kind takes longer than the other (Mann and Whitney, 1947); ties count half. */
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
 * The mean over blocks. Each block is compared only with itself, so that a temporary slowdown affects both kinds. The interval is a block
 * bootstrap's: blocks are drawn again, with replacement.
 * @param random returns numbers from 0 up to 1, exclusive
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
