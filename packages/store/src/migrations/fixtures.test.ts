import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { openStore, type Store, type StoreOptions } from '../open-store.ts';
import { assertAccounts, assertNoAccounts, assertSearch } from '../testing/account-fixtures.ts';
import { execute } from '../testing/execute.ts';
import { assertNoPasskeys, assertPasskeys } from '../testing/passkey-fixtures.ts';
import { sampleAuthorizationCode, sampleDomain, sampleResourceServer } from '../testing/sample-oauth-records.ts';
import { sampleWebSession } from '../testing/sample-records.ts';
import { PERSISTENT_LOCATIONS, type StoreLocation } from '../testing/store-locations.ts';
import { MIGRATIONS } from './index.ts';

const POOL = 'us-east-1_Fixture01';

// A second pool of the first release, which already has one of the later settings.
const SECOND_POOL = `insert into pools (id, name, region, settings, secret_sealed, created_at_ms, modified_at_ms)
  values ('second', 'Second', 'us-east-1', '{"mfaConfiguration":"OFF","recovery":["admin_only"]}', 'sealed', 1800000000000, 5)`;

// More users than a migration processes at a time.
const MANY = 1_100;
const MANY_USERS = `with recursive series (i) as (select 1 union all select i + 1 from series where i < ${MANY})
  insert into users (pool_id, username, sub, status, enabled, attributes, created_at_ms, modified_at_ms)
  select 'us-east-1_Fixture01', 'many' || i, 'sub-many' || i, 'CONFIRMED', enabled, '{"family_name":"Many"}', 1, 1
  from series join users on username = 'ada'`;

// Old events: of administrators, failures of unauthenticated callers, and sign-ups.
const MAX_ANONYMOUS = 4;
const createEventRow = (id: string, type: string, outcome: string, actor: string) =>
  `('${id}', 'of-before', 1, '${type}', '${outcome}', '${actor}', 'sub', 'ada', 'r', 'a', '{}', 1900000000000)`;
const TENS = [10, 11, 12, 13, 14];
const MANY_EVENTS = `insert into events (id, user_pool_id, at_ms, type, outcome, actor_kind, sub, username, request_id, source_address, details, expires_at_ms)
  values ${[
    ...TENS.map((i) => createEventRow(`n${i}`, 'user.disabled', 'success', 'admin')),
    ...TENS.slice(0, 2).map((i) => createEventRow(`m${i}`, 'login.failed', 'failure', 'anonymous')),
    ...TENS.slice(2).map((i) => createEventRow(`m${i}`, 'user.signed_up', 'success', 'user')),
  ].join(', ')}`;

const DEFAULT_SETTINGS = {
  mfaMethods: ['SOFTWARE_TOKEN_MFA'],
  deviceTracking: { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: true },
  firstFactors: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'],
  recovery: ['verified_email'],
  webAuthn: null,
  requireVerificationBeforeUpdate: ['email', 'phone_number'],
  verifierPasswords: true,
  notMeUrl: null,
};

