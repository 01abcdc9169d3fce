import type { Actor } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, Transaction } from '../kernel/ports.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { PoolRecord } from '../store/records.ts';
import type { MessageLimitsPort } from './delivery-ports.ts';
import { DEFAULT_MESSAGE_LIMITS } from './message-limits.ts';
import { createWindowSubject } from './rate-allowances.ts';

/**
 * The parts of the messages that a service sends in a day, as fractions of the whole. Senders without proof and proven ones share
 * nothing, and of both parts a half is out of reach for those who can be strangers: addresses that sign up, and users who signed up.
 */
export const DAILY_BUDGET_PARTS = {
  /** What anybody can ask for. */
  unproven: 1 / 2,
  /** Of that, what goes to addresses that sign up. The rest is a reserve for users who exist. */
  sign_up: 1 / 4,
  /** What signed-in users and administrators ask for. */
  proven: 1 / 2,
  /** Of that, what signed-in users ask for. The rest is a reserve for administrators. */
  signed_in: 1 / 4,
} as const;

/** A part of the messages that a service sends in a day. */
export type DailyBudgetPart = keyof typeof DAILY_BUDGET_PARTS;

/** All parts, in the order of their table. */
export const ALL_DAILY_BUDGET_PARTS = Object.keys(DAILY_BUDGET_PARTS) as readonly DailyBudgetPart[];

const DAY_MS = 86_400_000;

/** No pool has this id. */
export const ALL_POOLS_ID = '*';

const SYSTEM: Actor = { kind: 'system', id: null };

/** The percentages of a part that are reported, once a day each. */
const REPORTED_PERCENTAGES = [80, 100] as const;

/** How much of a part was used today. */
export interface DailyUse {
  readonly part: DailyBudgetPart;
  readonly used: number;
  readonly limit: number;
}

/** How much of each of these parts was used on the day of a moment. */
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

/** How many messages are left in the part that has the fewest left; infinite where no part counts. */
export function countMessagesLeft(uses: readonly DailyUse[]): number {
  return uses.reduce((least, { used, limit }) => Math.min(least, limit - used), Number.POSITIVE_INFINITY);
}

/** A message that is about to be sent. */
interface CountedMessage {
  readonly pool: PoolRecord;
  /** False: no message goes out. It waits for the same row and takes nothing, so that time tells nothing. */
  readonly isSent: boolean;
  readonly nowMs: number;
}

/**
 * Takes a message from a part of the day, and reports a part that is nearly used up.
 * @returns 0 where there was one left, else for how long there is none
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

/** How long the day of a moment still lasts. Days end at midnight UTC. */
export function computeMsUntilMidnight(nowMs: number): number {
  return DAY_MS - (nowMs % DAY_MS);
}

function createDaySubject(part: DailyBudgetPart, nowMs: number): string {
  return createWindowSubject({ subject: `send:day of ${part}:service`, nowMs }, DAY_MS);
}

/** The event names no requester, because the request that crosses the limit is an ordinary one. */
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
