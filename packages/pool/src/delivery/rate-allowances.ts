import type { Transaction } from '../kernel/ports.ts';
import type { BucketSize } from '../store/records.ts';

/** Whose allowance it is, and when it is asked for. */
export interface AllowanceRequest {
  readonly poolId: string;
  readonly subject: string;
  readonly nowMs: number;
}

/** How often something may be done. Every method runs inside the write that it decides on. */
export interface Allowance {
  /** 0 where it may be done now, else for how long it may not. Takes nothing. */
  waitMs(transaction: Transaction<'allowances'>, request: AllowanceRequest): Promise<number>;
  /** Takes one. 0 where there was one left, else for how long there is none. */
  consume(transaction: Transaction<'allowances'>, request: AllowanceRequest): Promise<number>;
}

/**
 * So many in any window of this length: each is a bucket of its own that holds one, and lasts for one window.
 * Exact, at the price of a row each, so for small numbers only.
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
 * So many at once, then one more each time that so long has passed: whoever finds none left waits for the next one, and no longer.
 * One row, taken from by one statement.
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
      // What was refused stays refused, also where another clock says that there is one again.
      return Math.max(1, await waitMs(transaction, request));
    },
  };
}

/**
 * The subject of an allowance in the window of this length that a moment lies in. Windows are counted from the epoch.
 * @param subject the subject of the allowance itself
 */
export function createWindowSubject(
  { subject, nowMs }: Pick<AllowanceRequest, 'subject' | 'nowMs'>,
  windowMs: number,
): string {
  return `${subject}/${Math.floor(nowMs / windowMs)}`;
}

/** So many in each window of this length, counted from the epoch: one row, so for large numbers. */
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
