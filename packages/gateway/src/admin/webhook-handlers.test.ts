import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayDeps, GatewaySettings, WebhookOutcome, WebhookPost } from '../kernel/deps.ts';
import type { WebhookRecord } from '../records/index.ts';
import { createGuardRecords, createTestRuntime, START_MS, takeSomeTurns } from '../testing/gateway-deps.ts';
import { testWebhook } from './test-webhook.ts';
import { createWebhook, deleteWebhook, listDeadDeliveries, listWebhooks } from './webhook-handlers.ts';

const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const URL = 'https://hooks.example.test/in';
const STARTED_AT = new Date(START_MS).toISOString();

interface Given {
  readonly settings?: Partial<GatewaySettings>;
  readonly deps?: Partial<Pick<GatewayDeps, 'isWebhookUrlRefused' | 'random'>>;
  readonly outcome?: WebhookOutcome;
}

/** A gateway with its records of webhooks, the webhooks whose dead deliveries were read, the posts, and the deliveries that ended. */
function createService({ settings = {}, deps = {}, outcome = { ok: true } }: Given = {}) {
  const webhooks = new Map<string, WebhookRecord>();
  const read: unknown[] = [];
  const posted: WebhookPost[] = [];
  const finished: unknown[] = [];
  const guarded = createGuardRecords();
  const records = {
    ...guarded,
    webhooks: {
      async insert(webhook: WebhookRecord) {
        await takeSomeTurns();
        webhooks.set(webhook.id, webhook);
      },
      list: async () => [...webhooks.values()],
      async delete(id: string) {
        await takeSomeTurns();
        return webhooks.delete(id);
      },
    },
    deliveries: {
      ...guarded.deliveries,
      async listDead(...given: unknown[]) {
        read.push(given);
        return [{ event: guarded.appended[0], tries: 9, deadAtMs: START_MS, lastFailure: 'status_500' }] as never;
      },
      async finish(...given: unknown[]) {
        await takeSomeTurns();
        finished.push(given);
      },
    },
  };
  const postWebhook = async (post: WebhookPost) => {
    posted.push(post);
    return outcome;
  };
  const runtime = createTestRuntime({ records, postWebhook, ...deps }, settings);
  const request = (more: object) => ({ call, params: {}, query: {}, body: {}, ...more }) as never;
  return {
    webhooks,
    read,
    posted,
    finished,
    appended: guarded.appended,
    test: async (id: string) => testWebhook(runtime, request({ params: { id } })),
    list: async () => (await listWebhooks(runtime, request({}))).body.webhooks,
    create: async (body: object = {}) => (await createWebhook(runtime, request({ body: { url: URL, ...body } }))).body,
    remove: async (id: string) => deleteWebhook(runtime, request({ params: { id } })),
    listDead: async (id: string) => (await listDeadDeliveries(runtime, request({ params: { id } }))).body.deliveries,
  };
}

test('a webhook is created with a secret that is shown once and stored encrypted, and an event is recorded', async () => {
  const { webhooks, appended, list, create } = createService();
  const { webhook, secret } = await create({ events: ['user.created', 'user.created'], description: 'mine' });
  const { id } = webhook;
  const shown = { id, url: URL, events: ['user.created'], description: 'mine', created_at: STARTED_AT };
  assert.deepEqual(webhook, shown);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(await list(), [shown]);
  assert.ok(!JSON.stringify([webhooks.get(id), appended]).includes(secret));
  assert.deepEqual(
    appended.map(({ type, details }) => [type, details]),
    [['webhook.created', { webhook: id }]],
  );
  assert.deepEqual((await create()).webhook.events, []);
});

test('the ID of a webhook is a random UUID', async () => {
  const idFrom = async (byte: number) => {
    const random = (length: number) => new Uint8Array(length).fill(byte);
    return (await createService({ deps: { random } }).create()).webhook.id;
  };
  assert.equal(await idFrom(0), '00000000-0000-4000-8000-000000000000');
  assert.equal(await idFrom(255), 'ffffffff-ffff-4fff-bfff-ffffffffffff');
});

