import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookOutcome, WebhookPost } from '../kernel/deps.ts';
import type { DeliveryRecord, DeliveryRecords, WebhookRecord } from '../records/index.ts';
import {
  createGuardRecords,
  createMovableClock,
  createTestDeps,
  createTestKeyRing,
  POOL,
  START_MS,
} from '../testing/gateway-deps.ts';
import { DeliveryDispatcher } from './delivery-dispatcher.ts';
import { computeRetryDelay } from './retry-schedule.ts';
import { createWebhookQueue } from './webhook-queue.ts';
import { encryptWebhookSecret } from './webhook-secret.ts';

const EVENT: DeliveryRecord['event'] = {
  id: '019b0000-0000-7000-8000-000000000001',
  atMs: START_MS,
  type: 'user.disabled',
  outcome: 'success',
  userPoolId: POOL.userPoolId,
  clientId: null,
  actor: { kind: 'admin', id: 'key1' },
  user: { sub: 'sub-1', username: 'ada' },
  requestId: 'request-1',
  sourceAddress: '192.0.2.1',
  details: {},
};
const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS13ZWJob29rLW9mLXRlc3Rz';

/** Webhooks and deliveries in maps, with leases as in the store. */
function deliveryRecords(webhooks: readonly WebhookRecord[], deliveries: Map<string, DeliveryRecord>) {
  const leased = new Map<string, number>();
  const change = (id: string, members: Partial<DeliveryRecord>): void => {
    const before = deliveries.get(id);
    if (before !== undefined) deliveries.set(id, { ...before, ...members, tries: before.tries + 1 });
    leased.delete(id);
  };
  const given = createGuardRecords();
  const kept: DeliveryRecords = {
    ...given.deliveries,
    async lease(nowMs, leasedUntilMs, limit) {
      const due = [...deliveries.entries()]
        .filter(
          ([id, { nextTryAtMs, deadAtMs }]) =>
            deadAtMs === null && nextTryAtMs <= nowMs && (leased.get(id) ?? 0) <= nowMs,
        )
        .slice(0, limit);
      for (const [id] of due) leased.set(id, leasedUntilMs);
      return due.map(([, delivery]) => delivery);
    },
    finish: async (_webhookId, id) => void deliveries.delete(id),
    postpone: async (_webhookId, id, nextTryAtMs, lastFailure) => change(id, { nextTryAtMs, lastFailure }),
    deadLetter: async (_webhookId, id, deadAtMs, lastFailure) => change(id, { deadAtMs, lastFailure }),
  };
  return { ...given, webhooks: { ...given.webhooks, list: async () => webhooks }, deliveries: kept };
}

function service(answer: (post: WebhookPost, signal: AbortSignal) => Promise<WebhookOutcome>, hasWebhook = true) {
  const keyRing = createTestKeyRing();
  const clock = createMovableClock();
  const secretEncrypted = encryptWebhookSecret({ keyRing }, 'hook-1', SECRET);
  const webhook = {
    id: 'hook-1',
    url: 'https://hooks.example/x',
    events: [],
    secretEncrypted,
    description: '',
    createdAtMs: 0,
  };
  const fresh = {
    webhookId: 'hook-1',
    event: EVENT,
    tries: 0,
    nextTryAtMs: START_MS,
    deadAtMs: null,
    lastFailure: null,
  };
  const deliveries = new Map<string, DeliveryRecord>([[EVENT.id, fresh]]);
  const posts: WebhookPost[] = [];
  const defects: unknown[] = [];
  let next: (() => void) | undefined;
  const timer = {
    after(_delayMs: number, run: () => void) {
      next = run;
      return () => {
        next = undefined;
      };
    },
  };
  const postWebhook = (post: WebhookPost, signal: AbortSignal) => {
    posts.push(post);
    return answer(post, signal);
  };
  const records = deliveryRecords(hasWebhook ? [webhook] : [], deliveries);
  const deps = createTestDeps({ keyRing, clock, timer, postWebhook, records });
  const dispatcher = new DeliveryDispatcher(deps, createWebhookQueue(deps), (error) => defects.push(error));
  dispatcher.start();
  /** Runs what the timer waits for, and lets everything settle that needs no timer. */
  const tick = async () => {
    next?.();
    await new Promise((settled) => setImmediate(settled));
  };
  return { dispatcher, tick, posts, defects, deliveries, clock, isWaiting: () => next !== undefined };
}

