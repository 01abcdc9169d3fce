import type { Page } from '@poolgate/pool/store';

/** @throws RangeError where a limit is no whole number from 1. */
export function assertLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('limit must be a whole number from 1');
}

/** A page of the rows of a query that asked for one more than `limit`: that one tells whether there is another page. */
export function toPage<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string): Page<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : undefined };
}
