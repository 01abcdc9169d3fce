import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Message, SendFailure } from '@poolgate/pool';
import type { SMTPServerOptions } from 'smtp-server';
import { checkSmtpServer, createSmtpSender, parseSmtpUrl, type SmtpServer } from './smtp-sender.ts';
import { testSenderContract } from './testing/sender-contract.ts';
import { startSmtpReceiver } from './testing/smtp-receiver.ts';

const clock = { now: () => Date.UTC(2030, 0, 2, 3, 4, 5) };
const FROM = 'Größe & Co <no-reply@poolgate.test>';

testSenderContract({
  name: 'SMTP',
  channel: 'email',
  recipient: 'ada@example.com',
  invalidRecipients: [
    'ada@example.com,eve@example.com',
    'ada@example.com eve@example.com',
    '"eve@evil.example x"@victim.example',
    'ada@example.com\r\nRCPT TO:<eve@example.com>',
    'ada@example.com\nBcc: eve@example.com',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    'ada@example.com>',
    'eve%evil.example@example.com',
    'ada＠example.com',
    'ada@еxample.com',
    '',
  ],
  canFail: true,
  async open(context) {
    const { port, arrivals, receiver } = await startSmtpReceiver(context);
    return {
      sender: await createSmtpSender(parseSmtpUrl(`smtp://127.0.0.1:${port}`), FROM, clock),
      arrivals,
      receiver,
    };
  },
});

const MESSAGE: Message = {
  id: '0f0e0d0c-0b0a-4908-8706-050403020100',
  channel: 'email',
  to: 'ada@example.com',
  subject: 'Ihr Bestätigungscode\r\nBcc: eve@example.com',
  text: 'Ihr Code lautet 123456',
  html: '<p>Ihr Code lautet <strong>123456</strong></p>',
  code: '123456',
};

const NEVER = new AbortController().signal;

test('a mail has both texts, one sender, one recipient, and the same Message-ID on every attempt', async (context) => {
  const { port, mails } = await startSmtpReceiver(context);
  const sender = await createSmtpSender(parseSmtpUrl(`smtp://127.0.0.1:${port}`), FROM, clock);
  for (const _try of [1, 2]) await sender.send(MESSAGE, NEVER);
  const [mail, again] = mails;
  assert.ok(mail && again);
  assert.deepEqual(
    [mail.from, mail.to, mail.text, mail.html],
    ['no-reply@poolgate.test', ['ada@example.com'], MESSAGE.text, MESSAGE.html],
  );
  const named = (name: string): readonly string[] =>
    mail.headers.filter((line) => line.toLowerCase().startsWith(`${name}:`));
  assert.match(named('content-type').join(), /^Content-Type: multipart\/alternative;/);
  assert.deepEqual(named('to'), ['To: ada@example.com']);
  assert.deepEqual(named('message-id'), [`Message-ID: <${MESSAGE.id}@poolgate.test>`]);
  assert.deepEqual(named('date'), ['Date: Wed, 02 Jan 2030 03:04:05 +0000']);
  assert.deepEqual(named('auto-submitted'), ['Auto-Submitted: auto-generated']);
  assert.deepEqual([named('bcc'), named('subject').length, named('from').length], [[], 1, 1]);
  assert.deepEqual(
    again.headers.filter((line) => line.startsWith('Message-ID')),
    named('message-id'),
  );
});

test('it logs in if the URL has a login, and retries later if that is refused', async (context) => {
  const options: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) =>
      username === 'post man' && password === 'p@ss:word'
        ? callback(null, { user: username })
        : callback(new Error('no')),
  };
  const { port, mails } = await startSmtpReceiver(context, options);
  const to = (login: string): SmtpServer => parseSmtpUrl(`smtp://${login}@127.0.0.1:${port}`);
  await (await createSmtpSender(to('post%20man:p%40ss%3Aword'), FROM, clock)).send(MESSAGE, NEVER);
  assert.equal(mails.length, 1);
  const wrong = await createSmtpSender(to('post%20man:planted'), FROM, clock);
  await assert.rejects(wrong.send(MESSAGE, NEVER), (failure: SendFailure) => {
    assert.deepEqual([failure.code, failure.outcome], ['smtp_535', 'retry']);
    return true;
  });
});

