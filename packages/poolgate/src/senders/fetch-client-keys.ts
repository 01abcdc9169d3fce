import type { FetchClientKeys } from '@poolgate/pool';
import { isPublicAddress } from './public-address.ts';
import { type AllowedTargets, type DnsLookup, getAndRead } from './signed-post.ts';

/** Several times what a set of ten keys needs. */
const MAX_BYTES = 65_536;
const NEVER = new AbortController().signal;

/** How far requests for keys may go. */
export interface ClientKeyOptions {
  /** True: to private addresses too, and without TLS. */
  readonly allowPrivate: boolean;
  /** By default the system's. */
  readonly lookup?: DnsLookup;
}

/**
 * Fetches the keys of app clients. Administrators of clients are not trusted as the operator is, so that requests go where webhooks may go.
 * Never rejects.
 */
export function createClientKeyFetch({ allowPrivate, lookup }: ClientKeyOptions): FetchClientKeys {
  const targets: AllowedTargets = { allows: allowPrivate ? () => true : isPublicAddress, ...(lookup && { lookup }) };
  return async (text) => {
    const url = new URL(text);
    if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return undefined;
    const outcome = await getAndRead(url, NEVER, targets, MAX_BYTES);
    if (outcome.kind !== 'answered' || outcome.status !== 200 || outcome.body.byteLength > MAX_BYTES) return undefined;
    return Buffer.from(outcome.body).toString('utf8');
  };
}
