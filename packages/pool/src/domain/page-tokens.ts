import { timingSafeEqual } from 'node:crypto';
import { ProviderError } from '@poolgate/provider';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolRecord } from '../store/records.ts';
import { poolMac } from './pools.ts';

/** What limits the rows of a page, as most operations have it. */
const LIMIT = { name: 'limit', most: 60 } as const;
const MAC_BYTES = 16;

/**
 * How many rows a page has where a caller asks for so many; none and 0 ask for as many as there can be.
 * @param member the request's member, by its name in a constraint message, and its greatest value
 * @throws {ProviderError} `InvalidParameterException`
 */
export function rowsOf(limit: number | undefined, { name, most }: { name: string; most: number } = LIMIT): number {
  if (limit === undefined || limit === 0) return most;
  if (Number.isInteger(limit) && limit > 0 && limit <= most) return limit;
  throw new ProviderError(
    'InvalidParameterException',
    `1 validation error detected: Value '${limit}' at '${name}' failed to satisfy constraint: Member must have value less than or equal to ${most}`,
  );
}

/**
 * The `PaginationToken` for the page that begins at a cursor. It is good for this query alone.
 * @param query names the list and whose it is
 */
export function pageToken(context: PoolRuntime, pool: PoolRecord, query: string, cursor: string): string {
  const text = Buffer.from(cursor);
  return Buffer.concat([macOf(context, pool, query, cursor), text]).toString('base64url');
}

/**
 * The cursor of a `PaginationToken`.
 * @throws {ProviderError} `InvalidParameterException`: not a token of this pool for this query
 */
export function cursorOf(context: PoolRuntime, pool: PoolRecord, query: string, token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  const cursor = bytes.toString('utf8', MAC_BYTES);
  const mac = macOf(context, pool, query, cursor);
  const given = bytes.subarray(0, MAC_BYTES);
  if (given.length === mac.length && timingSafeEqual(given, mac)) return cursor;
  throw new ProviderError('InvalidParameterException', 'Invalid pagination token provided.');
}

function macOf(context: PoolRuntime, pool: PoolRecord, query: string, cursor: string): Uint8Array {
  return poolMac(context, pool, 'page-token', `${query}\n${cursor}`).subarray(0, MAC_BYTES);
}
