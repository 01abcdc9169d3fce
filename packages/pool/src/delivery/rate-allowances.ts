import type { Transaction } from '../kernel/ports.ts';
import type { BucketSize } from '../store/records.ts';

/** The owner of an allowance, and the current time. */
export interface AllowanceRequest {
  readonly poolId: string;
  readonly subject: string;
  readonly nowMs: number;
}

/** A rate limit. Every method runs in the write that depends on it. */
export interface Allowance {
  /** Returns 0 if the action is allowed now, otherwise the time until it is. It takes nothing. */
  waitMs(transaction: Transaction<'allowances'>, request: AllowanceRequest): Promise<number>;
  /** Takes one. Returns 0 if one was left, otherwise the time until there is one. */
  consume(transaction: Transaction<'allowances'>, request: AllowanceRequest): Promise<number>;
}

/**
 * Allows a number of actions in any window of this length. Each is a bucket for one that lasts a window. This is exact but needs a row for
 * each, so it suits small numbers only.
 */
export function createSlidingAllowance(most: number, windowMs: number): Allowance {
  const listSlots = ({ subject }: AllowanceRequest) => Array.from({ length: most }, (_, slot) => `${subject}/${slot}`);
  const slotMs = async (
    transaction: Transaction<'allowances'>,
    { poolId, nowMs }: AllowanceRequest,
    slot: string,
  ): Promise<number> => Math.max(0, ((await transaction.allowances.bySubject(poolId, slot))?.expiresAtMs ?? 0) - nowMs);

  async function waitMs(transaction: Transaction<'allowances'>, request: AllowanceRequest): Promise<number> {
    let leastMs = Number.POSITIVE_INFINITY;
    for (const slot of listSlots(request)) {
      leastMs = Math.min(leastMs, await slotMs(transaction, request, slot));
      if (leastMs === 0) return 0;
    }
    return leastMs;
  }

  async function consume(transaction: Transaction<'allowances'>, request: AllowanceRequest): Promise<number> {
    const { poolId, nowMs } = request;
    for (const slot of listSlots(request)) {
      if (await transaction.allowances.takeFromBucket(poolId, slot, nowMs, { most: 1, everyMs: windowMs })) return 0;
    }
    return waitMs(transaction, request);
  }
  return { waitMs, consume };
}

/**
 * Allows a number of actions at once, then one more after each interval. If none is left, the wait is the time until the next one. One row,
 * changed by one statement.
 */
export function createBucketAllowance(size: BucketSize): Allowance {
  const burstMs = (size.most - 1) * size.everyMs;
  async function waitMs(
    transaction: Transaction<'allowances'>,
    { poolId, subject, nowMs }: AllowanceRequest,
  ): Promise<number> {
    const fullAgainMs = (await transaction.allowances.bySubject(poolId, subject))?.expiresAtMs ?? 0;
    return Math.max(0, fullAgainMs - burstMs - nowMs);
  }
  return {
    waitMs,
    async consume(transaction, request) {
      const { poolId, subject, nowMs } = request;
      if (await transaction.allowances.takeFromBucket(poolId, subject, nowMs, size)) return 0;
      // A refusal stays a refusal, even if another clock says that one is available.
      return Math.max(1, await waitMs(transaction, request));
    },
  };
}

/**
 * Returns the subject of an allowance in the window that contains a time. Windows are counted from the epoch.
 * @param subject the subject of the allowance itself
 */
export function createWindowSubject(
  { subject, nowMs }: Pick<AllowanceRequest, 'subject' | 'nowMs'>,
  windowMs: number,
): string {
  return `${subject}/${Math.floor(nowMs / windowMs)}`;
}

/** Allows a number of actions in each window of this length, counted from the epoch. It needs one row, so it suits large numbers. */
export function createWindowAllowance(most: number, windowMs: number): Allowance {
  const toWindowSubject = (request: AllowanceRequest) => createWindowSubject(request, windowMs);
  const leftMs = ({ nowMs }: AllowanceRequest) => windowMs - (nowMs % windowMs);
  return {
    async waitMs(transaction, request) {
      const allowance = await transaction.allowances.bySubject(request.poolId, toWindowSubject(request));
      return (allowance?.taken ?? 0) < most ? 0 : leftMs(request);
    },
    async consume(transaction, request) {
      const { poolId, nowMs } = request;
      const taken = await transaction.allowances.take(poolId, toWindowSubject(request), nowMs + windowMs);
      return taken > most ? leftMs(request) : 0;
    },
  };
}
