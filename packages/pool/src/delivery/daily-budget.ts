import type { Actor } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, Transaction } from '../kernel/ports.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { PoolRecord } from '../store/records.ts';
import type { MessageLimitsPort } from './delivery-ports.ts';
import { DEFAULT_MESSAGE_LIMITS } from './message-limits.ts';
import { createWindowSubject } from './rate-allowances.ts';

/**
 * The parts of a service's daily messages, as fractions of the total. Unauthenticated and authenticated senders share nothing. Half of each
 * part is out of reach for possible strangers: addresses that sign up, and users who signed up.
 */
export const DAILY_BUDGET_PARTS = {
  /** Available to anyone. */
  unproven: 1 / 2,
  /** The share for addresses that sign up. The rest is reserved for existing users. */
  sign_up: 1 / 4,
  /** Available to signed-in users and administrators. */
  proven: 1 / 2,
  /** The share for signed-in users. The rest is reserved for administrators. */
  signed_in: 1 / 4,
} as const;

/** A part of a service's daily messages. */
export type DailyBudgetPart = keyof typeof DAILY_BUDGET_PARTS;

/** All parts, in table order. */
export const ALL_DAILY_BUDGET_PARTS = Object.keys(DAILY_BUDGET_PARTS) as readonly DailyBudgetPart[];

const DAY_MS = 86_400_000;

/** No pool has this id. */
export const ALL_POOLS_ID = '*';

const SYSTEM: Actor = { kind: 'system', id: null };

/** The percentages at which the use of a part is reported, once a day each. */
const REPORTED_PERCENTAGES = [80, 100] as const;

/** Today's use of a part. */
export interface DailyUse {
  readonly part: DailyBudgetPart;
  readonly used: number;
  readonly limit: number;
}

/** Reads how much of each of these parts was used on a given day. */
export async function readDailyUse(
  ports: MessageLimitsPort,
  { allowances }: Pick<PoolReads, 'allowances'>,
  parts: readonly DailyBudgetPart[],
  nowMs: number,
): Promise<readonly DailyUse[]> {
  const uses: DailyUse[] = [];
  for (const part of parts) {
    const taken = await allowances.bySubject(ALL_POOLS_ID, createDaySubject(part, nowMs));
    uses.push({ part, used: taken?.taken ?? 0, limit: computeDailyLimit(ports, part) });
  }
  return uses;
}

function computeDailyLimit(
  { messageLimits = DEFAULT_MESSAGE_LIMITS }: MessageLimitsPort,
  part: DailyBudgetPart,
): number {
  return Math.floor(messageLimits.perDay * DAILY_BUDGET_PARTS[part]);
}

/** Returns the number of messages left in the most used part; infinite if no part applies. */
export function countMessagesLeft(uses: readonly DailyUse[]): number {
  return uses.reduce((least, { used, limit }) => Math.min(least, limit - used), Number.POSITIVE_INFINITY);
}

/** A message that is about to be sent. */
interface CountedMessage {
  readonly pool: PoolRecord;
  /** False if no message is sent. It then waits for the same row but takes nothing, so timing reveals nothing. */
  readonly isSent: boolean;
  readonly nowMs: number;
}

/**
 * Takes a message from a part of the day, and reports a part that is nearly used up.
 * @returns 0 if one was left, otherwise the time in milliseconds until there is one
 */
export async function consumeDailyBudget(
  ports: EventPorts & MessageLimitsPort,
  transaction: Transaction<'allowances' | 'events'>,
  part: DailyBudgetPart,
  { pool, isSent, nowMs }: CountedMessage,
): Promise<number> {
  const limit = computeDailyLimit(ports, part);
  const amount = isSent ? 1 : 0;
  const taken = await transaction.allowances.take(ALL_POOLS_ID, createDaySubject(part, nowMs), nowMs + DAY_MS, amount);
  const used = isSent ? taken : taken + 1;
  if (used > limit) return computeMsUntilMidnight(nowMs);
  const percent = REPORTED_PERCENTAGES.findLast((each) => used === Math.ceil((limit * each) / 100));
  if (isSent && percent !== undefined) await recordDailyUse(ports, transaction, pool, { part, used, limit, percent });
  return 0;
}

/** The time until midnight UTC, when the day ends. */
export function computeMsUntilMidnight(nowMs: number): number {
  return DAY_MS - (nowMs % DAY_MS);
}

function createDaySubject(part: DailyBudgetPart, nowMs: number): string {
  return createWindowSubject({ subject: `send:day of ${part}:service`, nowMs }, DAY_MS);
}

/** The event names no requester, because the request that crosses the threshold is an ordinary one. */
async function recordDailyUse(
  ports: EventPorts,
  transaction: Transaction<'events'>,
  pool: PoolRecord,
  { part, used, limit, percent }: DailyUse & { readonly percent: number },
): Promise<void> {
  const details = { part, percent: String(percent), used: String(used), limit: String(limit) };
  const bySystem = { ...ports, call: { requestId: 'system', sourceAddress: '', actor: SYSTEM } };
  await recordEvent(bySystem, transaction, { type: 'messages.daily_limit_near', pool, details });
}
