import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import type { Message, SendFailure } from '@poolgate/pool';
import { Webhook } from 'standardwebhooks';
import { type ReceivedRequest, startHttpReceiver } from './testing/http-receiver.ts';
import { testSenderContract } from './testing/sender-contract.ts';
import { createWebhookSender } from './webhook-sender.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

// The verifying library uses the machine's clock.
const clock = { now: Date.now };

const STATUS = { accept: 204, later: 503, never: 422 } as const;

/** Throws if the signature is invalid. */
function verified({ headers, body }: ReceivedRequest) {
  const { data } = new Webhook(SECRET).verify(body, headers as Record<string, string>) as {
    readonly data: { readonly to: string; readonly text: string };
  };
  return { to: [data.to], text: data.text };
}

testSenderContract({
  name: 'webhook',
  channel: 'sms',
  recipient: '+15551230001',
  invalidRecipients: [
    '+15551230001,+15559990002',
    '+15551230001\n+15559990002',
    '15551230001',
    'eve@example.com',
    '+1555123000１',
  ],
  canFail: true,
  async open(context) {
    const { url, arrivals, receiver } = await startHttpReceiver(context, {
      read: verified,
      reply: (answer, response) => void response.writeHead(STATUS[answer]).end(),
    });
    return { sender: createWebhookSender({ url, secret: SECRET }, clock), arrivals, receiver };
  },
});

const MESSAGE: Message = {
  id: '0f0e0d0c-0b0a-4908-8706-050403020100',
  channel: 'sms',
  to: '+15551230001',
  subject: '',
  text: 'Your code is 123456',
  html: undefined,
  code: '123456',
};

test('a webhook has the same message ID on every attempt, and contains recipient, text and code', async (context) => {
  const posted: ReceivedRequest[] = [];
  const { url } = await startHttpReceiver(context, {
    read(request) {
      posted.push(request);
      return verified(request);
    },
    reply: (_, response) => void response.writeHead(200).end('{"ignored":true}'),
  });
  const sender = createWebhookSender({ url, secret: SECRET }, clock);
  for (const _try of [1, 2]) await sender.send(MESSAGE, new AbortController().signal);
  assert.deepEqual(
    posted.map(({ headers }) => [headers['webhook-id'], headers['content-type']]),
    Array(2).fill([MESSAGE.id, 'application/json']),
  );
  const { type, data } = JSON.parse(posted[0]?.body ?? '');
  assert.deepEqual([type, data], ['message.sms', { to: MESSAGE.to, text: MESSAGE.text, code: '123456' }]);
});

test('a webhook retries temporary refusals, and not permanent ones', async (context) => {
  let status = 0;
  const { url } = await startHttpReceiver(context, {
    read: verified,
    reply: (_, response) => void response.writeHead(status).end(),
  });
  const sender = createWebhookSender({ url, secret: SECRET }, clock);
  const failureAt = (answered: number) => {
    status = answered;
    return sender.send(MESSAGE, new AbortController().signal).then(
      () => undefined,
      ({ code, outcome }: SendFailure) => `${code} ${outcome}`,
    );
  };
  for (const taken of [200, 204, 299]) assert.equal(await failureAt(taken), undefined);
  for (const never of [400, 410, 413, 422]) assert.equal(await failureAt(never), `webhook_${never} refused`);
  for (const later of [300, 401, 404, 411, 414, 423, 429, 500, 503]) {
    assert.equal(await failureAt(later), `webhook_${later} retry`);
  }
});

test('a webhook follows no redirect: the code goes nowhere else', async (context) => {
  const elsewhere = await startHttpReceiver(context, { read: verified, reply: (_, response) => void response.end() });
  const redirecting = createServer((_request, response) => {
    response.writeHead(307, { location: elsewhere.url }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
  context.after(() => redirecting.close());
  const { port } = redirecting.address() as { port: number };
  const sender = createWebhookSender({ url: `http://127.0.0.1:${port}`, secret: SECRET }, clock);
  await assert.rejects(sender.send(MESSAGE, new AbortController().signal), (failure: SendFailure) => {
    assert.deepEqual([failure.code, failure.outcome], ['webhook_307', 'retry']);
    return true;
  });
  assert.deepEqual(elsewhere.arrivals(), []);
});
