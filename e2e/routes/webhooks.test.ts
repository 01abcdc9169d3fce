import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { TestClock, TestTimer } from '../../packages/pool/src/testing/test-environment.ts';
import {
  assertInvalidField,
  assertProblem,
  inviteUser,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const START_MS = Date.UTC(2026, 4, 7, 0, 9, 40);
const PATIENCE_MS = 30_000;

describe('webhooks', () => {
  const clock = new TestClock(START_MS);
  const timer = new TestTimer(clock);
  const received: Received[] = [];
  let status = 204;
  let receiver: Server;
  let url = '';
  let service: TestService;
  before(async () => {
    receiver = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(status).end();
      receiver.emit('answered');
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    service = await startTestService({ privateWebhooks: true, timer }, clock);
  });
  after(async () => {
    await service.close();
    receiver.close();
  });
  afterEach(async () => {
    for (const { id } of await webhooks()) await remove(id);
    received.length = 0;
    status = 204;
  });

  const create = (body: unknown) => service.post('/admin/webhooks', body, service.asAdmin);
  const remove = (id: string) => service.ask('DELETE', `/admin/webhooks/${id}`, { headers: service.asAdmin });
  const webhooks = async () => {
    const list = await service.get('/admin/webhooks', service.asAdmin);
    assert.equal(list.status, 200, list.text);
    return list.body.webhooks as readonly { readonly id: string; readonly url: string }[];
  };

  /** Advances the dispatcher second by second until a post is answered. */
  async function posted(): Promise<void> {
    const answered = once(receiver, 'answered').then(() => true);
    for (let seconds = 0; seconds < 50; seconds++) {
      clock.advance(1_000);
      timer.runDue();
      if (await Promise.race([answered, wait(50, false)])) return;
    }
    // It was due long ago, but a busy machine may still be sending it.
    assert.ok(await Promise.race([answered, wait(PATIENCE_MS, false, { ref: false })]), 'nothing was posted');
  }

  it('get the events that they subscribe to, signed, and show their secret once', async () => {
    const madeAtMs = clock.now();
    const made = await create({ url, events: ['user.created'], description: 'tests' });
    assert.equal(made.status, 201, made.text);
    const secret = String(made.body.secret);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const list = await service.get('/admin/webhooks', service.asAdmin);
    assert.ok(!list.text.includes(secret));
    const sub = await inviteUser(service, 'hook@example.com');
    await service.post('/admin/users/hook@example.com/disable', {}, service.asAdmin);
    await posted();
    const [{ headers, body } = assert.fail('nothing came'), ...more] = received;
    assert.deepEqual(more, []);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${signature}`);
    // The clock may have advanced before the response arrived.
    const sentAtSeconds = Number(headers['webhook-timestamp']);
    assert.ok(sentAtSeconds >= madeAtMs / 1000 - 1 && sentAtSeconds <= clock.now() / 1000, String(sentAtSeconds));
    const event = JSON.parse(body);
    assert.deepEqual([event.type, event.data.type, event.data.user.sub], ['user.created', 'user.created', sub]);
    assert.equal(headers['webhook-id'], event.data.id);
    const log = await service.get('/admin/audit?type=user.created', service.asAdmin);
    const listed = log.body.events as readonly { readonly id: string }[];
    assert.deepEqual(
      listed.find(({ id }) => id === event.data.id),
      event.data,
    );
  });

  it('get an event that they refused again, with the same ID', async () => {
    await create({ url, events: ['group.created'] });
    await service.post('/admin/groups', { group_name: 'Again' }, service.asAdmin);
    status = 500;
    await posted();
    status = 204;
    await posted();
    assert.equal(received.length, 2);
    assert.equal(received[0]?.headers['webhook-id'], received[1]?.headers['webhook-id']);
    assert.equal(received[0]?.body, received[1]?.body);
  });

  it('get a test event at once, whatever they subscribe to, and the response shows the result', async () => {
    for (const events of [['user.migrated'], []]) {
      const made = await create({ url, events });
      const { id } = made.body.webhook as { readonly id: string };
      const test = () => service.post(`/admin/webhooks/${id}/test`, {}, service.asAdmin);
      received.length = 0;
      const good = await test();
      assert.deepEqual([good.status, good.body.delivered, good.body.failure], [200, true, null], good.text);
      status = 503;
      const bad = await test();
      assert.deepEqual([bad.status, bad.body.delivered, bad.body.failure], [200, false, 'webhook_503'], bad.text);
      status = 204;
      const ids = [good, bad].map(({ body }) => String(body.event_id));
      assert.deepEqual(
        received.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body).type, JSON.parse(body).data.id]),
        ids.map((eventId) => [eventId, 'webhook.tested', eventId]),
      );
      const log = await service.get('/admin/audit?type=webhook.tested', service.asAdmin);
      const listed = log.body.events as readonly { readonly id: string; readonly details: unknown }[];
      const details = ids.map((eventId) => listed.find((event) => event.id === eventId)?.details);
      assert.deepEqual(details, [{ webhook: id }, { webhook: id, failure: 'webhook_503' }]);
      if (events.length === 0) await posted();
      const types = received.map(({ body }) => JSON.parse(body).type);
      assert.equal(types.filter((type) => type === 'webhook.tested').length, 2, 'nothing is queued as well');
      await remove(id);
    }
    const nobody = '/admin/webhooks/00000000-0000-4000-8000-000000000000/test';
    assertProblem(await service.post(nobody, {}, service.asAdmin), 404, 'webhook_not_found');
    assertProblem(await service.post(nobody, {}), 401, 'unauthenticated');
  });

  it('are recorded in the audit log, without URL and secret', async () => {
    const made = await create({ url: `${url}?token=planted` });
    const { id } = made.body.webhook as { readonly id: string };
    assert.equal((await remove(id)).status, 200);
    for (const type of ['webhook.created', 'webhook.deleted']) {
      const log = await service.get(`/admin/audit?type=${type}`, service.asAdmin);
      const events = log.body.events as readonly { readonly details: { webhook: string }; readonly actor: unknown }[];
      const event = events.find(({ details }) => details.webhook === id);
      assert.deepEqual(event?.actor, { kind: 'admin', id: service.adminKey?.id });
      assert.doesNotMatch(log.text, /planted|whsec/);
    }
  });

  it('are deleted by path or body, once', async () => {
    const made = await create({ url });
    const { id } = made.body.webhook as { readonly id: string };
    const body = { id };
    assert.equal((await service.ask('DELETE', '/admin/webhooks', { headers: service.asAdmin, body })).status, 200);
    assertProblem(await remove(id), 404, 'webhook_not_found');
    assertProblem(await service.get(`/admin/webhooks/${id}/dead`, service.asAdmin), 404, 'webhook_not_found');
    assertInvalidField(await service.ask('DELETE', '/admin/webhooks', { headers: service.asAdmin, body: {} }), 'id');
  });

  it('accept only known event types, and are limited to twenty', async () => {
    for (const events of [['user.eaten'], ['*'], 'user.created', [7]])
      assertInvalidField(await create({ url, events }), /^events/);
    const misspelled = await create({ url, event_types: ['user.created'] });
    assert.equal(misspelled.status, 422, misspelled.text);
    assert.deepEqual(await webhooks(), []);
    const made = await Promise.all(Array.from({ length: 20 }, () => create({ url, events: ['user.migrated'] })));
    assert.deepEqual([...new Set(made.map((one) => one.status))], [201]);
    assertInvalidField(await create({ url }), 'url');
  });
});
