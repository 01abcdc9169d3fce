import assert from 'node:assert/strict';
import type { SearchableAttribute } from '@poolgate/pool/store';
import type { Store } from '../open-store.ts';
import { sampleEvent, sampleGroup } from './sample-account-records.ts';

const POOL = 'us-east-1_Fixture01';

async function listFoundUsernames(
  { poolStore }: Store,
  attribute: SearchableAttribute,
  value: string,
): Promise<readonly string[]> {
  const { rows } = await poolStore.users.search(POOL, { attribute, match: 'prefix', value }, 10, undefined);
  return rows.map((user) => user.username);
}

/** Users of every version can be found. */
export async function assertSearch(store: Store): Promise<void> {
  assert.deepEqual(await listFoundUsernames(store, 'email', 'ADA@'), ['ada']);
  assert.deepEqual(await listFoundUsernames(store, 'name', 'adà "A" O\'hara'), ['ada']);
  assert.deepEqual(await listFoundUsernames(store, 'family_name', ''), []);
  assert.deepEqual(await listFoundUsernames(store, 'username', 'b'), ['bob']);
  assert.deepEqual(await listFoundUsernames(store, 'sub', 'sub-'), ['ada', 'bob']);
  assert.deepEqual(await listFoundUsernames(store, 'cognito:user_status', 'force'), ['bob']);
  assert.deepEqual(await listFoundUsernames(store, 'status', ''), ['bob', 'ada']);
}

/** An old database has no groups, events or webhooks, but they can be created. */
export async function assertNoAccounts({ poolStore, records }: Store): Promise<void> {
  const settings = (await poolStore.pools.byId(POOL))?.settings;
  assert.deepEqual(
    [settings?.requireVerificationBeforeUpdate, settings?.verifierPasswords, settings?.notMeUrl],
    [['email', 'phone_number'], true, null],
  );
  assert.equal((await poolStore.logins.byId('login-live'))?.sourceAddress, null);
  assert.deepEqual((await poolStore.users.byUsername(POOL, 'ada'))?.groups, []);
  assert.deepEqual((await poolStore.groups.list(POOL, 10, undefined)).rows, []);
  assert.deepEqual((await records.events.page({ userPoolId: POOL }, 10, undefined)).rows, []);
  assert.deepEqual(await records.webhooks.list(), []);
  await poolStore.write(async (transaction) => {
    await transaction.groups.insert(sampleGroup(POOL, 'g'));
    await transaction.groups.addMember(POOL, 'g', 'ada', 1);
    await transaction.events.append(sampleEvent(POOL, 'e'));
  });
  assert.deepEqual((await poolStore.users.byUsername(POOL, 'ada'))?.groups, [
    { name: 'g', precedence: null, roleArn: null },
  ]);
  assert.equal((await records.events.page({ userPoolId: POOL }, 10, undefined)).rows.length, 1);
}

async function assertGroups({ poolStore }: Store): Promise<void> {
  const settings = (await poolStore.pools.byId(POOL))?.settings;
  assert.deepEqual(
    [settings?.requireVerificationBeforeUpdate, settings?.verifierPasswords, settings?.notMeUrl],
    [['email'], false, 'https://app.issuer.test/not-me'],
  );
  const role = 'arn:aws:iam::1:role/cook';
  assert.deepEqual((await poolStore.users.byUsername(POOL, 'ada'))?.groups, [
    { name: 'Köche', precedence: 3, roleArn: role },
    { name: 'all', precedence: null, roleArn: null },
  ]);
  assert.deepEqual(await poolStore.groups.byName(POOL, 'Köche'), {
    poolId: POOL,
    name: 'Köche',
    description: 'Kitchen "staff"',
    precedence: 3,
    roleArn: role,
    createdAtMs: 1_700_000_000_030,
    modifiedAtMs: 1_700_000_000_031,
  });
  assert.equal((await poolStore.codes.byPurpose(POOL, 'ada', 'verify_email'))?.destination, 'new@example.test');
  const living = await poolStore.logins.listActive(POOL, 'ada', 1_700_000_000_000, 10, undefined);
  assert.deepEqual(
    living.rows.map((login) => [login.id, login.sourceAddress]),
    [['login-live', '192.0.2.9']],
  );
  const link = await poolStore.write((transaction) => transaction.notMeLinks.take('not-me-digest', 0));
  assert.deepEqual([link?.username, link?.expiresAtMs], ['ada', 1_700_604_800_000]);
}

const FAILED_LOGIN = {
  id: '018bcfe5-6808-7000-8000-000000000002',
  atMs: 1_700_000_000_041,
  type: 'login.failed',
  outcome: 'failure',
  userPoolId: POOL,
  clientId: null,
  actor: { kind: 'anonymous', id: null },
  user: null,
  requestId: 'request-2',
  sourceAddress: '2001:db8::7',
  details: { reason: 'wrong_code' },
} as const;

async function assertEvents({ records }: Store): Promise<void> {
  assert.deepEqual((await records.events.page({ userPoolId: POOL }, 10, undefined)).rows, [
    FAILED_LOGIN,
    {
      ...FAILED_LOGIN,
      id: '018bcfe5-6800-7000-8000-000000000001',
      atMs: 1_700_000_000_040,
      type: 'login.succeeded',
      outcome: 'success',
      clientId: 'fixtureclient',
      actor: { kind: 'user', id: 'sub-ada' },
      user: { sub: 'sub-ada', username: 'ada' },
      requestId: 'request-1',
      sourceAddress: '192.0.2.9',
      details: { device: 'new' },
    },
  ]);
}

async function assertWebhooks({ records }: Store): Promise<void> {
  const webhookId = 'webhook-1';
  assert.deepEqual(await records.webhooks.list(), [
    {
      id: webhookId,
      url: 'https://hooks.test/poolgate',
      events: ['login.failed', 'user.locked'],
      secretEncrypted: 'sealed-webhook-secret',
      description: 'Büro',
      createdAtMs: 1_700_000_000_035,
    },
  ]);
  const leased = await records.deliveries.lease(1_700_000_060_000, 1_700_000_090_000, 10);
  const waiting = { webhookId, event: FAILED_LOGIN, tries: 2, deadAtMs: null, lastFailure: 'timeout' };
  assert.deepEqual(leased, [{ ...waiting, nextTryAtMs: 1_700_000_060_000 }]);
  assert.deepEqual(await records.deliveries.listDead(webhookId, 10), [
    {
      webhookId,
      event: { ...FAILED_LOGIN, id: '018bcfe5-6700-7000-8000-000000000000' },
      tries: 8,
      nextTryAtMs: 1_700_000_000_000,
      deadAtMs: 1_700_000_000_036,
      lastFailure: 'refused',
    },
  ]);
}

async function assertIdempotency({ records }: Store): Promise<void> {
  const claim = { requestDigestHex: 'request-digest', answerEncrypted: null, expiresAtMs: 1_700_000_060_000 };
  const answered = await records.idempotencyKeys.claim({ ...claim, digestHex: 'key-digest' }, 1_700_000_000_000);
  assert.deepEqual([answered?.answerEncrypted, answered?.expiresAtMs], ['sealed-answer', 1_700_086_400_000]);
  const running = { ...claim, digestHex: 'claim-digest' };
  assert.deepEqual(await records.idempotencyKeys.claim(running, 1_700_000_000_000), running);
}

/** The content of the fourth version's rows, in any later version. */
export const assertAccounts = [assertGroups, assertEvents, assertWebhooks, assertIdempotency];