/** The content of the first release's rows, in any later version. */
async function assertFoundation({ poolStore, records }: Store): Promise<void> {
  assert.deepEqual((await poolStore.pools.first())?.settings.passwordPolicy.minimumLength, 8);
  assert.deepEqual((await poolStore.clients.byId('fixtureclient'))?.secretsEncrypted.length, 2);
  const ada = await poolStore.users.byName(POOL, 'ada@example.test');
  assert.deepEqual(ada?.user.attributes, {
    email: 'ada@example.test',
    email_verified: 'true',
    name: `Adà "A" O'Hara`,
  });
  assert.partialDeepStrictEqual(ada?.credential, {
    poolId: POOL,
    username: 'ada',
    saltHex: 'a1b2c3',
    verifierEncrypted: 'sealed-verifier-ada',
    temporaryUntilMs: 1_700_600_000_000,
    setAtMs: 1_700_000_000_004,
    version: null,
  });
  const bob = await poolStore.users.byName(POOL, 'bob');
  assert.deepEqual([bob?.user.enabled, bob?.user.status, bob?.credential], [false, 'FORCE_CHANGE_PASSWORD', undefined]);
  assert.equal((await poolStore.codes.byPurpose(POOL, 'bob', 'sign_up'))?.digestHex, 'd1');
  assert.deepEqual(
    [
      (await poolStore.logins.byId('login-live'))?.generation,
      (await poolStore.logins.byId('login-revoked'))?.revokedAtMs,
    ],
    [1, 1_700_000_200_000],
  );
  const keys = await poolStore.signingKeys.listOf(POOL);
  assert.deepEqual(
    keys.map((key) => [key.kid, key.purpose, key.retiredAtMs]),
    [
      ['kid-1', 'access', 1_700_000_300_000],
      ['kid-2', 'id', null],
    ],
  );
  assert.deepEqual(await poolStore.lockouts.bySubject(POOL, 'ada'), { failures: 5, lockedUntilMs: 1_700_000_401_000 });
  const tries = await poolStore.write(async (transaction) => [
    await transaction.challengeSessions.reserve('session-open', 1),
    await transaction.challengeSessions.reserve('session-spent', 1),
  ]);
  assert.deepEqual(tries, [3, undefined]);
  assert.equal((await records.localUsers.find(POOL, 'sub-ada'))?.isWebauthnEnabled, false);
  assert.equal(
    (await records.revocations.listBySubjects(POOL, ['login:login-revoked'], 0))[0]?.endedAtMs,
    1_700_000_200_000,
  );
  assert.equal((await records.pendingSrp.find('abcd', 0))?.startEncrypted, 'sealed-pending');
  assert.deepEqual((await records.adminKeys.find('fixturekey'))?.scopes, ['users:read', 'users:write']);
}

/** Keys of earlier versions are RSA keys. */
async function assertSigningAlgorithms({ poolStore }: Store): Promise<void> {
  const keys = await poolStore.signingKeys.listOf(POOL);
  assert.ok(keys.length > 0);
  assert.deepEqual(new Set(keys.map(({ algorithm, x, y }) => algorithm + x + y)), new Set(['RS256']));
}

/** The defaults of a first-release database for later features. */
async function assertDefaults({ poolStore, records }: Store): Promise<void> {
  const settings = (await poolStore.pools.byId(POOL))?.settings;
  assert.deepEqual({ ...settings, ...DEFAULT_SETTINGS }, settings);
  const second = await poolStore.pools.byId('second');
  assert.deepEqual(second?.settings, { ...DEFAULT_SETTINGS, mfaConfiguration: 'OFF', recovery: ['admin_only'] });
  assert.equal(second?.modifiedAtMs, 5);
  const { rows } = await poolStore.users.list(POOL, 10, undefined);
  assert.deepEqual(
    rows.map((user) => [user.username, user.mfaMethods, user.preferredMfa]),
    [
      ['ada', [], null],
      ['bob', [], null],
    ],
  );
  assert.equal((await poolStore.logins.byId('login-live'))?.deviceKey, null);
  assert.deepEqual((await poolStore.devices.listOf(POOL, 'ada', 10, undefined)).rows, []);
  assert.equal(await poolStore.authenticators.byState(POOL, 'ada', 'active'), undefined);
  assert.equal(await poolStore.recoveryCodes.count(POOL, 'ada'), 0);
  assert.deepEqual(await poolStore.messages.listDead(POOL, 10), []);
  assert.deepEqual(await records.localDevices.listByKeys(POOL, 'sub-ada', ['d']), []);
}

