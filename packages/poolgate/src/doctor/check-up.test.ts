import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createCognitoProvider } from '@poolgate/provider-cognito';
import { createTestDatabase } from '@poolgate/store/testing';
import type { Environment } from '../config/setting-sources.ts';
import { DEMO_USER, type Service } from '../index.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { createFrontEnvironment, requestRoute, startPoolService } from '../providers/testing/front-service.ts';
import { startSmtpReceiver } from '../senders/testing/smtp-receiver.ts';
import { start } from '../service/start.ts';
import { type CheckUpOptions, runCheckUp } from './check-up.ts';
import type { CheckRow } from './findings/finding.ts';

// The SDK looks for credentials on the machine if there are none, which takes a while.
process.env.AWS_EC2_METADATA_DISABLED = 'true';

const TEST_USER = { username: DEMO_USER.email, password: DEMO_USER.password };
const CALL = { requestId: 'test', sourceAddress: '127.0.0.1' };

interface Look extends CheckUpOptions {
  readonly environment?: Environment;
  /** How far the clock of the doctor is ahead. */
  readonly aheadMs?: number;
}

function look(environment: Environment, { aheadMs = 0, environment: more, ...options }: Look = {}) {
  const system = { ...HOST_SYSTEM, clock: { now: () => Date.now() + aheadMs } };
  return runCheckUp({ ...environment, ...more }, system, options);
}

const lookBefore = (behind: Service, look_: Look = {}) => look(createFrontEnvironment(behind), look_);

const faults = (rows: readonly CheckRow[]): readonly string[] =>
  rows.filter(({ result }) => result === 'fault').map(({ check }) => check);

function finding(rows: readonly CheckRow[], check: string): CheckRow {
  return rows.find((row) => row.check === check) ?? assert.fail(`no row ${check}: ${JSON.stringify(rows)}`);
}

/** Configures the pool behind the service as its administrator would. */
function createAdministrator({ url, userPoolId, clientId, adminKey }: Service, context: TestContext) {
  const credentials = { accessKeyId: adminKey?.id ?? '', secretAccessKey: adminKey?.secret ?? '' };
  const provider = createCognitoProvider({
    region: 'us-east-1',
    userPoolId,
    clientId,
    clientSecrets: [],
    endpoint: url,
    credentials: async () => credentials,
    clock: Date,
  });
  context.after(() => provider.close());
  return provider.operations;
}

test('a correct pool and test user have no fault, and the rehearsal leaves nothing behind', async (context) => {
  const behind = await startPoolService(context);
  const rows = await lookBefore(behind, { testUser: TEST_USER, withTotp: true });
  assert.deepEqual(faults(rows), [], JSON.stringify(rows));
  assert.deepEqual(
    rows.map(({ check }) => check).filter((check, index, all) => all.indexOf(check) === index),
    [
      'configuration',
      'secrets',
      'store',
      'passkeys',
      'recent login',
      'clock',
      'signing keys',
      'app client',
      'pool settings',
      'administration',
      'messages',
      'login',
      'tokens',
      'authenticator',
      'device',
      'device login',
      'refresh',
      'device removed',
      'revocation',
    ],
  );
  for (const { advice, result } of rows) assert.equal(advice === undefined, result === 'ok');
  const { body } = await requestRoute(behind, 'POST', '/login', { body: TEST_USER });
  const bearer = body.access_token;
  assert.deepEqual((await requestRoute(behind, 'GET', '/device', { bearer })).body.devices, []);
  assert.equal(
    ((await requestRoute(behind, 'GET', '/user/sessions', { bearer })).body.sessions as unknown[]).length,
    1,
  );
});

test('faults of the configuration are listed, and nothing else is checked', async () => {
  const rows = await look({ IDP_PROVIDER: 'cognito', PORT: 'x' });
  assert.deepEqual(faults(rows), ['configuration', 'configuration', 'configuration']);
  assert.equal(rows.length, 3);
  assert.match(rows[0]?.advice ?? '', /^Allowed: /);
});

