import type { Page } from '@poolgate/pool/store';

/** @throws RangeError where a limit is no whole number from 1. */
export function assertLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('limit must be a whole number from 1');
}

/** The order of texts in a database. */
export function compareByBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/**
 * How many rows a query asks for of which a page is made: one more than stand in it.
 * @throws RangeError as {@link assertLimit}
 */
export function toRowLimit(limit: number): number {
  assertLimit(limit);
  return limit + 1;
}

/** A page of the rows of a query that asked for one more than `limit`: that one tells whether there is another page. */
export function toPage<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string): Page<Row> {
  const page = rows.slice(0, limit);
  return { rows: page, nextCursor: rows.length > limit ? page.slice(-1).map(cursorOf)[0] : undefined };
}
