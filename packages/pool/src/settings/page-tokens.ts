import { timingSafeEqual } from 'node:crypto';
import { ProviderError } from '@poolgate/provider';
import type { ClockPort, MacPorts } from '../kernel/ports.ts';
import type { Page } from '../store/page.ts';
import type { PoolRecord } from '../store/records.ts';
import { computePoolMac } from './pools-and-clients.ts';

/** The limit on a page's rows in most operations. */
const LIMIT = { name: 'limit', most: 60 } as const;
const MAC_BYTES = 16;
const EXPIRY_BYTES = 4;

/** About the lifetime of Cognito's tokens. */
const LIFETIME_SECONDS = 3_600;

/**
 * Returns the number of rows of a page; a missing value and 0 mean the maximum.
 * @param member the request's member, by its name in a constraint message, and its maximum
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
 * Creates the `PaginationToken` (`NextToken`) of the page that starts at a cursor. It is valid for this query only, for an hour.
 * @param query identifies the list, its owner and the request's filters
 */
export function createPageToken(ports: MacPorts & ClockPort, pool: PoolRecord, query: string, cursor: string): string {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeUInt32BE(nowSeconds(ports) + LIFETIME_SECONDS);
  const content = Buffer.concat([expiry, Buffer.from(cursor)]);
  return Buffer.concat([computePageTokenMac(ports, pool, query, content), content]).toString('base64url');
}

/**
 * Returns the cursor of a `PaginationToken`.
 * @throws {ProviderError} `InvalidParameterException`: not a token of this pool for this query, or expired
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

/** The page parameters of a request, whatever its token is called. */
export interface PageRequest {
  readonly limit: number | undefined;
  readonly token: string | undefined;
}

/**
 * Reads the page that a request asks for.
 * @param query as in {@link createPageToken}
 * @param bounds for lists with larger pages than others
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
