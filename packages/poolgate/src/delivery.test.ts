import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runProgram } from './commands/run-program.ts';
import { type Service, type StartOptions, start } from './index.ts';
import { startSmtpReceiver } from './senders/testing/smtp-receiver.ts';

const MAIL_FROM = 'no-reply@poolgate.test';
const ADDRESS = 'ada@example.com';

async function started(context: TestContext, options: StartOptions) {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const service = await start({ databaseUrl: 'sqlite::memory:', port: 0, mailFrom: MAIL_FROM, logStream, ...options });
  context.after(() => service.close());
  return { service, lines };
}

async function cognitoApi(
  { url, clientId }: Service,
  operation: string,
  input: object,
  bearer?: string,
): Promise<number> {
  const response = await fetch(`${url}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify(bearer === undefined ? { ClientId: clientId, Username: ADDRESS, ...input } : input),
  });
  await response.body?.cancel();
  return response.status;
}

const signUp = (service: Service, attributes: readonly object[] = []): Promise<number> =>
  cognitoApi(service, 'SignUp', {
    Password: 'Ada-Passw0rd!',
    UserAttributes: [{ Name: 'email', Value: ADDRESS }, ...attributes],
  });

/** Waits for what happens after the response. The test runner's own limit ends a wait in vain. */
async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise(setImmediate);
}

test('a sign-up mails a code in the language of the user, and the code confirms', async (context) => {
  const { port, mails } = await startSmtpReceiver(context);
  const named = { appName: 'Ada & Sons, Inc.', logLevel: 'debug' } as const;
  const { service, lines } = await started(context, { smtpUrl: `smtp://127.0.0.1:${port}`, ...named });
  assert.equal(await signUp(service, [{ Name: 'locale', Value: 'de-AT' }]), 200);
  await until(() => mails.length > 0);
  const [mail] = mails;
  assert.ok(mail);
  assert.deepEqual([mail.from, mail.to], [MAIL_FROM, [ADDRESS]]);
  assert.ok(mail.headers.includes(`From: "Ada & Sons Inc." <${MAIL_FROM}>`), mail.headers.join('\n'));
  assert.match(mail.html, />Ada &amp; Sons, Inc\.<\/p>/);
  const code = /Ihr Bestätigungscode lautet (\d{8})/.exec(mail.text)?.[1] ?? '';
  assert.match(mail.html, new RegExp(`<strong>${code}</strong>`));
  assert.equal(await cognitoApi(service, 'ConfirmSignUp', { ConfirmationCode: code }), 200);
  assert.deepEqual(service.outbox?.list(undefined), [], 'the outbox holds what has no sender');
  await until(() => lines.some((line) => line.includes('A message was sent.')));
  assert.ok(!lines.join('').includes(code));
});

test('a mail server that accepts connections and never responds delays no response', async (context) => {
  const connections: Socket[] = [];
  const silent = createServer((socket) => connections.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { service } = await started(context, { smtpUrl: `smtp://127.0.0.1:${port}` });
  assert.equal(await signUp(service), 200);
  await until(() => connections.length > 0);
  assert.ok(
    connections.every(({ closed }) => !closed),
    'the sender was still waiting when the answer was there',
  );
  for (const connection of connections) connection.destroy();
  silent.close();
});

test('a permanently refused message is logged without its content, and listed by a command', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-delivery-'));
  context.after(() => rm(folder, { recursive: true }));
  const { port, receiver } = await startSmtpReceiver(context);
  receiver.answer('never');
  const environment = {
    POOLGATE_DATA_DIR: folder,
    PORT: '0',
    POOLGATE_SMTP_URL: `smtp://127.0.0.1:${port}`,
    POOLGATE_MAIL_FROM: MAIL_FROM,
  };
  const lines: string[] = [];
  const service = await start({ environment, logStream: { write: (line) => void lines.push(line) } });
  assert.equal(await signUp(service), 200);
  const isDead = (line: string): boolean => line.includes('A message could not be delivered');
  await until(() => lines.some(isDead));
  await service.close();
  const { level, channel, tries, failure, message_id: id } = JSON.parse(lines.find(isDead) ?? '{}');
  assert.deepEqual([level, channel, tries, failure], [50, 'email', 1, 'smtp_550']);
  assert.ok(!lines.join('').includes(ADDRESS));
  const out: string[] = [];
  const terminal = {
    environment,
    out: (line: string) => void out.push(line),
    err: () => {},
    readSecret: async () => '',
  };
  assert.equal(await runProgram(['messages', 'dead', '--json'], terminal), 0);
  const [listed] = out.map((line) => JSON.parse(line));
  assert.deepEqual([listed.id, listed.channel, listed.failure, listed.tries], [id, 'email', 'smtp_550', 1]);
  assert.equal(await runProgram(['messages', 'dead'], terminal), 0);
  assert.match(out[2] ?? '', /^[\da-f-]{36}\temail\t\d{4}-.*\tsmtp_550\t1 tries$/);
  assert.equal(await runProgram(['messages', 'dead', '--limit', '0'], terminal), 2);
});

