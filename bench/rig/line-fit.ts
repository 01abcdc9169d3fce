/** A straight line through points, with the uncertainty of its slope. */
export interface LineFit {
  readonly slope: number;
  /** The half-width of the slope's 95 % confidence interval (normal approximation; for thirty points or more). */
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
