import type { PoolTransaction } from '../store/pool-store.ts';
import type { MessageRecord } from '../store/records.ts';
import { attemptDelivery, type DeliveryAttemptResult } from './delivery-attempt.ts';
import type { DeliveryAttemptPorts } from './delivery-ports.ts';
import type { DeliveryReport } from './delivery-report.ts';

/** How long an instance owns a message. After that, another one may take it. */
const LEASE_MS = 60_000;

/** The maximum number of simultaneous sends, so that a dead mail server does not block all others. */
const MAX_AT_ONCE = 32;

/** How often an instance looks for messages that others left behind. It knows when its own are due. */
const POLL_INTERVAL_MS = 30_000;

/** How long a stopping instance waits for running sends. */
const MAX_STOP_MS = 5_000;

/**
 * Delivers queued messages. Several instances can share a store. An instance leases a message and marks it before it gives it to a sender,
 * so no message is sent twice, even after a crash.
 */
export class MessageDelivery {
  readonly #ports: DeliveryAttemptPorts;
  readonly #sending = new Set<Promise<void>>();
  readonly #due = new Set<number>();
  #report: (report: DeliveryReport) => void = () => {};
  #isStarted = false;
  #isStopped = false;
  #hasMore = false;
  #looking: Promise<void> = Promise.resolve();
  #nextLook: Promise<void> | undefined;
  #callOff: () => void = () => {};

  constructor(ports: DeliveryAttemptPorts) {
    this.#ports = ports;
  }

  /** From now on it also runs by itself, not only when woken. */
  start(report: (report: DeliveryReport) => void): void {
    this.#report = report;
    this.#isStarted = true;
    void this.#look();
  }

  /** Takes no new messages, and waits briefly for running sends. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#callOff();
    const { promise: tooLate, resolve } = Promise.withResolvers<void>();
    const cancel = this.#ports.timer.after(MAX_STOP_MS, resolve);
    const settled = this.#looking.then(() => Promise.all(this.#sending));
    await Promise.race([settled, tooLate]);
    cancel();
  }

  /** Signals new messages. Resolves at once, or when the messages of immediate senders are settled. Never rejects. */
  wake(): Promise<void> {
    const isWaitedFor = Object.values(this.#ports.senders).some(({ immediate }) => immediate);
    if (!isWaitedFor && !this.#isStarted) return Promise.resolve();
    const looked = this.#look();
    return isWaitedFor ? looked : Promise.resolve();
  }

  /** One pass at a time. Callers during a pass share the next one, which sees everything written before. */
  #look(): Promise<void> {
    this.#nextLook ??= this.#looking.then(() => {
      this.#nextLook = undefined;
      this.#looking = this.#takeAll();
      return this.#looking;
    });
    return this.#nextLook;
  }

  async #takeAll(): Promise<void> {
    this.#callOff();
    const nowMs = this.#ports.clock.now();
    for (const atMs of this.#due) if (atMs <= nowMs) this.#due.delete(atMs);
    do await this.#takeSome();
    while (this.#hasMore && this.#sending.size < MAX_AT_ONCE);
    this.#lookLater();
  }

  async #takeSome(): Promise<void> {
    const free = MAX_AT_ONCE - this.#sending.size;
    this.#hasMore = free === 0;
    if (free === 0 || this.#isStopped) return;
    const leased = await this.#lease(free);
    this.#hasMore = leased.length === free;
    const awaited = leased.flatMap((record) => {
      const sending = this.#deliver(record);
      return this.#ports.senders[record.channel]?.immediate ? [sending] : [];
    });
    await Promise.all(awaited);
  }

  /** A store that does not respond is tried again later. */
  async #lease(limit: number): Promise<readonly MessageRecord[]> {
    const nowMs = this.#ports.clock.now();
    try {
      return await this.#ports.store.write((transaction) => transaction.messages.lease(nowMs, nowMs + LEASE_MS, limit));
    } catch {
      return [];
    }
  }

  #lookLater(): void {
    if (!this.#isStarted || this.#isStopped) return;
    this.#callOff();
    const nowMs = this.#ports.clock.now();
    let delayMs = POLL_INTERVAL_MS;
    for (const atMs of this.#due) delayMs = Math.min(delayMs, Math.max(0, atMs - nowMs));
    this.#callOff = this.#ports.timer.after(delayMs, () => void this.#look());
  }

  /** A message that cannot be settled stays leased and is found when the lease ends. It is not sent again because of that. */
  #deliver(record: MessageRecord): Promise<void> {
    const sending = attemptDelivery(this.#ports, record)
      .then((attempt) => this.#recordResult(record, attempt))
      .catch(() => {})
      .finally(() => {
        this.#sending.delete(sending);
        if (this.#hasMore && this.#isStarted) void this.#look();
      });
    this.#sending.add(sending);
    return sending;
  }

  async #recordResult(record: MessageRecord, attempt: DeliveryAttemptResult | undefined): Promise<void> {
    if (attempt === undefined) return;
    const { store, clock } = this.#ports;
    const consequence = determineConsequence(record, attempt, clock.now());
    await store.write((transaction) => consequence.write(transaction));
    if (consequence.dueMs !== undefined) this.#dueAt(consequence.dueMs);
    const { id: messageId, poolId, channel } = record;
    const failure = attempt.result === 'sent' ? null : attempt.failure;
    this.#report({ messageId, poolId, channel, result: consequence.result, tries: attempt.tries, failure });
  }

  /** Rounded to the second, so that any number of failures causes at most one pass a second. */
  #dueAt(atMs: number): void {
    this.#due.add(Math.ceil(atMs / 1000) * 1000);
    this.#lookLater();
  }
}

interface AttemptConsequence {
  readonly result: DeliveryReport['result'];
  /** When to try again. */
  readonly dueMs?: number;
  readonly write: (transaction: PoolTransaction) => Promise<void>;
}

/** A message that would have expired at its next attempt fails now. */
function determineConsequence(
  { id, expiresAtMs }: MessageRecord,
  attempt: DeliveryAttemptResult,
  nowMs: number,
): AttemptConsequence {
  if (attempt.result === 'sent') return { result: 'sent', write: (transaction) => transaction.messages.delete(id) };
  const { failure } = attempt;
  const dueMs = attempt.result === 'retry' ? nowMs + attempt.waitMs : expiresAtMs;
  return dueMs < expiresAtMs
    ? { result: 'postponed', dueMs, write: (transaction) => transaction.messages.postpone(id, dueMs, failure) }
    : { result: 'dead', write: (transaction) => transaction.messages.deadLetter(id, nowMs, failure) };
}
