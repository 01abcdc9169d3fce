/**
 * Known leaked passwords, looked up by a prefix of their hash.
 */
import { createHash } from 'node:crypto';
import type { BreachCheck, Clock, LeakedPasswordLookup } from '@poolgate/pool';
import type { WriteLogLine } from '../process/log-line.ts';
import { createFetchAllowance } from './fetch-allowance.ts';

/** The range API of Have I Been Pwned. @see https://haveibeenpwned.com/API/v3#SearchingPwnedPasswordsByRange */
const HIBP_URL = 'https://api.pwnedpasswords.com/range';

const PREFIX_LENGTH = 5;
const MAX_WAIT_MS = 2_000;
const MAX_CACHED_RANGES = 64;
const RANGE_CACHE_MS = 10 * 60_000;

interface Range {
  /** The suffixes of the known digests with the requested prefix, in upper-case hexadecimal. */
  readonly suffixes: ReadonlySet<string>;
  readonly untilMs: number;
}

/** The options of the lookups. */
export interface BreachLookupOptions {
  /** `hibp`, or the URL of a range API with the same format. */
  readonly api: string;
  readonly clock: Clock;
  readonly log: WriteLogLine;
  /** Ends the wait for a response. Default: after two seconds. */
  readonly limit?: () => AbortSignal;
}

/** Looks up leaked passwords: those that the service sees, and those that clients do not send. */
export interface BreachLookups {
  readonly isBreached: BreachCheck;
  readonly leakedRange: LeakedPasswordLookup;
}

/**
 * Looks up whether passwords have leaked. The API learns only the first five hexadecimal digits of a SHA-1 hash, which hundreds of known
 * passwords share. Its padded response hides the number of matches. If the API fails, the service logs a warning and accepts the password.
 * It does the same once a client's network has used up its allowance of ranges.
 *
 * Clients neither read nor fill the cache. Otherwise the response or its timing would reveal the first digits of passwords that other users
 * have just chosen.
 */
export function createBreachLookups({
  api,
  clock,
  log,
  limit = createTimeoutSignal,
}: BreachLookupOptions): BreachLookups {
  const url = (api === 'hibp' ? HIBP_URL : api).replace(/\/$/, '');
  const kept = createRangeCache(clock);
  const allowance = createFetchAllowance(clock);

  const fetched = (prefix: string): Promise<ReadonlySet<string>> => fetchRange(`${url}/${prefix}`, limit());

  async function keptOrFetched(prefix: string): Promise<ReadonlySet<string>> {
    const known = kept.get(prefix);
    if (known !== undefined) return known;
    const suffixes = await fetched(prefix);
    kept.set(prefix, suffixes);
    return suffixes;
  }

  async function orNone(range: Promise<ReadonlySet<string>>): Promise<ReadonlySet<string>> {
    try {
      return await range;
    } catch (error) {
      const failure = error instanceof RangeApiError ? `status_${error.status}` : toFailureCode(error);
      log('warn', UNCHECKED, { failure });
      return NONE;
    }
  }

  return {
    async isBreached(password) {
      const digest = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase();
      return (await orNone(keptOrFetched(digest.slice(0, PREFIX_LENGTH)))).has(digest.slice(PREFIX_LENGTH));
    },
    async leakedRange(prefix, sources) {
      const admitted = allowance.take(sources);
      if (admitted === 'refused_first') log('warn', UNCHECKED, { failure: 'too_many_lookups' });
      return admitted === 'taken' ? [...(await orNone(fetched(prefix)))] : [];
    },
  };
}

const UNCHECKED = 'The breach check failed (POOLGATE_BREACHED_PASSWORDS), so a new password was accepted without it.';

const NONE: ReadonlySet<string> = new Set();

/** Keeps the latest ranges for some minutes. */
function createRangeCache(clock: Clock) {
  const kept = new Map<string, Range>();
  return {
    get(prefix: string): ReadonlySet<string> | undefined {
      const known = kept.get(prefix);
      return known !== undefined && known.untilMs > clock.now() ? known.suffixes : undefined;
    },
    set(prefix: string, suffixes: ReadonlySet<string>): void {
      kept.delete(prefix);
      kept.set(prefix, { suffixes, untilMs: clock.now() + RANGE_CACHE_MS });
      const [oldest] = kept.keys();
      if (kept.size > MAX_CACHED_RANGES && oldest !== undefined) kept.delete(oldest);
    },
  };
}

const createTimeoutSignal = (): AbortSignal => AbortSignal.timeout(MAX_WAIT_MS);

class RangeApiError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the range API returned ${status}`);
    this.name = 'RangeApiError';
    this.status = status;
  }
}

async function fetchRange(url: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const headers = { 'add-padding': 'true', 'user-agent': 'Poolgate' };
  const response = await fetch(url, { headers, redirect: 'error', signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new RangeApiError(response.status);
  }
  return parseSuffixes(await response.text());
}

/** Lines of `suffix:count`. Padding lines have the count 0. */
function parseSuffixes(text: string): ReadonlySet<string> {
  const rows = text.matchAll(/^([\dA-F]{35}):0*[1-9]\d*\s*$/gim);
  return new Set(Array.from(rows, ([, rest = '']) => rest.toUpperCase()));
}

/** Only names and system codes: a library's message can contain the URL, and so the prefix. */
function toFailureCode(error: unknown): string {
  const { name = 'unknown', cause } = error as { readonly name?: string; readonly cause?: { readonly code?: string } };
  return (cause?.code ?? name).toLowerCase();
}