test('only loopback is used without TLS', () => {
  const rows: readonly [url: string, security: SmtpServer['security'], port: number][] = [
    ['smtps://mail.example', 'tls', 465],
    ['smtps://127.0.0.1:4650', 'tls', 4650],
    ['smtp://mail.example', 'starttls', 587],
    ['smtp://10.0.0.1:25', 'starttls', 25],
    ['smtp://127.0.0.1.mail.example', 'starttls', 587],
    ['smtp://localhost', 'none', 25],
    ['smtp://[::1]:2525', 'none', 2525],
  ];
  for (const [url, security, port] of rows) {
    const server = parseSmtpUrl(url);
    assert.deepEqual([server.security, server.port, server.login], [security, port, undefined], url);
  }
  assert.equal(parseSmtpUrl('smtp://[::1]:2525').host, '::1');
  const { host, login } = parseSmtpUrl('smtps://a%40b:c%3Ad@mail.example');
  assert.deepEqual([host, login], ['mail.example', { user: 'a@b', pass: 'c:d' }]);
});

test('a refusal of the mail is permanent from 500 on, and otherwise temporary', async (context) => {
  let responseCode = 0;
  const { port } = await startSmtpReceiver(context, {
    onRcptTo: (_address, _session, callback) => callback(Object.assign(new Error('no'), { responseCode })),
  });
  const sender = await createSmtpSender(parseSmtpUrl(`smtp://127.0.0.1:${port}`), FROM, clock);
  for (const [code, outcome] of [
    [450, 'retry'],
    [499, 'retry'],
    [500, 'refused'],
    [501, 'refused'],
    [599, 'refused'],
  ] as const) {
    responseCode = code;
    await assert.rejects(sender.send(MESSAGE, NEVER), { code: `smtp_${code}`, outcome });
  }
});

test('a mail server can be greeted without a mail', async (context) => {
  const asked: (string | undefined)[] = [];
  const options: SMTPServerOptions = {
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) => {
      asked.push(username);
      if (password === 'word') callback(null, { user: username });
      else callback(new Error('no'));
    },
  };
  const { port, mails, receiver } = await startSmtpReceiver(context, options);
  const server = (login = '') => parseSmtpUrl(`smtp://${login}127.0.0.1:${port}`);
  await checkSmtpServer(server());
  assert.deepEqual(asked, []);
  await checkSmtpServer(server('ada:word@'));
  assert.deepEqual(asked, ['ada']);
  await assert.rejects(checkSmtpServer(server('ada:wrong@')), { code: 'smtp_535', outcome: 'retry' });
  assert.deepEqual(mails, []);
  await receiver.stop();
  await assert.rejects(checkSmtpServer(server()), { code: 'smtp_esocket', outcome: 'retry' });
});

test('a mail server has five seconds until its greeting', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: clock.now() });
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const connected = once(silent, 'connection');
  const server = parseSmtpUrl(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const failures: SendFailure[] = [];
  const greeted = checkSmtpServer(server).catch((error: SendFailure) => {
    failures.push(error);
  });
  const [socket] = await connected;
  context.after(() => {
    socket.destroy();
    silent.close();
  });
  context.mock.timers.tick(4_999);
  await turn();
  assert.deepEqual(failures, []);
  context.mock.timers.tick(1);
  await greeted;
  assert.deepEqual(
    failures.map(({ code, outcome }) => [code, outcome]),
    [['smtp_etimedout', 'retry']],
  );
});

async function refusedOver(context: TestContext, security: SmtpServer['security'], options: SMTPServerOptions) {
  const { port, mails } = await startSmtpReceiver(context, options);
  const sender = await createSmtpSender({ host: '127.0.0.1', port, security, login: undefined }, FROM, clock);
  await assert.rejects(sender.send(MESSAGE, NEVER), (failure: SendFailure) => failure.outcome === 'retry');
  assert.deepEqual(mails, []);
}

test('a server that must offer STARTTLS and does not gets nothing', (context) => refusedOver(context, 'starttls', {}));

test('an untrusted certificate is refused, with TLS from the start and with STARTTLS', async (context) => {
  await refusedOver(context, 'tls', { secure: true });
  await refusedOver(context, 'starttls', { disabledCommands: [] });
});
