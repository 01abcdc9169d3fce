import type { Page } from '@poolgate/pool/store';

/** @throws RangeError unless the limit is a whole number from 1 */
export function assertLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('limit must be a whole number from 1');
}

/** The order of texts in a database. */
export function compareByBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/**
 * The number of rows to query for a page: one more than it shows.
 * @throws RangeError as {@link assertLimit}
 */
export function toRowLimit(limit: number): number {
  assertLimit(limit);
  return limit + 1;
}

/** Creates a page from the rows of a query for one more than `limit`. The additional row shows that there is another page. */
export function toPage<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string): Page<Row> {
  const page = rows.slice(0, limit);
  return { rows: page, nextCursor: rows.length > limit ? page.slice(-1).map(cursorOf)[0] : undefined };
}
