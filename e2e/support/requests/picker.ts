/** Chooses at random; the same seed makes the same choices. */
export interface Picker {
  /** Returns an integer from 0 up to the limit, exclusive. */
  below(limit: number): number;
  of<T>(list: readonly T[]): T;
}

/** A linear congruential generator (Numerical Recipes): repeatable, and good enough to choose faults. */
export function createPicker(seed: number): Picker {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, of: (list) => list[below(list.length)] as (typeof list)[number] };
}