async function assertDevices({ poolStore, records }: Store): Promise<void> {
  const { rows } = await poolStore.devices.listOf(POOL, 'ada', 10, undefined);
  const ofAda = { poolId: POOL, username: 'ada', groupKey: '-group001' };
  assert.equal(rows.length, 2);
  assert.partialDeepStrictEqual(rows, [
    {
      ...ofAda,
      key: 'us-east-1_device-1',
      name: "Ada's läptop",
      saltHex: 'd4e5',
      verifierEncrypted: 'sealed-device-verifier-1',
      remembered: true,
      lastIp: '192.0.2.7',
      createdAtMs: 1_700_000_000_010,
      modifiedAtMs: 1_700_000_000_011,
      lastAuthenticatedAtMs: 1_700_000_000_012,
    },
    {
      ...ofAda,
      key: 'us-east-1_device-0',
      name: null,
      saltHex: 'd4e6',
      verifierEncrypted: 'sealed-device-verifier-0',
      remembered: false,
      lastIp: null,
      createdAtMs: 1_700_000_000_020,
      modifiedAtMs: 1_700_000_000_021,
      lastAuthenticatedAtMs: 1_700_000_000_022,
    },
  ]);
  const logins = [await poolStore.logins.byId('login-live'), await poolStore.logins.byId('login-revoked')];
  assert.deepEqual(
    logins.map((login) => login?.deviceKey),
    ['us-east-1_device-1', null],
  );
  const local = await records.localDevices.listByKeys(POOL, 'sub-ada', ['us-east-1_device-1', 'us-east-1_device-0']);
  assert.deepEqual(
    local.map((device) => [device.deviceKey, device.name, device.remembered, device.updatedAtMs]),
    [
      ['us-east-1_device-0', null, null, 1_700_000_000_018],
      ['us-east-1_device-1', 'Läptop', true, 1_700_000_000_019],
    ],
  );
}

