import { poolMac } from '../pools/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { FactorCensus, FirstFactor } from '../settings.ts';
import type { PoolRecord } from '../store/records.ts';

const DAY_MS = 86_400_000;

/** How often users are looked at, to learn what they have. */
export const CENSUS_EVERY_MS = 4 * DAY_MS;

/** After so long each decoy user has what it would have by a newer census; all do so at times of their own. */
const DECOY_RENEWAL_MS = 28 * DAY_MS;

/** As many as somebody who was just not renewed may rest on. */
const STORED_CENSUSES = DECOY_RENEWAL_MS / CENSUS_EVERY_MS + 2;

/** Of fewer users the shares would tell about single ones. */
const MIN_USERS = 20;

/** What is made of a census: so many parts of what users have, beside the few of {@link ASSUMED_SHARES}. */
const PARTS = 256;

/**
 * What users of a pool may have of first factors, before anybody knows. It is a small part of what is invented afterwards too: what no
 * decoy user ever has would prove that a name is a user's.
 */
const ASSUMED_SHARES: Readonly<Record<string, number>> = {
  PASSWORD: 2,
  'PASSWORD EMAIL_OTP': 8,
  'PASSWORD EMAIL_OTP SMS_OTP': 2,
  'PASSWORD EMAIL_OTP SMS_OTP WEB_AUTHN': 1,
  'PASSWORD EMAIL_OTP WEB_AUTHN': 3,
  'PASSWORD SMS_OTP': 1,
  'PASSWORD WEB_AUTHN': 1,
};

/** As {@link FactorCensus.shares} names it. */
export function factorSetName(factors: readonly FirstFactor[]): string {
  return factors.join(' ');
}

/** The census of these users, by what each of them has; undefined where they are too few. */
export function censusOf(factorSets: readonly string[], takenAtMs: number): FactorCensus | undefined {
  if (factorSets.length < MIN_USERS) return undefined;
  const shares: Record<string, number> = {};
  for (const [name, users] of Object.entries(Object.groupBy(factorSets, (held) => held))) {
    shares[name] = Math.round(((users?.length ?? 0) / factorSets.length) * PARTS);
  }
  return { takenAtMs, shares };
}

/** The censuses of a pool with another one; those that nobody rests on any more are gone. */
export function withCensus(known: readonly FactorCensus[], census: FactorCensus): readonly FactorCensus[] {
  return [...known, census].slice(-STORED_CENSUSES);
}

/**
 * The first factors that a decoy user has: the shares are those of the pool's users, and one user has the same each time, until a time
 * of its own in each four weeks, when it may get others by a newer census. So the decoys change as slowly as users do, and never at
 * once: who brings users into a pool cannot see whom that changes.
 */
export function decoyFactors(context: PoolRuntime, pool: PoolRecord, userId: string): ReadonlySet<string> {
  const mac = Buffer.from(poolMac(context, pool, 'mask-factors', userId));
  const renewedAtMs = lastRenewal(context.clock.now(), mac.readUIntBE(0, 6) % DECOY_RENEWAL_MS);
  const shares = sharesAt(pool.settings.factorCensuses ?? [], renewedAtMs);
  const total = shares.reduce((sum, [, share]) => sum + share, 0);
  let left = (mac.readUInt32BE(6) / 2 ** 32) * total;
  const chosen = shares.find(([, share]) => {
    left -= share;
    return left < 0;
  });
  return new Set(chosen?.[0].split(' '));
}

function lastRenewal(nowMs: number, offsetMs: number): number {
  return nowMs - ((nowMs - offsetMs) % DECOY_RENEWAL_MS);
}

/** In one order, so that another census changes as little as may be. */
function sharesAt(censuses: readonly FactorCensus[], atMs: number): readonly (readonly [string, number])[] {
  const census = censuses.findLast(({ takenAtMs }) => takenAtMs <= atMs) ?? censuses[0];
  const shares = { ...ASSUMED_SHARES };
  for (const [name, share] of Object.entries(census?.shares ?? {})) shares[name] = (shares[name] ?? 0) + share;
  return Object.keys(shares)
    .toSorted()
    .map((name) => [name, shares[name] ?? 0] as const);
}
