import { timingSafeEqual } from 'node:crypto';
import { ProviderError } from '@poolgate/provider';
import type { ClockPort, MacPorts } from '../kernel/ports.ts';
import type { Page } from '../store/page.ts';
import type { PoolRecord } from '../store/records.ts';
import { computePoolMac } from './pools-and-clients.ts';

/** What limits the rows of a page, as most operations have it. */
const LIMIT = { name: 'limit', most: 60 } as const;
const MAC_BYTES = 16;
const EXPIRY_BYTES = 4;

/** As long as Cognito's tokens live, about. */
const LIFETIME_SECONDS = 3_600;

/**
 * How many rows a page has where a caller asks for so many; none and 0 ask for as many as there can be.
 * @param member the request's member, by its name in a constraint message, and its greatest value
 * @throws {ProviderError} `InvalidParameterException`
 */
export function parsePageSize(
  limit: number | undefined,
  { name, most }: { name: string; most: number } = LIMIT,
): number {
  if (limit === undefined || limit === 0) return most;
  if (Number.isInteger(limit) && limit > 0 && limit <= most) return limit;
  throw new ProviderError(
    'InvalidParameterException',
    `1 validation error detected: Value '${limit}' at '${name}' failed to satisfy constraint: Member must have value less than or equal to ${most}`,
  );
}

/**
 * The `PaginationToken` (`NextToken`) for the page that begins at a cursor. It is good for this query alone, for an hour.
 * @param query names the list, whose it is, and what was asked of it
 */
export function createPageToken(ports: MacPorts & ClockPort, pool: PoolRecord, query: string, cursor: string): string {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeUInt32BE(nowSeconds(ports) + LIFETIME_SECONDS);
  const content = Buffer.concat([expiry, Buffer.from(cursor)]);
  return Buffer.concat([computePageTokenMac(ports, pool, query, content), content]).toString('base64url');
}

/**
 * The cursor of a `PaginationToken`.
 * @throws {ProviderError} `InvalidParameterException`: not a token of this pool for this query, or too old
 */
export function verifyPageToken(ports: MacPorts & ClockPort, pool: PoolRecord, query: string, token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  const content = bytes.subarray(MAC_BYTES);
  const given = bytes.subarray(0, MAC_BYTES);
  const mac = computePageTokenMac(ports, pool, query, content);
  const isOurs = given.length === mac.length && timingSafeEqual(given, mac);
  if (isOurs && nowSeconds(ports) < content.readUInt32BE()) return content.toString('utf8', EXPIRY_BYTES);
  throw new ProviderError('InvalidParameterException', 'Invalid pagination token provided.');
}

function computePageTokenMac(ports: MacPorts, pool: PoolRecord, query: string, content: Buffer): Uint8Array {
  return computePoolMac(ports, pool, 'page-token', `${query}\n${content.toString('base64url')}`).subarray(0, MAC_BYTES);
}

function nowSeconds({ clock }: ClockPort): number {
  return Math.floor(clock.now() / 1000);
}

/** The input of a request for the page that it wants, whatever its token is called. */
export interface PageRequest {
  readonly limit: number | undefined;
  readonly token: string | undefined;
}

/**
 * Reads the page that a request wants.
 * @param query as in {@link createPageToken}
 * @param bounds where a page of this list may have more rows than others
 * @throws {ProviderError} `InvalidParameterException`: the limit, or a token of another list
 */
export async function readPage<Row>(
  ports: MacPorts & ClockPort,
  pool: PoolRecord,
  query: string,
  { limit, token }: PageRequest,
  read: (limit: number, cursor: string | undefined) => Promise<Page<Row>>,
  bounds: { readonly name: string; readonly most: number } = LIMIT,
): Promise<{ readonly rows: readonly Row[]; readonly nextToken: string | undefined }> {
  const most = parsePageSize(limit, bounds);
  const cursor = token === undefined ? undefined : verifyPageToken(ports, pool, query, token);
  const { rows, nextCursor } = await read(most, cursor);
  return { rows, nextToken: nextCursor === undefined ? undefined : createPageToken(ports, pool, query, nextCursor) };
}