test('a URL of an internal address, an unknown event and a twenty-first webhook are refused', async () => {
  const refused = createService({ deps: { isWebhookUrlRefused: async (url) => url === URL } });
  await assert.rejects(refused.create(), { code: 'validation_failed' });
  await assert.rejects(createService().create({ url: 'http://hooks.example.test' }), { code: 'validation_failed' });
  await assert.rejects(createService().create({ events: ['no.such'] }), { code: 'validation_failed' });
  const { webhooks, create } = createService();
  for (let made = 0; made < 20; made += 1) await create();
  await assert.rejects(create(), {
    errors: [{ field: 'url', code: 'too_many', message: 'exceeds the limit of 20 webhooks' }],
  });
  assert.deepEqual([refused.webhooks.size, webhooks.size], [0, 20]);
});

test('a webhook that could not be stored is reported as a failure, without an event', async () => {
  const { webhooks, appended, create } = createService();
  const full = new Error('the disk is full');
  webhooks.set = () => {
    throw full;
  };
  await assert.rejects(create(), (error) => error === full);
  assert.deepEqual(appended, []);
});

test('a webhook is deleted once, and an event is recorded', async () => {
  const { webhooks, appended, create, remove } = createService();
  const { id } = (await create()).webhook;
  await remove(id);
  assert.deepEqual([webhooks.size, appended.at(-1)?.type], [0, 'webhook.deleted']);
  await assert.rejects(remove(id), { code: 'webhook_not_found' });
  assert.equal(appended.length, 2);
});

test('abandoned deliveries are shown for an existing webhook', async () => {
  const { read, create, listDead } = createService();
  const { id } = (await create()).webhook;
  const [dead] = await listDead(id);
  assert.deepEqual(
    [dead?.event.type, dead?.tries, dead?.given_up_at, dead?.failure],
    ['webhook.created', 9, STARTED_AT, 'status_500'],
  );
  await assert.rejects(listDead('none'), { code: 'webhook_not_found' });
  assert.deepEqual(read, [[id, 60]]);
});

test("a test posts one signed event at once, and returns and records the receiver's response", async () => {
  for (const outcome of [{ ok: true }, { ok: false, failure: 'status_500', mayRetry: true }] as const) {
    const { posted, finished, appended, create, test: ask } = createService({ outcome });
    const { webhook, secret } = await create();
    const { status, body } = await ask(webhook.id);
    const failure = outcome.ok ? null : outcome.failure;
    assert.deepEqual([status, body.delivered, body.failure], [200, outcome.ok, failure]);
    const [{ body: sent, ...post } = assert.fail('nothing was posted'), ...more] = posted;
    assert.deepEqual([post, more], [{ url: URL, secret, id: body.event_id }, []]);
    assert.equal(JSON.parse(sent).type, 'webhook.tested');
    const details = { webhook: webhook.id, ...(failure === null ? {} : { failure }) };
    const event = appended.at(-1);
    assert.deepEqual(
      [event?.id, event?.outcome, event?.details],
      [body.event_id, outcome.ok ? 'success' : 'failure', details],
    );
    assert.deepEqual(finished, [[webhook.id, body.event_id]]);
  }
});

test('a webhook whose secret cannot be decrypted is reported, and nothing is posted', async () => {
  const { webhooks, posted, create, test: ask } = createService();
  const { id } = (await create()).webhook;
  const record = webhooks.get(id) ?? assert.fail();
  webhooks.set(id, { ...record, secretEncrypted: Buffer.alloc(60).toString('base64url') });
  const { body } = await ask(id);
  assert.deepEqual([body.delivered, body.failure, posted], [false, 'secret_unreadable', []]);
  await assert.rejects(ask('none'), { code: 'webhook_not_found' });
});
