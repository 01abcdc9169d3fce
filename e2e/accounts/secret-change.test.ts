import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PERSISTENT_LOCATIONS } from '@poolgate/store/testing';
import type { StartOptions } from 'poolgate';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import { createSignedHeaders } from '../support/requests/signed-headers.ts';
import { findLatestCode, logIn } from '../support/routes/owner-login.ts';
import {
  createDeviceClaim,
  createRememberedDevice,
  proveDevice,
  startDeviceSrp,
} from '../support/routes/route-devices.ts';
import { computeTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { createFiveKeyClaim, createVerifierAnswer, startSrpLogin } from '../support/routes/route-srp.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const OLD = 'the-old-secret-of-this-test-0123456789';
const NEW = 'the-new-secret-of-this-test-9876543210';
const MAIN = fileURLToPath(new URL('../../packages/poolgate/src/main.ts', import.meta.url));

/** A port without a mail server, so that messages wait in the database. */
const NO_MAIL = { smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'poolgate@example.com' };

interface Site {
  readonly databaseUrl: string;
  readonly dataDir: string;
  start(secrets: readonly string[], more?: StartOptions): Promise<TestService>;
  /** Runs a command with the real clock. */
  poolgate(secrets: readonly string[], ...words: string[]): Promise<{ exitCode: number; out: string; err: string }>;
  /** Runs a command and kills it after this time, without a chance to clean up. */
  killed(secrets: readonly string[], afterMs: number, ...words: string[]): Promise<void>;
}

async function siteOn(context: TestContext, databaseUrl: string): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), 'poolgate-secret-'));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  const clock = new TestClock(Date.now());
  const begin = (secrets: readonly string[], words: readonly string[]) =>
    spawn(process.execPath, [MAIN, ...words], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        POOLGATE_DATA_DIR: dataDir,
        POOLGATE_SECRET: secrets.join(','),
      },
    });
  return {
    databaseUrl,
    dataDir,
    async start(secrets, more = {}) {
      const service = await startTestService({ databaseUrl, dataDir, secrets, privateWebhooks: true, ...more }, clock);
      context.after(() => service.close().catch(() => {}));
      return service;
    },
    async poolgate(secrets, ...words) {
      const child = begin(secrets, words);
      const [[exitCode], out, err] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
      return { exitCode: exitCode as number, out, err };
    },
    async killed(secrets, afterMs, ...words) {
      const child = begin(secrets, words);
      const ended = once(child, 'close');
      const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

const ok = (answer: Exchange): Exchange => {
  assert.ok(answer.status < 300, answer.text);
  return answer;
};

const CREATION = { email: 'idempotent@example.com' };

/** Everything that depends on the secret, created under the old one, with a check that it is still valid. */
async function everything(service: TestService) {
  for (const name of ['ada', 'bob', 'eve', 'sue']) await addUser(service, `${name}@example.com`);
  const plain = await logIn(service, 'ada@example.com');
  const device = await createRememberedDevice(service, 'bob@example.com');
  const totp = await createActiveAuthenticator(service, 'eve@example.com');
  service.clock.advance(60_000);
  const asked = await service.post('/login', { username: 'eve@example.com', password: PASSWORD });
  const answer = { challenge_name: 'SOFTWARE_TOKEN_MFA', session: asked.body.session, username: 'eve@example.com' };
  const eve = requireTokens(
    await service.post('/challenge', { ...answer, challenge_value: computeTotpCode(service, totp) }),
  );
  const recovery = ok(await service.post('/user/mfa/recovery-codes', {}, createBearerHeader(eve.access))).body;
  ok(await service.post('/password/forgot', { email: 'sue@example.com' }));
  const webhook = { url: 'http://127.0.0.1:9/', events: ['user.created'], description: '' };
  ok(await service.post('/admin/webhooks', webhook, service.asAdmin));
  const once_ = { ...service.asAdmin, 'idempotency-key': 'one' };
  const created = ok(await service.post('/admin/users', CREATION, once_));
  const client = ok(
    await service.call(
      'CreateUserPoolClient',
      {
        UserPoolId: service.userPoolId,
        ClientName: 'backend',
        GenerateSecret: true,
        ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
      },
      service.asAdmin,
    ),
  ).body.UserPoolClient as { ClientId: string; ClientSecret: string };
  return {
    plain,
    device,
    totp,
    recoveryCode: String((recovery.recovery_codes as string[])[0]),
    resetCode: findLatestCode(service, 'sue@example.com'),
    once_,
    created: created.body,
    client,
  };
}

/** Everything issued before is valid, whatever secret created it. */
async function assertStillGood(service: TestService, made: Awaited<ReturnType<typeof everything>>): Promise<void> {
  const { plain, device, totp, recoveryCode, resetCode, once_, created, client } = made;
  assert.equal((await service.get('/user/profile', createBearerHeader(plain.access))).status, 200);
  ok(await service.post('/token/refresh', { refresh_token: plain.refresh }));
  const challenge = await startDeviceSrp(service, device);
  requireTokens(await proveDevice(service, challenge, createDeviceClaim(service, challenge)));
  for (const code of [() => computeTotpCode(service, totp), () => recoveryCode]) {
    service.clock.advance(60_000);
    const asked = await service.post('/login', { username: 'eve@example.com', password: PASSWORD });
    const answer = { challenge_name: 'SOFTWARE_TOKEN_MFA', session: asked.body.session, username: 'eve@example.com' };
    requireTokens(await service.post('/challenge', { ...answer, challenge_value: code() }));
  }
  ok(await service.post('/password/reset', { email: 'sue@example.com', code: resetCode, password: 'Another-Horse2!' }));
  const again = ok(await service.post('/admin/users', CREATION, once_));
  assert.deepEqual(again.body, created);
  const SECRET_HASH = createHmac('sha256', client.ClientSecret)
    .update(`ada@example.com${client.ClientId}`)
    .digest('base64');
  const AuthParameters = { USERNAME: 'ada@example.com', PASSWORD, SECRET_HASH };
  ok(await service.call('InitiateAuth', { ClientId: client.ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }));
}

interface Line {
  readonly column: string;
  readonly encrypted_again: number;
  readonly not_opened: number;
}

const parseLines = (out: string): readonly Line[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const COLUMNS = [
  'pools.secret_sealed',
  'clients.secrets_sealed',
  'signing_keys.private_sealed',
  'credentials.verifier_sealed',
  'devices.verifier_sealed',
  'totp_factors.secret_sealed',
  'messages.sealed',
  'admin_keys.signing_secret_sealed',
  'webhooks.secret_sealed',
  'idempotency_keys.answer_sealed',
  'idempotency_keys.request_digest_hex',
  'pending_srp.sealed',
];

for (const [placeName, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`a new POOLGATE_SECRET on ${placeName}`, () => {
    it('re-encrypts everything while a service runs that knows it, and everything issued before stays valid without the old one', async (context) => {
      const place = await makePlace();
      const site = await siteOn(context, place.url);
      const before = await site.start([OLD]);
      const made = await everything(before);
      const key = await site.poolgate([OLD], 'admin-key', 'create', 'backend', '--scope', 'users:read', '--json');
      const { id, secret } = JSON.parse(key.out) as { id: string; secret: string };
      const begun = await startSrpLogin(before, 'ada@example.com', { serverMade: true });
      const refused = await site.poolgate([NEW, OLD], 'secrets', 'reencrypt');
      assert.deepEqual([refused.exitCode, refused.out], [1, '']);
      assert.match(refused.err, /these services do not have the first secret in POOLGATE_SECRET/);
      await before.close();
      const waiting = await site.start([OLD], NO_MAIL);
      ok(await waiting.post('/password/forgot', { email: 'bob@example.com' }));
      await waiting.close();
      const both = await site.start([NEW, OLD], NO_MAIL);

      const during = await site.poolgate([NEW, OLD], 'doctor', '--json');
      assert.match(during.out, /values in the database are still encrypted with an older secret/);
      const reencrypted = await site.poolgate([NEW, OLD], 'secrets', 'reencrypt', '--json');
      assert.equal(reencrypted.exitCode, 0, reencrypted.err);
      const lines = parseLines(reencrypted.out);
      assert.deepEqual(lines.map(({ column }) => column).sort(), [...COLUMNS].sort());
      for (const line of lines) assert.ok(line.encrypted_again > 0 && line.not_opened === 0, JSON.stringify(line));
      const after = await site.poolgate([NEW, OLD], 'doctor', '--json');
      assert.match(after.out, /Nothing in the database is encrypted with an older secret/);
      assert.equal((await site.poolgate([NEW, OLD], 'secrets', 'reencrypt', '--json')).out, '');

      // A login that began before completes after, while the old secret is configured.
      requireTokens(
        await both.post('/login/auth-challenge', createVerifierAnswer(begun, createFiveKeyClaim(both, begun))),
      );
      await both.close();
      const alone = await site.start([NEW]);
      await assertStillGood(alone, made);
      const signed = await createSignedHeaders(alone, { method: 'GET', path: '/admin/users' }, { keyId: id, secret });
      assert.equal((await alone.get('/admin/users', signed)).status, 200);
      assert.ok(findLatestCode(alone, 'bob@example.com'), 'a message that waited is sent');
      await alone.close();
      await place.remove();
    });

    it('re-encrypts everything although runs are killed and two run in parallel, while users log in', async (context) => {
      const place = await makePlace();
      const site = await siteOn(context, place.url);
      const before = await site.start([OLD]);
      const names = Array.from({ length: 24 }, (_, index) => `user${index}@example.com`);
      for (const email of names) await addUser(before, email);
      await before.close();
      const both = await site.start([NEW, OLD]);
      const loggingIn = (async () => {
        for (const email of names.slice(0, 12)) await logIn(both, email);
      })();
      for (const afterMs of [300, 500]) await site.killed([NEW, OLD], afterMs, 'secrets', 'reencrypt');
      const runs = await Promise.all([1, 2].map(() => site.poolgate([NEW, OLD], 'secrets', 'reencrypt', '--json')));
      for (const { err } of runs) assert.doesNotMatch(err, /Error|not in POOLGATE_SECRET/);
      await loggingIn;
      const { exitCode, err } = await site.poolgate([NEW, OLD], 'secrets', 'reencrypt', '--json');
      assert.equal(exitCode, 0, err);
      await both.close();
      const alone = await site.start([NEW]);
      for (const email of names) await logIn(alone, email);
      await alone.close();
      await place.remove();
    });

    it('is refused on its own while the old one is needed, and the doctor counts what depends on it', async (context) => {
      const place = await makePlace();
      const site = await siteOn(context, place.url);
      const before = await site.start([OLD]);
      await addUser(before, 'ada@example.com');
      await before.close();
      await assert.rejects(site.start([NEW]), /encrypted with a secret that is not in POOLGATE_SECRET/);
      const { exitCode, out } = await site.poolgate([NEW], 'doctor', '--json');
      assert.equal(exitCode, 1);
      assert.match(out, /[1-9]\d* values in the database are encrypted with a secret that is not in POOLGATE_SECRET/);
      assert.match(out, /credentials\.verifier_sealed 2/);
      await place.remove();
    });
  });
}
