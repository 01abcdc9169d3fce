import type { ClockPort, MacPorts } from '../kernel/ports.ts';
import { computePoolMac } from '../settings/pools-and-clients.ts';
import type { FactorCensus, FirstFactor, PoolSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';

const DAY_MS = 86_400_000;

/** How often users are sampled to learn which factors they have. */
export const CENSUS_INTERVAL_MS = 4 * DAY_MS;

/** After this time, each decoy user gets the factors of a newer census. All do so at different times. */
const DECOY_RENEWAL_MS = 28 * DAY_MS;

/** The maximum number of censuses on which a decoy that is about to be renewed may depend. */
const STORED_CENSUSES = DECOY_RENEWAL_MS / CENSUS_INTERVAL_MS + 2;

/** With fewer users, the shares would reveal individual ones. */
const MIN_USERS = 20;

/** A census divides users into this many parts. */
const PARTS = 256;

/** A newer census that moves fewer users than this changes no decoy. Otherwise, watching many names could reveal one user's change. */
const MIN_MOVED_USERS = 5;

/** The part of all decoys that follow {@link RARE_SHARES}. */
const RARE_PART = 1 / 128;

/** Factors that a few users of a pool may have, whatever a census found. A factor that no decoy ever has would prove that a user exists. */
const RARE_SHARES: Readonly<Record<string, number>> = {
  PASSWORD: 2,
  'PASSWORD EMAIL_OTP': 8,
  'PASSWORD EMAIL_OTP SMS_OTP': 2,
  'PASSWORD EMAIL_OTP SMS_OTP WEB_AUTHN': 1,
  'PASSWORD EMAIL_OTP WEB_AUTHN': 3,
  'PASSWORD SMS_OTP': 1,
  'PASSWORD WEB_AUTHN': 1,
};

/** In the format of {@link FactorCensus.shares}. */
export function formatFactorSet(factors: readonly FirstFactor[]): string {
  return factors.join(' ');
}

/**
 * Computes the census of these users from each user's factors; undefined for too few users.
 * @param last the previous census, whose shares stay if few users have moved since
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

/** The number of parts that changed. */
function countMovedParts(before: FactorCensus['shares'], now: FactorCensus['shares']): number {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].reduce((sum, name) => sum + Math.abs((now[name] ?? 0) - (before[name] ?? 0)), 0) / 2;
}

/** Adds a census to a pool's censuses, and removes those that no decoy depends on. */
export function addFactorCensus(known: readonly FactorCensus[], census: FactorCensus): readonly FactorCensus[] {
  return [...known, census].slice(-STORED_CENSUSES);
}

/**
 * Derives the first factors of a decoy user. Their shares are those of the pool's users. A decoy's factors may change once in four weeks,
 * at a time that differs for each decoy, when there is a newer census. Decoys therefore change as slowly as users do, and adding users to a
 * pool does not show which names are decoys.
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

/** The shares add up to one. The order is fixed, so that another census changes as little as possible. */
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

/** The factors of a user who signed up and changed nothing. Without a census, most decoys have these. */
function formatFactorsAtSignUp({
  usernameAttributes,
  autoVerifiedAttributes,
  requiredAttributes,
}: PoolSettings): string {
  const given: readonly string[] = [...usernameAttributes, ...autoVerifiedAttributes, ...requiredAttributes];
  const hasEmail = given.includes('email');
  // If users can choose between address and number, most choose the address.
  const hasPhone = requiredAttributes.includes('phone_number') || (!hasEmail && given.includes('phone_number'));
  return ['PASSWORD', ...(hasEmail ? ['EMAIL_OTP'] : []), ...(hasPhone ? ['SMS_OTP'] : [])].join(' ');
}