test('a clock that is off is found: a little, and too much', async (context) => {
  const behind = await startPoolService(context);
  const little = await lookBefore(behind, { aheadMs: 30_000 });
  assert.deepEqual(finding(little, 'clock').result, 'warn');
  const much = finding(await lookBefore(behind, { aheadMs: -10 * 60_000 }), 'clock');
  assert.equal(much.result, 'fault');
  assert.match(much.finding, /is (59[5-9]|60[0-5]) s behind the provider's/);
});

test('an unreachable provider is found', async (context) => {
  const behind = await startPoolService(context);
  const rows = await lookBefore(behind, { environment: { IDP_ENDPOINT: 'http://127.0.0.1:9' }, testUser: TEST_USER });
  assert.deepEqual(faults(rows), ['signing keys', 'app client', 'administration', 'login']);
  assert.match(finding(rows, 'app client').finding, /ECONNREFUSED/);
  assert.equal(finding(rows, 'clock').result, 'warn');
});

const PLANTED: readonly {
  readonly what: string;
  readonly environment: Environment;
  readonly found: RegExp;
  readonly at: string;
}[] = [
  {
    what: 'keys at another address',
    environment: { IDP_JWKS_URL: 'http://127.0.0.1:9/jwks.json' },
    at: 'signing keys',
    found: /cannot be read at http:\/\/127\.0\.0\.1:9\/jwks\.json/,
  },
  {
    what: 'an unknown app client',
    environment: { IDP_CLIENT_ID: 'nosuchclient' },
    at: 'app client',
    found: /does not exist/,
  },
  {
    what: 'another pool',
    environment: { IDP_USER_POOL_ID: 'us-east-1_Unknown12' },
    at: 'signing keys',
    found: /cannot be read/,
  },
  {
    what: 'a secret that the app client does not have',
    environment: { IDP_CLIENT_SECRET: 'notitssecret' },
    at: 'pool settings',
    found: /the app client has no secret/,
  },
  { what: 'another MFA', environment: { IDP_MFA_SETUP: 'ON' }, at: 'pool settings', found: /IDP_MFA_SETUP differs/ },
  {
    what: 'another relying party',
    environment: { IDP_RP_ID: 'example.com', IDP_ORIGINS: 'https://example.com' },
    at: 'pool settings',
    found: /relying party of the pool differs/,
  },
  {
    what: 'a wrong signing secret',
    environment: { AWS_SECRET_ACCESS_KEY: 'wrong' },
    at: 'administration',
    found: /credentials are refused/,
  },
];

for (const { what, environment, at, found } of PLANTED) {
  test(`${what}: found, with a fix`, async (context) => {
    const rows = await lookBefore(await startPoolService(context), { environment });
    const planted = rows.find((row) => row.check === at && row.result === 'fault' && found.test(row.finding));
    assert.ok(planted?.advice, JSON.stringify(rows));
  });
}

test('missing AWS credentials are no fault, because logins do not need them', async (context) => {
  const environment = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };
  const rows = await lookBefore(await startPoolService(context), { environment, testUser: TEST_USER });
  assert.equal(finding(rows, 'administration').result, 'warn');
  assert.match(finding(rows, 'pool settings').finding, /\w+ failed \(/);
  assert.deepEqual(faults(rows), []);
});

test('an app client that does not allow SRP is found twice: by a call, and in its settings', async (context) => {
  const behind = await startPoolService(context);
  const { userPoolId: UserPoolId, clientId: ClientId } = behind;
  await createAdministrator(behind, context).updateUserPoolClient(
    { UserPoolId, ClientId, ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH', 'ALLOW_USER_AUTH'] },
    CALL,
  );
  const rows = await lookBefore(behind);
  assert.match(finding(rows, 'app client').finding, /does not allow SRP logins/);
  assert.ok(rows.some((row) => row.check === 'pool settings' && /does not allow SRP logins/.test(row.finding)));
});

test('a pool that accepts addresses without verification is found, behind the service and in it', async (context) => {
  const update = (service: Service) =>
    createAdministrator(service, context).updateUserPool(
      { UserPoolId: service.userPoolId, AutoVerifiedAttributes: ['email'] },
      CALL,
    );
  const warned = (rows: readonly CheckRow[]) =>
    rows.filter(({ finding: text }) => /email address of another person/.test(text)).map(({ check }) => check);
  const behind = await startPoolService(context);
  assert.deepEqual(warned(await lookBefore(behind)), []);
  await update(behind);
  assert.deepEqual(warned(await lookBefore(behind)), ['pool settings']);
  assert.deepEqual(warned(await look(await startedStore(context, update))), ['pool settings']);
});

test('an unmapped trigger is a fault, unless development sends the default text instead', async (context) => {
  const arn = 'arn:aws:lambda:us-east-1:123456789012:function:unmapped';
  const withTriggers = (LambdaConfig: object) =>
    startedStore(context, (service) =>
      createAdministrator(service, context).updateUserPool({ UserPoolId: service.userPoolId, LambdaConfig }, CALL),
    );
  const login = finding(await look(await withTriggers({ PreAuthentication: arn })), 'triggers');
  assert.equal(login.result, 'fault');
  assert.match(
    login.finding,
    /^PreAuthentication of the pool us-east-1_\w+ is not mapped \(arn:.*:unmapped\): requests/,
  );
  const message = finding(await look(await withTriggers({ CustomMessage: arn })), 'triggers');
  assert.equal(message.result, 'warn');
  assert.match(message.finding, /messages use the default text; in production they would be held back/);
});

test('settings of a pool that are stored without effect are listed', async (context) => {
  const environment = await startedStore(
    context,
    (service) =>
      createAdministrator(service, context).createUserPool(
        {
          PoolName: 'imported',
          DcrConfiguration: { EnableStatus: 'Enabled' },
          Policies: { PasswordPolicy: { PasswordHistorySize: 5 } },
        },
        CALL,
      ),
    { POOLGATE_UNSUPPORTED_SETTINGS: 'warn' },
  );
  const rows = await look(environment);
  const found = rows.filter(({ finding: text }) => /^The service does not support /.test(text));
  assert.deepEqual(
    found.map(({ check, result, finding: text }) => [
      check,
      result,
      /^The service does not support (\w+)/.exec(text)?.[1],
    ]),
    [
      ['pool settings', 'warn', 'PasswordHistorySize'],
      ['pool settings', 'warn', 'DcrConfiguration'],
    ],
  );
  assert.match(
    found[0]?.finding ?? '',
    /of the pool us-east-1_\w+\. It is stored but has no effect, so it protects no user\.$/,
  );
});

test('passkeys that pages of the service cannot use are reported', async () => {
  const environment = { DATABASE_URL: 'sqlite::memory:', BASE_URL: 'http://127.0.0.1:3000' };
  const rows = await look({ ...environment, IDP_RP_ID: 'example.com', IDP_ORIGINS: 'https://app.example.com' });
  assert.match(finding(rows, 'passkeys').finding, /not on the pages of this service/);
  assert.match(finding(await look(environment), 'passkeys').finding, /BASE_URL does not allow passkeys/);
  assert.equal(finding(await look({ ...environment, IDP_ALLOW_PASSKEYS: 'false' }), 'passkeys').result, 'ok');
});

test('an older secret next to the new one is reported', async () => {
  const POOLGATE_SECRET = 'a-new-secret-of-this-test-0123456789,an-old-secret-of-this-test-9876543210';
  const rows = await look({ DATABASE_URL: 'sqlite::memory:', POOLGATE_SECRET });
  assert.ok(rows.some(({ check, result }) => check === 'secrets' && result === 'warn'));
});

test('settings that protect less than they could are reported', async () => {
  const rows = await look({ DATABASE_URL: 'sqlite::memory:', POOLGATE_LIMIT_READS: '0' });
  const { result, finding: found, advice } = finding(rows, 'protection');
  assert.equal(result, 'warn');
  assert.match(
    `${found} ${advice}`,
    /^POOLGATE_LIMIT_READS is 0: a single address can send unlimited requests\. Unset POOLGATE_LIMIT_READS or raise it\.$/,
  );
});

test('a wrong password, a temporary one, and a different issuer end the rehearsal', async (context) => {
  const behind = await startPoolService(context);
  const wrong = await lookBefore(behind, { testUser: { ...TEST_USER, password: 'Wrong-Passw0rd!' } });
  assert.match(finding(wrong, 'login').finding, /invalid_credentials/);
  const invited = { username: 'ada@example.com', password: 'Ada-Passw0rd!' };
  const body = { email: invited.username, temp_password: invited.password };
  await requestRoute(behind, 'POST', '/admin/users', { bearer: behind.adminKey?.bearer, body });
  const temporary = await lookBefore(behind, { testUser: invited });
  assert.match(finding(temporary, 'login').finding, /NEW_PASSWORD_REQUIRED/);
  assert.match(finding(temporary, 'login').advice ?? '', /permanent password/);
  const issuer = { environment: { IDP_ISSUER: 'https://issuer.example' } };
  const foreign = await lookBefore(behind, { ...issuer, testUser: TEST_USER });
  assert.deepEqual(faults(foreign).at(-1), 'tokens');
  assert.match(
    finding(foreign, 'tokens').finding,
    /^The access token has the issuer "https:\/\/cognito-idp\..+" instead of https:\/\/issuer\.example\.$/,
  );
});

/** A store with an embedded pool from an earlier start. */
async function startedStore(
  context: TestContext,
  change: (service: Service) => Promise<unknown> = async () => {},
  settings: Environment = {},
): Promise<Environment> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-doctor-'));
  context.after(() => rm(folder, { recursive: true }));
  const environment = { POOLGATE_DATA_DIR: folder, PORT: '3000', ...settings };
  const service = await start({ environment, port: 0 });
  await change(service);
  await service.close();
  return environment;
}

test('the embedded pool is checked on its own store, with the test user', async (context) => {
  const environment = await startedStore(context);
  const rows = await look(environment, { testUser: TEST_USER, withTotp: true });
  assert.deepEqual(
    rows.filter(({ result }) => result !== 'ok'),
    [],
  );
  assert.equal(rows.at(-1)?.check, 'revocation');
});

test('a brand file that would stop the start is a fault', async (context) => {
  const environment = await startedStore(context);
  const rows = await look(environment, { environment: { POOLGATE_BRAND_FILE: '/nowhere/brand.json' } });
  const found = rows.filter(({ result }) => result === 'fault').map(({ finding: text }) => text);
  assert.deepEqual(found, ['POOLGATE_BRAND_FILE: /nowhere/brand.json, cannot be read (ENOENT).']);
});

test('keys that sign with ES256 are reported, because some verifiers refuse them', async (context) => {
  const environment = await startedStore(context, undefined, { IDP_SIGNING_ALGORITHM: 'ES256' });
  const keys = finding(await look(environment, { testUser: TEST_USER }), 'signing keys');
  assert.equal(keys.result, 'warn');
  assert.match(keys.finding, /publishes 2 signing keys, for ES256\./);
  assert.match(keys.advice ?? '', /IDP_SIGNING_ALGORITHM=RS256/);
});

test('a missing store is not created, and another file is a fault', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-doctor-'));
  context.after(() => rm(folder, { recursive: true }));
  const rows = await look({ POOLGATE_DATA_DIR: join(folder, 'data') }, { testUser: TEST_USER });
  assert.match(finding(rows, 'store').finding, /database does not exist yet/);
  assert.equal(finding(rows, 'provider').result, 'warn');
  assert.deepEqual(faults(rows), ['login']);
  await assert.rejects(rm(join(folder, 'data')), { code: 'ENOENT' });
  const broken = await look({ DATABASE_URL: `sqlite:${folder}` });
  assert.deepEqual(faults(broken), ['store']);
});

