import type { PoolTransaction } from '../store/pool-store.ts';
import type { BucketSize } from '../store/records.ts';

/** Whose allowance it is, and when it is asked for. */
export interface Claim {
  readonly poolId: string;
  readonly subject: string;
  readonly nowMs: number;
}

/** How often something may be done. Every method runs inside the write that it decides on. */
export interface Allowance {
  /** 0 where it may be done now, else for how long it may not. Takes nothing. */
  waitMs(transaction: PoolTransaction, claim: Claim): Promise<number>;
  /** Takes one. 0 where there was one left, else for how long there is none. */
  take(transaction: PoolTransaction, claim: Claim): Promise<number>;
}

/**
 * So many in any window of this length: each is a lock of its own that lasts for one window.
 * Exact, at the price of a row each, so for small numbers only.
 */
export function slidingAllowance(most: number, windowMs: number): Allowance {
  const slotsOf = ({ subject }: Claim) => Array.from({ length: most }, (_, slot) => `${subject}/${slot}`);
  const lockMs = async (transaction: PoolTransaction, { poolId, nowMs }: Claim, slot: string): Promise<number> =>
    Math.max(0, ((await transaction.lockout(poolId, slot))?.lockedUntilMs ?? 0) - nowMs);

  async function waitMs(transaction: PoolTransaction, claim: Claim): Promise<number> {
    let leastMs = Number.POSITIVE_INFINITY;
    for (const slot of slotsOf(claim)) {
      leastMs = Math.min(leastMs, await lockMs(transaction, claim, slot));
      if (leastMs === 0) return 0;
    }
    return leastMs;
  }

  async function take(transaction: PoolTransaction, claim: Claim): Promise<number> {
    const { poolId, nowMs } = claim;
    for (const slot of slotsOf(claim)) {
      if ((await lockMs(transaction, claim, slot)) > 0) continue;
      if ((await transaction.countFailure(poolId, slot, nowMs, nowMs - windowMs)) === undefined) continue;
      await transaction.lockSubject(poolId, slot, nowMs + windowMs);
      return 0;
    }
    return waitMs(transaction, claim);
  }
  return { waitMs, take };
}

/**
 * So many at once, then one more each time that so long has passed: whoever finds none left waits for the next one, and no longer.
 * One row, taken from by one statement.
 */
export function bucketAllowance(size: BucketSize): Allowance {
  const burstMs = (size.most - 1) * size.everyMs;
  async function waitMs(transaction: PoolTransaction, { poolId, subject, nowMs }: Claim): Promise<number> {
    const fullAgainMs = (await transaction.lockout(poolId, subject))?.lockedUntilMs ?? 0;
    return Math.max(0, fullAgainMs - burstMs - nowMs);
  }
  return {
    waitMs,
    async take(transaction, claim) {
      const { poolId, subject, nowMs } = claim;
      if (await transaction.takeFromBucket(poolId, subject, nowMs, size)) return 0;
      // What was refused stays refused, also where another clock says that there is one again.
      return Math.max(1, await waitMs(transaction, claim));
    },
  };
}

/** So many in each window of this length, counted from the epoch: one row, so for large numbers. */
export function windowAllowance(most: number, windowMs: number): Allowance {
  const windowOf = ({ subject, nowMs }: Claim) => `${subject}/${Math.floor(nowMs / windowMs)}`;
  const leftMs = ({ nowMs }: Claim) => windowMs - (nowMs % windowMs);
  return {
    async waitMs(transaction, claim) {
      const lockout = await transaction.lockout(claim.poolId, windowOf(claim));
      return (lockout?.failures ?? 0) < most ? 0 : leftMs(claim);
    },
    async take(transaction, claim) {
      const { poolId, nowMs } = claim;
      const taken = await transaction.countFailure(poolId, windowOf(claim), nowMs, nowMs - windowMs);
      return taken === undefined || taken > most ? leftMs(claim) : 0;
    },
  };
}
