import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Message, Sender } from '@poolgate/pool';
import { openSenders } from './open-senders.ts';
import { startHttpReceiver } from './testing/http-receiver.ts';
import { startSmtpReceiver } from './testing/smtp-receiver.ts';

const clock = { now: () => Date.UTC(2030, 0, 2, 3, 4, 5) };
const NEVER = new AbortController().signal;
const FALLBACK: Sender = { immediate: true, send: async () => {} };
const NOTHING = { appName: 'My App', smtpUrl: undefined, mailFrom: undefined, sms: undefined, smsSecret: undefined };
const MAIL: Message = {
  id: '0f0e0d0c-0b0a-4908-8706-050403020100',
  channel: 'email',
  to: 'ada@example.com',
  subject: 'Code',
  text: 'Your code is 123456',
  html: undefined,
  code: '123456',
};

test('a channel without a sender uses that of development, or none', async () => {
  assert.deepEqual(await openSenders(NOTHING, clock, FALLBACK), { email: FALLBACK, sms: FALLBACK });
  assert.deepEqual(await openSenders(NOTHING, clock, undefined), {});
  const half = { ...NOTHING, smtpUrl: 'smtp://127.0.0.1:1' };
  assert.equal((await openSenders(half, clock, FALLBACK)).email, FALLBACK, 'nobody would know who writes');
  const other = { ...NOTHING, mailFrom: 'no-reply@poolgate.test' };
  assert.equal((await openSenders(other, clock, FALLBACK)).email, FALLBACK, 'nobody would carry it');
});

test('a mail is sent from the configured address, under the name of the service by default', async (context) => {
  const { port, mails } = await startSmtpReceiver(context);
  const smtpUrl = `smtp://127.0.0.1:${port}`;
  const senders: [mailFrom: string, appName: string, line: string][] = [
    ['no-reply@poolgate.test', 'My App', 'From: My App <no-reply@poolgate.test>'],
    ['no-reply@poolgate.test', 'A "B" <C>, D', 'From: A B C D <no-reply@poolgate.test>'],
    ['no-reply@poolgate.test', '<>', 'From: no-reply@poolgate.test'],
    ['Other <no-reply@poolgate.test>', 'My App', 'From: Other <no-reply@poolgate.test>'],
  ];
  for (const [mailFrom, appName, line] of senders) {
    const { email } = await openSenders({ ...NOTHING, smtpUrl, mailFrom, appName }, clock, undefined);
    await email?.send(MAIL, NEVER);
    assert.ok(mails.at(-1)?.headers.includes(line), String(mails.at(-1)?.headers));
  }
});

test('a text message is sent to the configured webhook, signed, or to SNS', async (context) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.headers['webhook-signature']));
    request.resume();
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const sms = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`;
  const smsSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const senders = await openSenders({ ...NOTHING, sms, smsSecret }, clock, undefined);
  await senders.sms?.send({ ...MAIL, channel: 'sms', to: '+12065550100' }, NEVER);
  assert.match(asked[0] ?? '', /^v1,/);
});

test('SNS is called in the configured region, otherwise in that of the AWS SDK', async (context) => {
  const regions: (string | undefined)[] = [];
  const { url } = await startHttpReceiver(context, {
    read({ headers }) {
      regions.push(/Credential=AKMINE\/\d{8}\/([\w-]+)\/sns\//.exec(headers.authorization ?? '')?.[1]);
      return { to: [], text: '' };
    },
    reply: (_, response) => void response.writeHead(400).end(),
  });
  const environment = {
    AWS_ENDPOINT_URL_SNS: url,
    AWS_REGION: 'eu-north-1',
    AWS_ACCESS_KEY_ID: 'AKMINE',
    AWS_SECRET_ACCESS_KEY: 'x',
  };
  for (const [name, value] of Object.entries(environment)) {
    const before = process.env[name];
    process.env[name] = value;
    context.after(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
  for (const route of ['sns', 'sns:eu-west-1']) {
    const { sms } = await openSenders({ ...NOTHING, sms: route }, clock, undefined);
    await assert.rejects(sms?.send({ ...MAIL, channel: 'sms', to: '+12065550100' }, NEVER) ?? assert.fail(route));
  }
  assert.deepEqual(regions, ['eu-north-1', 'eu-west-1']);
});
