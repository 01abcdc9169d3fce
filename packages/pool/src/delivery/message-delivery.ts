import type { PoolTransaction } from '../store/pool-store.ts';
import type { MessageRecord } from '../store/records.ts';
import { attemptDelivery, type DeliveryAttemptResult } from './delivery-attempt.ts';
import type { DeliveryAttemptPorts } from './delivery-ports.ts';
import type { DeliveryReport } from './delivery-report.ts';

/** How long a message belongs to the instance that took it. Whoever takes longer finds it gone. */
const LEASE_MS = 60_000;

/** How many are sent at once; a dead mail server must not keep all the rest waiting. */
const MAX_AT_ONCE = 32;

/** How soon an instance looks for what others left behind; its own messages it knows the times of. */
const POLL_INTERVAL_MS = 30_000;

/** How long the end of an instance waits for what is being sent. */
const MAX_STOP_MS = 5_000;

/**
 * Delivers queued messages. Any number of instances may work on one store: a message is leased to one of them,
 * and marked before it is given to a sender, so that none is sent twice, not even after a crash.
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

  /** From now on it works on its own too, not only when it is woken. */
  start(report: (report: DeliveryReport) => void): void {
    this.#report = report;
    this.#isStarted = true;
    void this.#look();
  }

  /** Takes no more messages, and waits a moment for those that are being sent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#callOff();
    const { promise: tooLate, resolve } = Promise.withResolvers<void>();
    const cancel = this.#ports.timer.after(MAX_STOP_MS, resolve);
    const settled = this.#looking.then(() => Promise.all(this.#sending));
    await Promise.race([settled, tooLate]);
    cancel();
  }

  /** There are new messages. Resolves at once, or once those of immediate senders are settled. Never rejects. */
  wake(): Promise<void> {
    const isWaitedFor = Object.values(this.#ports.senders).some(({ immediate }) => immediate);
    if (!isWaitedFor && !this.#isStarted) return Promise.resolve();
    const looked = this.#look();
    return isWaitedFor ? looked : Promise.resolve();
  }

  /** One look after the other; who asks while one is under way shares the next, which sees what was written before. */
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

  /** A store that does not answer is asked again later. */
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

  /** What cannot be settled stays leased, and is found when the lease is over: nothing is sent again for that. */
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

  /** To the second: however many fail, there is a look a second at most. */
  #dueAt(atMs: number): void {
    this.#due.add(Math.ceil(atMs / 1000) * 1000);
    this.#lookLater();
  }
}

interface AttemptConsequence {
  readonly result: DeliveryReport['result'];
  /** When it is to be tried again. */
  readonly dueMs?: number;
  readonly write: (transaction: PoolTransaction) => Promise<void>;
}

/** A message that would be of no use any more when it is tried again is given up now. */
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
