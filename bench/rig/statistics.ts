/** Returns the value below which `share` (0 to 1) of the values are; for few values, the maximum. */
export function findQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (found === undefined) throw new RangeError('values must not be empty');
  return found;
}

/** Returns the median; for an even number of values, the mean of the two in the middle. */
export function findMedian(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const half = sorted.length / 2;
  return (findQuantile(sorted, (half - 0.5) / sorted.length) + findQuantile(sorted, half / sorted.length)) / 2;
}
