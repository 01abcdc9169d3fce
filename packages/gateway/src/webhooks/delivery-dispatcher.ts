/**
 * Delivery of what receivers are told by posts: leases each delivery from the store and retries it until delivered.
 */
import type { GatewayDeps, WebhookOutcome } from '../kernel/deps.ts';
import { computeRetryDelay } from './retry-schedule.ts';

/** What waits to be posted: events to webhooks, or logout tokens to applications. */
export interface DeliveryQueue<Delivery extends { readonly tries: number }> {
  /** Takes deliveries that are due and that nobody is at. */
  lease(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly Delivery[]>;
  /** Posts one; what needs no post any more has arrived. */
  post(delivery: Delivery, signal: AbortSignal): Promise<WebhookOutcome>;
  /** Removes one that arrived. */
  finish(delivery: Delivery): Promise<void>;
  /** Gives one back for a later try. */
  postpone(delivery: Delivery, nextTryAtMs: number, failure: string): Promise<void>;
  /** Gives one up. */
  giveUp(delivery: Delivery, nowMs: number, failure: string): Promise<void>;
}

type Parts = Pick<GatewayDeps, 'clock' | 'random' | 'timer'>;

/** How often it is looked for what is due. */
const POLL_INTERVAL_MS = 1_000;
/** Longer than a post may take: then another replica may try. */
const LEASE_MS = 60_000;
/** How many posts are on their way at once. */
const MAX_CONCURRENT_POSTS = 16;

/**
 * Posts the deliveries of a queue. Each arrives at least once, in no certain order. Any number of replicas may do so at once: what one is at,
 * the others leave alone.
 */
export class DeliveryDispatcher<Delivery extends { readonly tries: number }> {
  readonly #parts: Parts;
  readonly #queue: DeliveryQueue<Delivery>;
  readonly #onDefect: (error: unknown) => void;
  readonly #underway = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #callOff: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();

  /** @param onDefect told about what fails here; what a receiver refuses is no defect */
  constructor(parts: Parts, queue: DeliveryQueue<Delivery>, onDefect: (error: unknown) => void) {
    this.#parts = parts;
    this.#queue = queue;
    this.#onDefect = onDefect;
  }

  /** Begins to look for what is due. */
  start(): void {
    this.#callOff = this.#parts.timer.after(POLL_INTERVAL_MS, () => {
      this.#looking = this.#look()
        .catch(this.#onDefect)
        .then(() => {
          if (!this.#stopping.signal.aborted) this.start();
        });
    });
  }

  /** Ends looking, breaks posts off, and waits for that. What was not posted is due again once its lease is over. */
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
    // Broken off here, it says nothing about the receiver.
    if (signal.aborted) return;
    const waitMs = outcome.mayRetry ? computeRetryDelay(delivery.tries + 1, random) : undefined;
    if (waitMs === undefined) return this.#queue.giveUp(delivery, clock.now(), outcome.failure);
    return this.#queue.postpone(delivery, clock.now() + waitMs, outcome.failure);
  }
}