test('in production a message with an unmapped trigger waits until it is mapped, as the log says', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-delivery-'));
  context.after(() => rm(folder, { recursive: true }));
  const { port, mails } = await startSmtpReceiver(context);
  let nowMs = Date.now();
  const production: StartOptions = {
    environment: { NODE_ENV: 'production' },
    secrets: ['a-production-secret-of-forty-characters!'],
    bootstrapAdminKey: { id: 'root', secret: 'a-bootstrap-secret-of-forty-characters-1' },
    databaseUrl: `sqlite:${join(folder, 'pool.db')}`,
    dataDir: folder,
    smtpUrl: `smtp://127.0.0.1:${port}`,
    clock: { now: () => nowMs },
  };
  const CustomMessage = 'arn:aws:lambda:us-east-1:123456789012:function:words';
  const first = await started(context, production);
  const { userPoolId: UserPoolId, adminKey, url } = first.service;
  const change = { UserPoolId, LambdaConfig: { CustomMessage }, AutoVerifiedAttributes: ['email'] };
  assert.equal(await cognitoApi(first.service, 'UpdateUserPool', change, adminKey?.bearer), 200);
  const logged = first.lines.map((line) => JSON.parse(line)).filter(({ msg }) => /is not mapped/.test(msg));
  assert.deepEqual(
    logged.map(({ level, arn, pool, triggers }) => [level, arn, pool, triggers]),
    [[40, CustomMessage, UserPoolId, ['CustomMessage']]],
  );
  assert.equal(await signUp(first.service), 200);
  await until(() => first.lines.some((line) => line.includes('trigger_not_mapped')));
  const ready = await fetch(`${url}/readyz`);
  const { checks } = (await ready.json()) as { readonly checks: { readonly triggers: string } };
  assert.deepEqual([ready.status, checks.triggers], [200, 'failing']);
  await first.service.close();
  assert.equal(mails.length, 0);
  nowMs += 30_000;
  const words = async (event: { response: object }) => ({ ...event, response: { emailMessage: 'Now: {####}' } });
  await started(context, { ...production, triggers: { [CustomMessage]: words } });
  await until(() => mails.length > 0);
  assert.match(mails[0]?.text ?? '', /Now: \d{8}/);
});

test('a start warns of factors that cannot be sent, and of TOTP secrets that leave the service', async (context) => {
  const { lines } = await started(context, {
    environment: { NODE_ENV: 'production' },
    secrets: ['a-production-secret-of-forty-characters!'],
    mfaTypes: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA'],
    mfaQrLibrary: 'https://qr.example.com/?data=',
  });
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
  const messages = warnings.map(({ msg }) => String(msg));
  for (const told of [/No email sender/, /No sender for text messages/, /secret of every new authenticator leaves/]) {
    assert.equal(messages.filter((message) => told.test(message)).length, 1, messages.join('\n'));
  }
});

test('a setting that contradicts the store stops the start with one line', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-delivery-'));
  context.after(() => rm(folder, { recursive: true }));
  const first = await start({ port: 0, dataDir: folder, recovery: 'phone', mfaTypes: ['EMAIL_OTP'] });
  await first.close();
  await assert.rejects(start({ port: 0, dataDir: folder, mfaTypes: ['SMS_MFA'] }), {
    name: 'StartError',
    code: 'setting_refused',
    message: /^a setting of the pool is refused: mfaMethods must not hold SMS_MFA/,
  });
});
