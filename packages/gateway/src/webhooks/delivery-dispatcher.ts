/** Posts to receivers: leases each delivery from the store and retries it until delivered. */
import type { GatewayDeps, WebhookOutcome } from '../kernel/deps.ts';
import { computeRetryDelay } from './retry-schedule.ts';

/** Pending posts: events to webhooks, or logout tokens to applications. */
export interface DeliveryQueue<Delivery extends { readonly tries: number }> {
  /** Leases due deliveries that no one else has leased. */
  lease(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly Delivery[]>;
  /** Posts a delivery. One that no longer needs a post counts as delivered. */
  post(delivery: Delivery, signal: AbortSignal): Promise<WebhookOutcome>;
  /** Deletes a successful delivery. */
  finish(delivery: Delivery): Promise<void>;
  /** Releases a delivery for a later attempt. */
  postpone(delivery: Delivery, nextTryAtMs: number, failure: string): Promise<void>;
  /** Marks a delivery as failed. */
  giveUp(delivery: Delivery, nowMs: number, failure: string): Promise<void>;
}

type Parts = Pick<GatewayDeps, 'clock' | 'random' | 'timer'>;

/** How often to check for due deliveries. */
const POLL_INTERVAL_MS = 1_000;
/** Longer than a post may take. After that, another replica may try. */
const LEASE_MS = 60_000;
/** The maximum number of simultaneous posts. */
const MAX_CONCURRENT_POSTS = 16;

/**
 * Posts the deliveries of a queue. Each arrives at least once, in no defined order. Several replicas can do so at once, because they lease
 * their deliveries.
 */
export class DeliveryDispatcher<Delivery extends { readonly tries: number }> {
  readonly #parts: Parts;
  readonly #queue: DeliveryQueue<Delivery>;
  readonly #onDefect: (error: unknown) => void;
  readonly #underway = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #callOff: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();

  /** @param onDefect called with errors here; a receiver's refusal is not a defect */
  constructor(parts: Parts, queue: DeliveryQueue<Delivery>, onDefect: (error: unknown) => void) {
    this.#parts = parts;
    this.#queue = queue;
    this.#onDefect = onDefect;
  }

  /** Starts to check for due deliveries. */
  start(): void {
    this.#callOff = this.#parts.timer.after(POLL_INTERVAL_MS, () => {
      this.#looking = this.#look()
        .catch(this.#onDefect)
        .then(() => {
          if (!this.#stopping.signal.aborted) this.start();
        });
    });
  }

  /** Stops checking, aborts running posts, and waits for them. What was not posted is due again when its lease ends. */
  async stop(): Promise<void> {
    this.#callOff();
    this.#stopping.abort();
    await this.#looking;
    await Promise.all(this.#underway);
  }

  async #look(): Promise<void> {
    const free = MAX_CONCURRENT_POSTS - this.#underway.size;
    if (free <= 0) return;
    const nowMs = this.#parts.clock.now();
    for (const delivery of await this.#queue.lease(nowMs, nowMs + LEASE_MS, free)) this.#begin(delivery);
  }

  #begin(delivery: Delivery): void {
    const posting = this.#deliver(delivery)
      .catch(this.#onDefect)
      .finally(() => this.#underway.delete(posting));
    this.#underway.add(posting);
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { clock, random } = this.#parts;
    const { signal } = this.#stopping;
    const outcome = await this.#queue.post(delivery, signal);
    if (outcome.ok) return this.#queue.finish(delivery);
    // An abort here says nothing about the receiver.
    if (signal.aborted) return;
    const waitMs = outcome.mayRetry ? computeRetryDelay(delivery.tries + 1, random) : undefined;
    if (waitMs === undefined) return this.#queue.giveUp(delivery, clock.now(), outcome.failure);
    return this.#queue.postpone(delivery, clock.now() + waitMs, outcome.failure);
  }
}
