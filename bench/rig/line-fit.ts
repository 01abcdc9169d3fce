/** A straight line through points, and how well its slope is known. */
export interface LineFit {
  readonly slope: number;
  /** The slope lies within so much of that, with 95 % (normal approximation; for thirty points and more). */
  readonly halfWidth: number;
}

const NORMAL_95 = 1.96;

/** The least-squares line through points. @throws {RangeError} for fewer than three */
export function fitLine(points: readonly (readonly [number, number])[]): LineFit {
  if (points.length < 3) throw new RangeError('a line with an interval needs three points');
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, halfWidth: NORMAL_95 * Math.sqrt(rest / (count - 2) / spread) };
}
