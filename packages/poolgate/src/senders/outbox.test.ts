import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '@poolgate/pool';
import { createOutbox } from './outbox.ts';
import { testSenderContract } from './testing/sender-contract.ts';

const clock = { now: () => Date.UTC(2030, 0, 2, 3, 4, 5) };
const NEVER = new AbortController().signal;

const message = (to: string, text: string, code?: string): Message => ({
  id: crypto.randomUUID(),
  channel: 'email',
  to,
  subject: 'Your code',
  text,
  html: undefined,
  code,
});

testSenderContract({
  name: 'outbox',
  channel: 'sms',
  recipient: '+15551230001',
  invalidRecipients: [],
  canFail: false,
  async open() {
    const outbox = createOutbox(clock);
    const arrivals = () => outbox.list(undefined).map(({ to, text }) => ({ to: [to], text }));
    return { sender: outbox, arrivals, receiver: undefined };
  },
});

test('messages are listed newest first, all or those of one address', async () => {
  const outbox = createOutbox(clock);
  await outbox.send(message('ada@example.com', 'first', '123456'), NEVER);
  await outbox.send(message('bob@example.com', 'second'), NEVER);
  assert.deepEqual(
    outbox.list(undefined).map(({ text }) => text),
    ['second', 'first'],
  );
  const [{ id, ...first } = assert.fail('there is none'), ...others] = outbox.list('ada@example.com');
  assert.match(id, /^[\da-f-]{36}$/);
  assert.deepEqual(
    [first, ...others],
    [
      {
        to: 'ada@example.com',
        channel: 'email',
        subject: 'Your code',
        text: 'first',
        code: '123456',
        at: '2030-01-02T03:04:05.000Z',
      },
    ],
  );
  assert.deepEqual(outbox.list('nobody@example.com'), []);
});

test('a full outbox drops its oldest messages', async () => {
  const outbox = createOutbox(clock, 3);
  for (const text of ['1', '2', '3', '4', '5']) await outbox.send(message('ada@example.com', text), NEVER);
  assert.deepEqual(
    outbox.list(undefined).map(({ text }) => text),
    ['5', '4', '3'],
  );
  const usual = createOutbox(clock);
  for (let sent = 0; sent < 501; sent += 1) await usual.send(message('ada@example.com', String(sent)), NEVER);
  const texts = usual.list(undefined).map(({ text }) => text);
  assert.deepEqual([texts.length, texts.at(0), texts.at(-1)], [500, '500', '1']);
});