const failing = (mayRetry: boolean) => async () => ({ ok: false, failure: 'status_500', mayRetry }) as const;

test('an event is posted once, with its ID, the secret, and the body of the audit log', async () => {
  const { tick, posts, deliveries, defects } = service(async () => ({ ok: true }));
  await tick();
  await tick();
  const [post] = posts;
  assert.equal(posts.length, 1);
  assert.deepEqual([post?.id, post?.secret, post?.url], [EVENT.id, SECRET, 'https://hooks.example/x']);
  const body = JSON.parse(post?.body ?? '');
  assert.deepEqual(Object.keys(body), ['type', 'timestamp', 'data']);
  assert.deepEqual([body.type, body.timestamp], ['user.disabled', new Date(START_MS).toISOString()]);
  assert.deepEqual(body.data.actor, { kind: 'admin', id: 'key1' });
  assert.equal(deliveries.size, 0);
  assert.deepEqual(defects, []);
});

const MAX_TRIES = 8;

const shortest = (tries: number): number => (tries === 0 ? 0 : (computeRetryDelay(tries, () => Uint8Array.of(0)) ?? 0));
const longest = (tries: number): number => computeRetryDelay(tries, () => Uint8Array.of(255)) ?? 0;

test('a failure is retried with growing delays, and given up after eight attempts', async () => {
  const { tick, posts, deliveries, clock } = service(failing(true));
  const waits: number[] = [];
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    await tick();
    assert.equal(posts.length, tries);
    const { nextTryAtMs = 0, lastFailure } = deliveries.get(EVENT.id) ?? {};
    assert.equal(lastFailure, 'status_500');
    waits.push(nextTryAtMs - clock.nowMs);
    clock.nowMs = Math.max(clock.nowMs, nextTryAtMs - 1);
    await tick();
    assert.equal(posts.length, tries, 'not before its time');
    clock.nowMs += 1;
  }
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    const wait = waits[tries - 1] ?? 0;
    assert.ok(wait >= shortest(tries) && wait <= longest(tries), `${wait} ms after try ${tries}`);
    assert.ok(shortest(tries) > shortest(tries - 1));
  }
  assert.notEqual(deliveries.get(EVENT.id)?.deadAtMs, null);
  clock.nowMs += 30 * 86_400_000;
  await tick();
  assert.equal(posts.length, 8);
});

test('delays vary by a fifth in either direction', () => {
  const byte = (value: number) => () => Uint8Array.of(value);
  assert.equal(computeRetryDelay(1, byte(0)), 4_000);
  assert.equal(computeRetryDelay(1, byte(255)), 6_000);
  assert.equal(computeRetryDelay(7, byte(255)), 12 * 3_600_000 * 1.2);
  assert.equal(computeRetryDelay(8, byte(0)), undefined);
});

test('what a retry cannot fix is given up at once', async () => {
  const { tick, posts, deliveries } = service(failing(false));
  await tick();
  assert.equal(posts.length, 1);
  assert.equal(deliveries.get(EVENT.id)?.deadAtMs, START_MS);
});

test('deliveries to a deleted webhook are dropped', async () => {
  const { tick, posts, deliveries } = service(async () => ({ ok: true }), false);
  await tick();
  assert.equal(posts.length, 0);
  assert.equal(deliveries.size, 0);
});

test('a stop cancels a post, waits for it, and counts no attempt', async () => {
  const { dispatcher, tick, deliveries, isWaiting } = service(
    (_post, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ ok: false, failure: 'aborted', mayRetry: true }));
      }),
  );
  await tick();
  await dispatcher.stop();
  assert.equal(isWaiting(), false);
  assert.equal(deliveries.get(EVENT.id)?.tries, 0);
});

test('a failing store is reported and retried', async () => {
  const { tick, defects, isWaiting, deliveries } = service(async () => {
    throw new Error('a defect of the poster');
  });
  await tick();
  assert.equal(defects.length, 1);
  assert.equal(deliveries.size, 1);
  assert.equal(isWaiting(), true);
});