test('the limits of a database server are reported, and one that is read-only is a fault', async (context) => {
  const database = await createTestDatabase();
  context.after(() => database.drop());
  const url = new URL(database.url);
  const told = async () => (await look({ DATABASE_URL: url.href })).filter(({ check }) => check === 'store').at(-1);
  assert.match(
    (await told())?.finding ?? '',
    /in transactions: statement_timeout \d+ ms, .*by role or database: .* none/,
  );
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  assert.equal((await told())?.result, 'fault');
});

test('a store that other secrets encrypted is a fault', async (context) => {
  const environment = await startedStore(context);
  const rows = await look({ ...environment, POOLGATE_SECRET: 'another-secret-of-more-than-32-characters' });
  assert.match(finding(rows, 'provider').finding, /encrypted with development secrets/);
});

test('the mail server is greeted, and gets a message only on request', async (context) => {
  const mail = await startSmtpReceiver(context);
  const environment = await startedStore(context);
  const POOLGATE_SMTP_URL = `smtp://127.0.0.1:${mail.port}`;
  const sending = { ...environment, POOLGATE_SMTP_URL, POOLGATE_MAIL_FROM: 'no-reply@example.com' };
  assert.match(finding(await look(sending), 'messages').finding, /^The mail server 127\.0\.0\.1 is reachable\.$/);
  assert.equal(mail.mails.length, 0);
  const rows = await look(sending, { sendTo: 'ops@example.com' });
  assert.ok(rows.some(({ finding: found }) => found === 'A message to ops@example.com was accepted for delivery.'));
  assert.deepEqual(
    mail.mails.map(({ to }) => to),
    [['ops@example.com']],
  );
  assert.deepEqual(faults(await look(sending, { sendTo: 'nonsense' })), ['messages']);
});

