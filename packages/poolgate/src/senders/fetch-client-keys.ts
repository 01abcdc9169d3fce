import type { FetchClientKeys } from '@poolgate/pool';
import { isPublicAddress } from './public-address.ts';
import { type AllowedTargets, type DnsLookup, getAndRead } from './signed-post.ts';

/** Several times the size of a set of ten keys. */
const MAX_BYTES = 65_536;
const NEVER = new AbortController().signal;

/** The options of requests for keys. */
export interface ClientKeyOptions {
  /** True: private addresses and plain HTTP are allowed too. */
  readonly allowPrivate: boolean;
  /** Default: the system's lookup. */
  readonly lookup?: DnsLookup;
}

/**
 * Fetches the keys of app clients. Administrators of clients are trusted less than the operator, so the restrictions of webhooks apply.
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
