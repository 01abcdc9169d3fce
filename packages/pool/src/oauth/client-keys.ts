import type { JSONWebKeySet } from 'jose';
import type { Clock } from '../kernel/clock.ts';
import { CACHE_CAPACITY, ExpiringCache } from '../kernel/expiring-cache.ts';
import type { ClockPort } from '../kernel/ports.ts';
import { isPublicKeySet } from '../settings/public-key-sets.ts';

/** Fetches the document at an app client's `jwksUri`; undefined if it is missing or invalid, or the address is not allowed. */
export type FetchClientKeys = (url: string) => Promise<string | undefined>;

const MAX_AGE_MS = 300_000;
/** Anyone can send an assertion in a client's name, so this limits the fetches for each client. */
const MIN_INTERVAL_MS = 60_000;

/** The keys of one address, or that there are none, with their time. */
interface FetchedKeys {
  readonly atMs: number;
  readonly keys: Promise<JSONWebKeySet | undefined>;
}

/** Fetched keys of app clients, by address. */
export type ClientKeyCache = ExpiringCache<FetchedKeys>;

/** Creates an empty cache of fetched keys. */
export function createClientKeyCache(clock: Clock): ClientKeyCache {
  return new ExpiringCache(clock, MAX_AGE_MS, CACHE_CAPACITY);
}

/** The dependencies of finding an app client's keys. */
export interface ClientKeyPorts extends ClockPort {
  readonly clientKeyCache: ClientKeyCache;
  /** Absent: no client can publish its keys at an address. */
  readonly fetchClientKeys?: FetchClientKeys;
}

/** @param hasRotated whether a key was missing, so that the keys may be new: they are fetched again, unless that was just done */
export function fetchKeys(ports: ClientKeyPorts, url: string, hasRotated: boolean): Promise<JSONWebKeySet | undefined> {
  const { clock, clientKeyCache: cache } = ports;
  const known = cache.get(url);
  if (known !== undefined && (!hasRotated || clock.now() - known.atMs < MIN_INTERVAL_MS)) return known.keys;
  const keys = readKeys(ports, url);
  cache.set(url, { atMs: clock.now(), keys });
  return keys;
}

async function readKeys({ fetchClientKeys }: ClientKeyPorts, url: string): Promise<JSONWebKeySet | undefined> {
  const text = await fetchClientKeys?.(url);
  if (text === undefined) return undefined;
  try {
    const document: unknown = JSON.parse(text);
    return isPublicKeySet(document) ? document : undefined;
  } catch {
    return undefined;
  }
}
