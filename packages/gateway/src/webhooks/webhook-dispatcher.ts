/**
 * Delivery of events to webhooks: leases each delivery from the store and retries it until delivered. Posts are signed outside, through
 * `postWebhook`.
 */
import type { GatewayDeps } from '../kernel/deps.ts';
import type { DeliveryRecord, WebhookRecord } from '../records/index.ts';
import { computeRetryDelay } from './retry-schedule.ts';
import { createWebhookPost } from './webhook-post.ts';

type Parts = Pick<GatewayDeps, 'records' | 'keyRing' | 'clock' | 'random' | 'timer' | 'postWebhook'>;

/** How often it is looked for what is due. */
const POLL_INTERVAL_MS = 1_000;
/** Longer than a post may take: then another replica may try. */
const LEASE_MS = 60_000;
/** How many posts are on their way at once. */
const MAX_CONCURRENT_POSTS = 16;

/**
 * Posts events to the webhooks that listen to them. Each event comes at least once, with the same id each time, and in
 * no certain order. Any number of replicas may do so at once: what one is at, the others leave alone.
 */
export class WebhookDispatcher {
  readonly #parts: Parts;
  readonly #onDefect: (error: unknown) => void;
  readonly #underway = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #callOff: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();

  /** @param onDefect told about what fails here; what a receiver refuses is no defect */
  constructor(parts: Parts, onDefect: (error: unknown) => void) {
    this.#parts = parts;
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
    const { records, clock } = this.#parts;
    const free = MAX_CONCURRENT_POSTS - this.#underway.size;
    if (free <= 0) return;
    const nowMs = clock.now();
    const due = await records.deliveries.lease(nowMs, nowMs + LEASE_MS, free);
    if (due.length === 0) return;
    const byId = new Map((await records.webhooks.list()).map((webhook) => [webhook.id, webhook]));
    for (const delivery of due) this.#begin(byId.get(delivery.webhookId), delivery);
  }

  #begin(webhook: WebhookRecord | undefined, delivery: DeliveryRecord): void {
    const posting = this.#deliver(webhook, delivery)
      .catch(this.#onDefect)
      .finally(() => this.#underway.delete(posting));
    this.#underway.add(posting);
  }

  async #deliver(webhook: WebhookRecord | undefined, { webhookId, event, tries }: DeliveryRecord): Promise<void> {
    const { records, clock, random, postWebhook } = this.#parts;
    if (webhook === undefined) return records.deliveries.finish(webhookId, event.id);
    const post = createWebhookPost(this.#parts, webhook, event);
    if (post === undefined) return records.deliveries.deadLetter(webhookId, event.id, clock.now(), 'secret_unreadable');
    const { signal } = this.#stopping;
    const outcome = await postWebhook(post, signal);
    if (outcome.ok) return records.deliveries.finish(webhookId, event.id);
    // Broken off here, it says nothing about the receiver.
    if (signal.aborted) return;
    const waitMs = outcome.mayRetry ? computeRetryDelay(tries + 1, random) : undefined;
    if (waitMs === undefined) return records.deliveries.deadLetter(webhookId, event.id, clock.now(), outcome.failure);
    return records.deliveries.postpone(webhookId, event.id, clock.now() + waitMs, outcome.failure);
  }
}