test('a mail server that is unreachable, or refuses the login, is found', async (context) => {
  const mail = await startSmtpReceiver(context, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, callback) => callback(new Error('planted words')),
  });
  const environment = { ...(await startedStore(context)), POOLGATE_MAIL_FROM: 'no-reply@example.com' };
  for (const POOLGATE_SMTP_URL of ['smtp://127.0.0.1:9', `smtp://ops:planted@127.0.0.1:${mail.port}`]) {
    const rows = await look({ ...environment, POOLGATE_SMTP_URL });
    assert.equal(finding(rows, 'messages').result, 'fault', POOLGATE_SMTP_URL);
    assert.ok(!JSON.stringify(rows).includes('planted'));
  }
});

test('an old login that can change sign-in methods at the Cognito-compatible API is reported, also if the store allows it', async (context) => {
  const environment = await startedStore(context);
  const oldLogins = async (more: Environment) => {
    const rows = await look({ ...environment, ...more }, { checklist: true });
    return [finding(rows, 'recent login'), finding(rows, 'list: old logins').result] as const;
  };
  const [made, listed] = await oldLogins({});
  assert.deepEqual([made.result, listed], ['ok', 'ok'], JSON.stringify(made));
  const [off, listedOff] = await oldLogins({ IDP_FRESH_PROOF_WIRE: 'false' });
  assert.deepEqual([off.result, listedOff], ['warn', 'warn'], JSON.stringify(off));
  const [remembered] = await oldLogins({});
  assert.equal(remembered.result, 'warn');
  assert.match(remembered.finding, /^This store keeps the value/);
  assert.equal((await oldLogins({ POOLGATE_WIRE: 'false' }))[0].result, 'ok');
  assert.equal((await oldLogins({ IDP_FRESH_PROOF_WIRE: 'true' }))[0].result, 'ok');
  const unmade = finding(await look({ DATABASE_URL: 'sqlite::memory:' }), 'recent login');
  assert.match(unmade.finding, /^A new store requires a recent login/);
});

test('the doctor says who can be affected by a password that the service never sees', async () => {
  const memory = { DATABASE_URL: 'sqlite::memory:' };
  const said = async (more: Environment) => finding(await look({ ...memory, ...more }), 'password verifiers').finding;
  assert.match(await said({}), /weakens only their own account/);
  assert.match(await said({ IDP_VERIFIER_PASSWORDS: 'false' }), /checks every new password/);
});
