import type { ClockPort, MacPorts } from '../kernel/ports.ts';
import { computePoolMac } from '../settings/pools-and-clients.ts';
import type { FactorCensus, FirstFactor, PoolSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';

const DAY_MS = 86_400_000;

/** How often users are looked at, to learn what they have. */
export const CENSUS_INTERVAL_MS = 4 * DAY_MS;

/** After so long each decoy user has what it would have by a newer census; all do so at times of their own. */
const DECOY_RENEWAL_MS = 28 * DAY_MS;

/** As many as somebody who was just not renewed may rest on. */
const STORED_CENSUSES = DECOY_RENEWAL_MS / CENSUS_INTERVAL_MS + 2;

/** Of fewer users the shares would tell about single ones. */
const MIN_USERS = 20;

/** A census divides users into so many parts. */
const PARTS = 256;

/** A newer census that moves fewer users than this changes no decoy. Otherwise a caller who watches many names could see what one user does. */
const MIN_MOVED_USERS = 5;

/** The part of all decoys that has what {@link RARE_SHARES} say. */
const RARE_PART = 1 / 128;

/** What a few users of a pool may have, whatever a census found: what no decoy user ever has would prove that a name is a user's. */
const RARE_SHARES: Readonly<Record<string, number>> = {
  PASSWORD: 2,
  'PASSWORD EMAIL_OTP': 8,
  'PASSWORD EMAIL_OTP SMS_OTP': 2,
  'PASSWORD EMAIL_OTP SMS_OTP WEB_AUTHN': 1,
  'PASSWORD EMAIL_OTP WEB_AUTHN': 3,
  'PASSWORD SMS_OTP': 1,
  'PASSWORD WEB_AUTHN': 1,
};

/** As {@link FactorCensus.shares} names it. */
export function formatFactorSet(factors: readonly FirstFactor[]): string {
  return factors.join(' ');
}

/**
 * The census of these users, by what each of them has; undefined where they are too few.
 * @param last the census before: its shares stay where few users moved since
 */
export function computeFactorCensus(
  factorSets: readonly string[],
  takenAtMs: number,
  last?: FactorCensus,
): FactorCensus | undefined {
  if (factorSets.length < MIN_USERS) return undefined;
  const shares: Record<string, number> = {};
  for (const [name, users] of Object.entries(Object.groupBy(factorSets, (held) => held))) {
    shares[name] = Math.round(((users?.length ?? 0) / factorSets.length) * PARTS);
  }
  const isMoved =
    last === undefined || countMovedParts(last.shares, shares) * factorSets.length >= MIN_MOVED_USERS * PARTS;
  return { takenAtMs, shares: isMoved ? shares : last.shares };
}

/** How many parts have something else now. */
function countMovedParts(before: FactorCensus['shares'], now: FactorCensus['shares']): number {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].reduce((sum, name) => sum + Math.abs((now[name] ?? 0) - (before[name] ?? 0)), 0) / 2;
}

/** The censuses of a pool with another one; those that nobody rests on any more are gone. */
export function addFactorCensus(known: readonly FactorCensus[], census: FactorCensus): readonly FactorCensus[] {
  return [...known, census].slice(-STORED_CENSUSES);
}

/**
 * The first factors that a decoy user has: the shares are those of the pool's users, and one user has the same each time, until a time
 * of its own in each four weeks, when it may get others by a newer census. So the decoys change as slowly as users do, and never at
 * once: who brings users into a pool cannot see whom that changes.
 */
export function deriveDecoyFactors(ports: MacPorts & ClockPort, pool: PoolRecord, userId: string): ReadonlySet<string> {
  const mac = Buffer.from(computePoolMac(ports, pool, 'mask-factors', userId));
  const renewedAtMs = findLastRenewal(ports.clock.now(), mac.readUIntBE(0, 6) % DECOY_RENEWAL_MS);
  const shares = selectSharesAt(pool.settings, renewedAtMs);
  let left = mac.readUInt32BE(6) / 2 ** 32;
  const chosen = shares.find(([, share]) => {
    left -= share;
    return left < 0;
  });
  return new Set((chosen ?? shares.at(-1))?.[0].split(' '));
}

function findLastRenewal(nowMs: number, offsetMs: number): number {
  return nowMs - ((nowMs - offsetMs) % DECOY_RENEWAL_MS);
}

/** Shares of one. In one order, so that another census changes as little as may be. */
function selectSharesAt(settings: PoolSettings, atMs: number): readonly (readonly [string, number])[] {
  const { factorCensuses: censuses = [] } = settings;
  const census = censuses.findLast(({ takenAtMs }) => takenAtMs <= atMs) ?? censuses[0];
  const common = normalizeShares(census?.shares ?? { [formatFactorsAtSignUp(settings)]: 1 });
  const rare = normalizeShares(RARE_SHARES);
  return [...new Set([...Object.keys(common), ...Object.keys(rare)])]
    .toSorted()
    .map((name) => [name, (1 - RARE_PART) * (common[name] ?? 0) + RARE_PART * (rare[name] ?? 0)] as const);
}

function normalizeShares(shares: FactorCensus['shares']): FactorCensus['shares'] {
  const total = Object.values(shares).reduce((sum, share) => sum + share, 0);
  return Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, share / total]));
}

/** The factors of a user who signed up and changed nothing. Without a census, most users are taken to have these. */
function formatFactorsAtSignUp({
  usernameAttributes,
  autoVerifiedAttributes,
  requiredAttributes,
}: PoolSettings): string {
  const given: readonly string[] = [...usernameAttributes, ...autoVerifiedAttributes, ...requiredAttributes];
  const hasEmail = given.includes('email');
  // Where users choose between address and number, most choose the address.
  const hasPhone = requiredAttributes.includes('phone_number') || (!hasEmail && given.includes('phone_number'));
  return ['PASSWORD', ...(hasEmail ? ['EMAIL_OTP'] : []), ...(hasPhone ? ['SMS_OTP'] : [])].join(' ');
}
