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
  /** The rests of the digests that begin as asked and are known, in upper-case hexadecimal. */
  readonly suffixes: ReadonlySet<string>;
  readonly untilMs: number;
}

/** What the lookups are made from. */
export interface BreachLookupOptions {
  /** `hibp`, or the URL of a range API of the same form. */
  readonly api: string;
  readonly clock: Clock;
  readonly log: WriteLogLine;
  /** Ends the wait for an answer. By default after two seconds. */
  readonly limit?: () => AbortSignal;
}

/** How leaked passwords are looked up: those that the service sees, and those that clients do not send. */
export interface BreachLookups {
  readonly isBreached: BreachCheck;
  readonly leakedRange: LeakedPasswordLookup;
}

/**
 * Looks passwords up among those that have leaked. The API learns the first five hexadecimal digits of a SHA-1, which hundreds
 * of known passwords share, and from the size of a padded answer not even how many. An API that fails stops nobody: a warning
 * is logged, and the password passes. So does one whose range a client asks for after the allowance of its network is used up.
 *
 * Clients neither read nor fill the cache. Otherwise an answer, or how fast it comes, would tell a stranger with which digits the digests of
 * passwords begin that others have just chosen.
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

const UNCHECKED = 'Leaked passwords could not be looked up (POOLGATE_BREACHED_PASSWORDS): a password passed unchecked.';

const NONE: ReadonlySet<string> = new Set();

/** The latest ranges, for some minutes. */
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
    super(`the range API answered ${status}`);
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

/** Lines of `rest:count`; those that only pad the answer have the count 0. */
function parseSuffixes(text: string): ReadonlySet<string> {
  const rows = text.matchAll(/^([\dA-F]{35}):0*[1-9]\d*\s*$/gim);
  return new Set(Array.from(rows, ([, rest = '']) => rest.toUpperCase()));
}

/** Names and system codes only: what a library says may hold the URL, and with it the prefix. */
function toFailureCode(error: unknown): string {
  const { name = 'unknown', cause } = error as { readonly name?: string; readonly cause?: { readonly code?: string } };
  return (cause?.code ?? name).toLowerCase();
}