async function assertFactors({ poolStore }: Store): Promise<void> {
  const settings = (await poolStore.pools.byId(POOL))?.settings;
  assert.deepEqual(
    [settings?.mfaMethods, settings?.deviceTracking, settings?.firstFactors, settings?.recovery],
    [['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], null, ['PASSWORD'], ['verified_phone_number', 'admin_only']],
  );
  const { rows } = await poolStore.users.list(POOL, 10, undefined);
  assert.deepEqual(
    rows.map((user) => [user.username, user.mfaMethods, user.preferredMfa]),
    [
      ['ada', ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], 'EMAIL_OTP'],
      ['bob', [], null],
    ],
  );
  const factors = [
    await poolStore.authenticators.byState(POOL, 'ada', 'active'),
    await poolStore.authenticators.byState(POOL, 'ada', 'pending'),
  ];
  assert.deepEqual(
    factors.map((totp) => [totp?.secretEncrypted, totp?.name, totp?.lastStep, totp?.createdAtMs]),
    [
      ['sealed-active-secret-ada', 'Phone', 56_666_667, 1_700_000_000_013],
      ['sealed-pending-secret-ada', 'Authenticator', 0, 1_700_000_000_014],
    ],
  );
  assert.equal(await poolStore.recoveryCodes.count(POOL, 'ada'), 2);
  const uses = await poolStore.write(async (transaction) => [
    await transaction.recoveryCodes.use(POOL, 'ada', 'r1'),
    await transaction.recoveryCodes.use(POOL, 'ada', 'r1'),
  ]);
  assert.deepEqual(uses, [true, false]);
}

async function assertMessages({ poolStore }: Store): Promise<void> {
  const ofPool = { poolId: POOL, nextTryAtMs: 1_700_000_060_000, expiresAtMs: 1_700_000_180_000 };
  assert.deepEqual(await poolStore.messages.listDead(POOL, 10), [
    {
      ...ofPool,
      id: 'message-dead',
      channel: 'sms',
      contentEncrypted: '',
      tries: 5,
      leasedUntilMs: 0,
      handedOver: false,
      deadAtMs: 1_700_000_180_000,
      lastFailure: 'expired',
      createdAtMs: 1_700_000_000_017,
    },
  ]);
  const until = 1_700_000_090_000;
  const leased = await poolStore.write((transaction) => transaction.messages.lease(1_700_000_060_000, until, 10));
  assert.deepEqual(leased, [
    {
      ...ofPool,
      id: 'message-waiting',
      channel: 'email',
      contentEncrypted: 'sealed-message',
      tries: 1,
      leasedUntilMs: until,
      handedOver: true,
      deadAtMs: null,
      lastFailure: 'refused',
      createdAtMs: 1_700_000_000_016,
    },
  ]);
}

/** Of the old events, those from anonymous requests are deleted first, whether or not they are failures. */
async function assertBounded({ records }: Store): Promise<void> {
  await records.sweep(1_700_000_000_050);
  const { rows } = await records.events.page({ userPoolId: 'of-before' }, 100, undefined);
  const left = rows.map(({ id }) => id).filter((id) => id !== 'e');
  assert.deepEqual(left.sort(), ['m11', 'm12', 'm13', 'm14', ...[10, 11, 12, 13, 14].map((i) => `n${i}`)].sort());
}

/** A competing registration is in no list and waits. */
async function assertRegistrations({ poolStore }: Store): Promise<void> {
  const eve = {
    poolId: POOL,
    username: 'eve',
    name: 'ada@example.test',
    isAside: true,
    isContested: false,
    createdAtMs: 1_700_000_000_050,
    expiresAtMs: 1_700_604_800_050,
  };
  assert.deepEqual(await poolStore.registrations.byUsername(POOL, 'eve'), eve);
  assert.deepEqual(await poolStore.registrations.listByName(POOL, 'ada@example.test', 3), [eve]);
}

// Allowances while they were stored among the lockouts: a window, a bucket, and a guess counter.
const TAKEN = `insert into lockouts (pool_id, subject, failures, last_failure_at_ms, locked_until_ms, expires_at_ms)
  values ('*', 'send:day of known:service/20588', 7, 5, 0, 1800000000000), ('${POOL}', 'send:source and user:d/0', 1, 5, 1700000000900, 1700000000901),
  ('${POOL}', 'recovered:d/20588', 1, 5, 0, 1800000000001), ('${POOL}', 'password:d', 3, 5, 0, 1800000000002)`;

/** Used allowances stay used; guess counters stay where they are. */
async function assertAllowances({ poolStore: { allowances, lockouts } }: Store): Promise<void> {
  const found = [
    await allowances.bySubject('*', 'send:day of known:service/20588'),
    await allowances.bySubject(POOL, 'send:source and user:d/0'),
    await allowances.bySubject(POOL, 'recovered:d/20588'),
    await allowances.bySubject(POOL, 'password:d'),
  ];
  assert.deepEqual(found, [
    { taken: 7, expiresAtMs: 1_800_000_000_000 },
    { taken: 1, expiresAtMs: 1_700_000_000_900 },
    { taken: 1, expiresAtMs: 1_800_000_000_001 },
    undefined,
  ]);
  assert.equal((await lockouts.bySubject(POOL, 'password:d'))?.failures, 3);
}

// One user who signed up with an address, and one with a username.
const SIGNED_UP = `insert into users (pool_id, username, sub, status, enabled, attributes, created_at_ms, modified_at_ms)
    select pool_id, 'uuid', 'uuid', 'UNCONFIRMED', enabled, attributes, 5, 5 from users where username = 'ada';
  insert into users (pool_id, username, sub, status, enabled, attributes, created_at_ms, modified_at_ms)
    select pool_id, 'carl', 'sub-carl', 'UNCONFIRMED', enabled, attributes, 6, 6 from users where username = 'ada';
  insert into names (pool_id, name, username) select pool_id, 'uuid', 'uuid' from users where username = 'uuid';
  insert into names (pool_id, name, username) select pool_id, 'new@example.test', 'uuid' from users where username = 'uuid';
  insert into names (pool_id, name, username) select pool_id, 'carl', 'carl' from users where username = 'carl'`;

/** They keep their names for a week; confirmed users keep theirs. */
async function assertSignedUp({ poolStore }: Store): Promise<void> {
  const sole = { poolId: POOL, isAside: false, isContested: false };
  assert.deepEqual(await poolStore.registrations.byUsername(POOL, 'uuid'), {
    ...sole,
    username: 'uuid',
    name: 'new@example.test',
    createdAtMs: 5,
    expiresAtMs: 604_800_005,
  });
  assert.equal((await poolStore.registrations.byUsername(POOL, 'carl'))?.name, 'carl');
  assert.equal(await poolStore.registrations.byUsername(POOL, 'ada'), undefined);
}

/** An old database has no domain, and its logins came from the API. From now on it stores what the OAuth endpoints need. */
async function assertNoOAuth({ poolStore }: Store): Promise<void> {
  const { scope, audience } = (await poolStore.logins.byId('login-live')) ?? {};
  assert.deepEqual([scope, audience], [null, null]);
  assert.deepEqual(await poolStore.domains.listOf(POOL), []);
  assert.deepEqual((await poolStore.resourceServers.list(POOL, 10, undefined)).rows, []);
  await poolStore.write(async (transaction) => {
    await transaction.domains.insert(sampleDomain(POOL, 'fixture'));
    await transaction.resourceServers.insert(sampleResourceServer(POOL, 'things'));
    await transaction.authorizations.insertCode(sampleAuthorizationCode(POOL, 'ada', 'c'));
  });
  assert.equal((await poolStore.authorizations.code('c'))?.authorization.scope, 'openid things/read');
  // They are deleted with their owners.
  await poolStore.write((transaction) => transaction.users.delete(POOL, 'ada'));
  assert.equal(await poolStore.authorizations.code('c'), undefined);
  await poolStore.write((transaction) => transaction.pools.delete(POOL));
  assert.equal(await poolStore.domains.byName('fixture'), undefined);
}

const assertChallenges = [assertDevices, assertFactors, assertMessages];

/** Each of many users is found once. */
async function assertMany({ poolStore }: Store): Promise<void> {
  const search = { attribute: 'family_name', match: 'equals', value: 'MANY' } as const;
  const { rows } = await poolStore.users.search(POOL, search, 2 * MANY, undefined);
  assert.equal(new Set(rows.map((user) => user.username)).size, MANY);
  assert.equal(rows.length, MANY);
}

const OLD_TICKET = `insert into web_tickets (digest_hex, family_id, origin, browser_digest_hex, expires_at_ms)
  values ('t', 'f', 'https://a', 'b', 100)`;

/** An old password has no version until it is replaced. */
async function assertPasswordVersions({ poolStore }: Store): Promise<void> {
  const findCredential = async () => (await poolStore.users.byName(POOL, 'ada@example.test'))?.credential;
  const before = (await findCredential()) ?? assert.fail('the fixture has a password');
  assert.equal(before.version, null);
  const replaced = { ...before, version: 'AAECAwQFBgcICQoL' };
  await poolStore.write((transaction) => transaction.credentials.put(replaced));
  assert.deepEqual(await findCredential(), replaced);
}

interface Fixture {
  /** SQL to run after the fixture's own. */
  readonly more: string;
  readonly assertions: readonly ((store: Store) => Promise<void>)[];
  /** The version of the fixture, if a version is tested on an older database. Default: itself. */
  readonly of?: string;
}

/** By version. Versions that only add tables or empty columns need no row, because the fixtures of earlier versions run them. */
const FIXTURES: Readonly<Record<string, Fixture>> = {
  '0001-foundation': {
    more: SECOND_POOL,
    assertions: [assertFoundation, assertDefaults, assertNoPasskeys, assertSearch, assertNoAccounts],
  },
  '0002-challenges': {
    more: '',
    assertions: [assertFoundation, ...assertChallenges, assertNoPasskeys, assertSearch, assertNoAccounts],
  },
  '0003-passkeys': {
    more: '',
    assertions: [assertFoundation, ...assertChallenges, assertPasskeys, assertSearch, assertNoAccounts],
  },
  '0004-accounts': {
    more: '',
    assertions: [assertFoundation, ...assertChallenges, assertPasskeys, assertSearch, ...assertAccounts],
  },
  '0005-registrations': {
    more: '',
    assertions: [
      assertFoundation,
      ...assertChallenges,
      assertPasskeys,
      assertSearch,
      ...assertAccounts,
      assertRegistrations,
    ],
  },
  '0007-sessions': {
    more: '',
    assertions: [
      assertFoundation,
      ...assertChallenges,
      assertPasskeys,
      assertSearch,
      ...assertAccounts,
      assertRegistrations,
    ],
  },
  '0008-event-retention': {
    of: '0004-accounts',
    more: MANY_EVENTS,
    assertions: [assertBounded],
  },
  '0010-locks-and-allowances': {
    of: '0007-sessions',
    more: TAKEN,
    assertions: [assertAllowances],
  },
  '0013-password-versions': {
    of: '0007-sessions',
    more: '',
    assertions: [assertPasswordVersions],
  },
  '0014-oauth': {
    of: '0007-sessions',
    more: '',
    assertions: [assertNoOAuth],
  },
  '0026-signing-algorithms': {
    of: '0007-sessions',
    more: '',
    assertions: [assertSigningAlgorithms],
  },
};

const FIXTURE_DIALECTS: Readonly<Record<string, string>> = { 'SQLite file': 'sqlite', PostgreSQL: 'postgres' };

it('names existing versions, including the first', () => {
  const versions = Object.keys(MIGRATIONS);
  assert.equal(Object.keys(FIXTURES)[0], versions[0]);
  assert.deepEqual(
    Object.keys(FIXTURES).filter((name) => !versions.includes(name)),
    [],
  );
});

for (const [locationName, makeLocation] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`databases of earlier versions on ${locationName}`, () => {
    // Keeps a server that was started for this file until the end.
    let kept: StoreLocation;
    before(async () => {
      kept = await makeLocation();
    });
    after(() => kept.remove());

    /** Opens a database of an older version with additional rows, and checks it. */
    async function openFixture(
      version: string,
      more: string,
      look: (store: Store) => Promise<void>,
      options: StoreOptions = {},
    ): Promise<void> {
      const { url, remove } = await makeLocation();
      const file = `./fixtures/${version.slice(0, 4)}.${FIXTURE_DIALECTS[locationName]}.sql`;
      await execute(url, await readFile(new URL(file, import.meta.url), 'utf8'));
      await execute(url, more);
      const store = await openStore(url, options);
      await look(store);
      await store.close();
      await remove();
    }

    for (const [name, { of: version = name, more, assertions }] of Object.entries(FIXTURES)) {
      it(`are migrated and read: ${name}`, () =>
        openFixture(
          version,
          more,
          async (store) => {
            const later = Object.keys(MIGRATIONS).filter((known) => known > version);
            assert.deepEqual(store.migrated, later);
            for (const assertRows of assertions) await assertRows(store);
          },
          { mostAnonymousEvents: MAX_ANONYMOUS },
        ));
    }

    it('make earlier sign-ups reserve their names', () => openFixture('0004-accounts', SIGNED_UP, assertSignedUp));

    it('keep browser sessions when their table is recreated', async () => {
      const { url, remove } = await makeLocation();
      const [session, another] = [sampleWebSession('kept'), { ...sampleWebSession('null'), originJti: null }];
      const before = await openStore(url);
      for (const row of [session, another]) await before.records.webSessions.insert(row);
      await before.close();
      await execute(url, "delete from poolgate_migrations where name = '0018-long-rows'");
      const store = await openStore(url);
      assert.deepEqual(store.migrated, ['0018-long-rows']);
      for (const row of [session, another])
        assert.deepEqual(await store.records.webSessions.find(row.idDigestHex, 0), row);
      await store.close();
      await remove();
    });

    it('accept tickets of replicas of the previous version, which name no address', async () => {
      const { url, remove } = await makeLocation();
      const store = await openStore(url);
      await execute(url, OLD_TICKET);
      const found = await store.records.webTickets.consume('t', 99);
      assert.deepEqual([found?.origin, found?.returnTo], ['https://a', null]);
      await store.close();
      await remove();
    });

    it('can be searched for all their users, any number of them', () =>
      openFixture('0003-passkeys', MANY_USERS, assertMany));
  });
}
