import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { GatewayRecords } from '@poolgate/gateway/records';
import type { PoolStore, PoolTransaction } from '@poolgate/pool/store';
import { SqlLockoutRepository } from './pool/sql-lockout-repository.ts';
import type { Writer } from './sql/statement.ts';
import {
  sampleEvent,
  sampleGroup,
  sampleIdempotencyClaim,
  sampleNotMeLink,
  sampleWebhook,
} from './testing/sample-account-records.ts';
import {
  sampleAuthorizationCode,
  sampleBranding,
  sampleClientSession,
  sampleDomain,
  sampleFederatedIdentity,
  sampleIdentityProvider,
  sampleResourceServer,
} from './testing/sample-oauth-records.ts';
import {
  insertSamplePool,
  sampleAdminKey,
  sampleClient,
  sampleCode,
  sampleConsoleSession,
  sampleCredential,
  sampleDevice,
  sampleLocalDevice,
  sampleLocalPasskey,
  sampleLogin,
  sampleMessage,
  samplePasskey,
  samplePasskeyCeremony,
  samplePool,
  sampleSigningKey,
  sampleTotp,
  sampleUser,
  sampleWebSession,
} from './testing/sample-records.ts';
import { createWatchedStore } from './testing/watched-store.ts';

const P = 'p';
const REGISTRATION = {
  poolId: P,
  username: 'v',
  name: 'n',
  isAside: false,
  isContested: false,
  createdAtMs: 1,
  expiresAtMs: 10,
};
const REVOCATION = { userPoolId: P, subject: 'user:u', endedAtMs: 1, expiresAtMs: 10 };
const NOTICE = { clientId: 'c', sessionId: 's' };
const BUCKET = { most: 2, everyMs: 10 };

/** Operations within a write. Each sees the results of the previous ones. */
const IN_A_WRITE: Readonly<Record<string, (transaction: PoolTransaction) => Promise<unknown>>> = {
  'a pool is inserted': ({ pools }) => pools.insert(samplePool('q')),
  'a pool is changed': ({ pools }) => pools.update('q', { settings: samplePool('q').settings, modifiedAtMs: 2 }),
  'a pool is deleted': ({ pools }) => pools.delete('q'),
  'a client is inserted': ({ clients }) => clients.insert(sampleClient(P, 'c')),
  'a client is changed': ({ clients }) => clients.update('c', sampleClient(P, 'c')),
  'a client is deleted': ({ clients }) => clients.delete(P, 'c'),
  'a domain is inserted': ({ domains }) => domains.insert(sampleDomain(P, 'd')),
  'resource servers are counted': ({ resourceServers }) => resourceServers.lockAndCount(P),
  'a resource server is inserted': ({ resourceServers }) => resourceServers.insert(sampleResourceServer(P, 'r')),
  'a branding is inserted': ({ brandings }) => brandings.insert(sampleBranding(P, 'c', 'managed')),
  'a branding is changed': ({ brandings }) =>
    brandings.update(sampleBranding(P, 'c', 'managed'), sampleBranding(P, 'c', 'managed')),
  'a branding is deleted': ({ brandings }) => brandings.delete(sampleBranding(P, 'c', 'managed')),
  'an identity provider is inserted': ({ identityProviders }) =>
    identityProviders.insert(sampleIdentityProvider(P, 'i')),
  'an identity provider is changed': ({ identityProviders }) =>
    identityProviders.update(P, 'i', sampleIdentityProvider(P, 'i')),
  'a user is inserted': ({ users }) => users.insert(sampleUser(P, 'v'), ['v', 'w']),
  'a registration is put': ({ registrations }) => registrations.put(REGISTRATION),
  'an identity is inserted': ({ federatedIdentities }) =>
    federatedIdentities.insert(sampleFederatedIdentity(P, 'v', '1')),
  'registrations are contested': ({ registrations }) => registrations.contest(P, 'n'),
  'other registrations are deleted': ({ registrations }) => registrations.deleteOthers(P, 'n', 'v'),
  'a user is changed': ({ users }) =>
    users.update(P, 'v', { status: 'CONFIRMED', attributes: { name: 'other', given_name: 'x' }, modifiedAtMs: 3 }),
  'names are replaced': ({ users }) => users.replaceNames(P, 'v', ['v', 'x']),
  'a password is put': ({ credentials }) => credentials.put(sampleCredential(P, 'v')),
  'a code is put': ({ codes }) => codes.put(sampleCode(P, 'v')),
  'a code is deleted': ({ codes }) => codes.delete(P, 'v', 'sign_up'),
  'devices are counted': ({ devices }) => devices.lockAndCount(P, 'v'),
  'a device is inserted': ({ devices }) => devices.insert(sampleDevice(P, 'v', 'd')),
  'devices are trusted no more': ({ devices }) => devices.forgetTrust(P, 'v', 4),
  'an authenticator is put': ({ authenticators }) => authenticators.put(sampleTotp(P, 'v', 'active')),
  'recovery codes are replaced': ({ recoveryCodes }) => recoveryCodes.replace(P, 'v', ['r1', 'r2'], 1),
  'passkeys are listed under a lock': ({ passkeys }) => passkeys.lockAndListOf(P, 'v'),
  'a passkey is inserted': ({ passkeys }) => passkeys.insert(samplePasskey(P, 'v', 'c')),
  'a ceremony is put': ({ passkeyCeremonies }) => passkeyCeremonies.put(samplePasskeyCeremony(P, 'v', 'k')),
  'a not-me link is inserted': ({ notMeLinks }) => notMeLinks.insert(sampleNotMeLink(P, 'v', 'l')),
  'later not-me links are deleted': ({ notMeLinks }) => notMeLinks.deleteLater(P, 'v', 50),
  'all proofs are deleted': ({ users }) => users.deleteProofs(P, 'v'),
  'groups are counted': ({ groups }) => groups.lockAndCount(P),
  'a group is inserted': ({ groups }) => groups.insert(sampleGroup(P, 'g')),
  'a login is inserted': ({ logins }) => logins.insert(sampleLogin(P, 'v', 'l')),
  'a login is parted from its device': ({ logins }) => logins.detachDevice('l', 5),
  'a session of a client is put': ({ logins }) => logins.putClientSession(sampleClientSession(P, 'v', 's', 'c')),
  'a session goes on': ({ logins }) => logins.continueSession('l', 'm'),
  'sessions end with a login': ({ logins }) => logins.endClientSessions('login-of-s', 5, 10),
  'all sessions end': ({ logins }) => logins.endClientSessionsOf(P, 'v', 5, 10),
  'all logins are revoked': ({ logins }) => logins.revokeAllOf(P, 'v', 5),
  'an authorization code is inserted': ({ authorizations }) =>
    authorizations.insertCode(sampleAuthorizationCode(P, 'v', 'a')),
  'a signing key is inserted': async ({ signingKeys }) => {
    for (const kid of ['k1', 'k2', 'k3']) await signingKeys.insert(sampleSigningKey(P, kid));
  },
  'signing keys are retired': ({ signingKeys }) => signingKeys.retireExcept(P, ['k3'], 5),
  'a message is queued': ({ messages }) => messages.enqueue(sampleMessage(P, 'm')),
  'a message is postponed': ({ messages }) => messages.postpone('m', 5, 'refused'),
  'a message is given up': ({ messages }) => messages.deadLetter('m', 5, 'refused'),
  'a message is deleted': ({ messages }) => messages.delete('m'),
  'a subject is locked out': ({ lockouts }) => lockouts.lockOut(P, 's', 5),
  'a subject is unlocked': ({ lockouts }) => lockouts.unlock(P, 's'),
  'a lock is taken': ({ locks }) => locks.lock('name', 5),
  'a bucket is taken from': ({ allowances }) => allowances.takeFromBucket(P, 's', 5, BUCKET),
  'an allowance is taken': ({ allowances }) => allowances.take(P, 's', 5),
  'a session is given back': ({ challengeSessions }) => challengeSessions.unspend('s'),
  'a revocation is recorded': ({ revocations }) => revocations.record(REVOCATION),
  'what the gateway keeps of factors is cleared': ({ localUsers }) => localUsers.clear(P, 's', 5),
  'what the gateway keeps of a user is deleted': ({ localUsers }) => localUsers.delete(P, 's'),
  'an event is appended': ({ events }) => events.append(sampleEvent(P, 'e')),
};

/** Operations outside of a write. */
const ALONE: Readonly<Record<string, (records: GatewayRecords, poolStore: PoolStore) => Promise<unknown>>> = {
  'an admin key is inserted': ({ adminKeys }) => adminKeys.insert(sampleAdminKey('a')),
  'an admin key is touched': ({ adminKeys }) => adminKeys.touch('a', 5),
  'a webhook is inserted': ({ webhooks }) => webhooks.insert(sampleWebhook('w')),
  'an event is appended': ({ events }) => events.append(sampleEvent(P, 'e1')),
  'an event is tried to append': ({ events }) => events.tryAppend(sampleEvent(P, 'e2')),
  'an event is appended after a write': (_, poolStore) =>
    poolStore.write(async ({ events }) => {
      await events.appendAfterCommit(sampleEvent(P, 'e3'));
      await events.appendAfterCommit(sampleEvent(P, 'e4'));
    }),
  'a delivery is postponed': ({ deliveries }) => deliveries.postpone('w', 'e1', 5, 'refused'),
  'a delivery is given up': ({ deliveries }) => deliveries.deadLetter('w', 'e1', 5, 'refused'),
  'a delivery has arrived': ({ deliveries }) => deliveries.finish('w', 'e1'),
  'a notice is postponed': ({ logoutNotices }) => logoutNotices.postpone(NOTICE, 5, 'refused'),
  'a notice has arrived': ({ logoutNotices }) => logoutNotices.finish(NOTICE),
  'a key is claimed': ({ idempotencyKeys }) => idempotencyKeys.claim(sampleIdempotencyClaim('i'), 5),
  'an answer is stored': ({ idempotencyKeys }) => idempotencyKeys.storeAnswer('i', 'answer', 10),
  'a key is released': ({ idempotencyKeys }) => idempotencyKeys.release('i'),
  'a device is put': ({ localDevices }) => localDevices.put(sampleLocalDevice(P, 's', 'd')),
  'a passkey is put': ({ localPasskeys }) => localPasskeys.put(sampleLocalPasskey(P, 's', 'c')),
  'a user is seen': ({ localUsers }) => localUsers.upsert({ userPoolId: P, sub: 's', username: 'u' }, 5),
  'a user has passkeys': ({ localUsers }) => localUsers.setWebauthnEnabled(P, 's', true, 5),
  'a user must reset a password': ({ localUsers }) =>
    localUsers.setPasswordResetRequired({ userPoolId: P, sub: 's', username: 'u' }, true, 5),
  'a user is forgotten': ({ localUsers }) => localUsers.delete(P, 's'),
  'a started login is put': ({ pendingSrp }) =>
    pendingSrp.put({ digestHex: 'd', startEncrypted: 'sealed', expiresAtMs: 9 }),
  'a revocation is recorded': ({ revocations }) => revocations.record(REVOCATION),
  'a session is inserted': ({ webSessions }) => webSessions.insert(sampleWebSession('w')),
  'a session is touched': ({ webSessions }) => webSessions.touch('w', 20, 110),
  'a session is replaced': ({ webSessions }) => webSessions.replace('w', sampleWebSession('x'), 50),
  'a session is released': ({ webSessions }) => webSessions.release('x', 'lease'),
  'a console session is inserted': ({ consoleSessions }) => consoleSessions.insert(sampleConsoleSession('c')),
  'a console session is touched': ({ consoleSessions }) => consoleSessions.touch('c', 20, 110),
  'a ticket is inserted': ({ webTickets }) =>
    webTickets.insert({
      digestHex: 't',
      familyId: 'f',
      origin: 'o',
      browserDigestHex: 'b',
      returnTo: null,
      expiresAtMs: 9,
    }),
  'it is tried whether writes are taken': (records) => records.takesWrites(),
  'the records are swept': (records) => records.sweep(5),
  'the pools are swept': (_, poolStore) => poolStore.sweep(5),
};

describe('an operation of a store', () => {
  let store: Awaited<ReturnType<typeof createWatchedStore>>;
  before(async () => {
    store = await createWatchedStore();
    await insertSamplePool(store.poolStore, P, 'u');
  });
  after(() => store.close());

  const assertAllEnded = (name: string): void => {
    assert.ok(store.seen.ended.length > 0, `${name}: by no statement`);
    assert.deepEqual([store.seen.statements, store.seen.atOnce], [0, 1], name);
  };

  for (const [name, operate] of Object.entries(IN_A_WRITE)) {
    it(`inside a write ends after each of its statements, one after the other: ${name}`, async () => {
      store.forget();
      await store.poolStore.write(async (transaction) => {
        await operate(transaction);
        assertAllEnded(name);
      });
    });
  }

  for (const [name, operate] of Object.entries(ALONE)) {
    it(`ends after each of its statements, one after the other: ${name}`, async () => {
      store.forget();
      await operate(store.records, store.poolStore);
      assertAllEnded(name);
      assert.equal(store.seen.openWrites, 0, name);
    });
  }
});

describe('the statements of a store', () => {
  const opened = async (context: { after(work: () => Promise<void>): void }, ...usernames: readonly string[]) => {
    const store = await createWatchedStore();
    context.after(() => store.close());
    await insertSamplePool(store.poolStore, P, ...usernames);
    store.forget();
    return store;
  };

  it('read one row for one record, and the next one for an unknown name', async (context) => {
    const { poolStore, records, seen, forget } = await opened(context, 'b', 'c');
    await insertSamplePool(poolStore, 'q');
    await poolStore.write(async ({ codes }) => {
      for (const username of ['b', 'c']) await codes.put(sampleCode(P, username));
    });
    const reads: Readonly<Record<string, () => Promise<unknown>>> = {
      'the first pool': () => poolStore.pools.first(),
      'a user': () => poolStore.users.byUsername(P, 'a'),
      'a user by a name': () => poolStore.users.byName(P, 'a'),
      'a code': () => poolStore.codes.byPurpose(P, 'a', 'sign_up'),
      'whether it is ready': () => records.ready(),
    };
    for (const [what, read] of Object.entries(reads)) {
      forget();
      await read();
      assert.deepEqual(
        seen.ended.map(({ rows }) => rows),
        [1],
        what,
      );
    }
  });

  it('only read if there is nothing to write', async (context) => {
    const { poolStore, records, seen, forget } = await opened(context);
    const user = { userPoolId: P, sub: 's', username: 'u' };
    await records.localUsers.upsert(user, 1);
    forget();
    await records.localUsers.upsert(user, 2);
    assert.equal(seen.ended.length, 1, 'a user who is known by this name');
    forget();
    await poolStore.write(({ lockouts }) => lockouts.clearFailures(P, 'nobody', 1));
    assert.equal(seen.ended.length, 1, 'a subject without a failure');
    assert.equal(seen.writes, 1, 'no event is to be written after it');
  });

  it('never delete more than five hundred rows at once', async (context) => {
    const { poolStore, records, seen, forget, run } = await opened(context);
    const deletions = () => seen.ended.map(({ changes }) => changes).filter((changes) => changes > 0);
    const many = (into: string, select: string, count: number): Promise<unknown> =>
      run(`insert into ${into} with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
        select ${select} from n`);
    await many('sessions (id, tries, spent, expires_at_ms)', `'s' || i, 1, 0, 5`, 1_203);
    await poolStore.sweep(5);
    assert.deepEqual(deletions(), [500, 500, 203]);
    forget();
    await many('sessions (id, tries, spent, expires_at_ms)', `'s' || i, 1, 0, 5`, 1_000);
    await poolStore.sweep(5);
    assert.deepEqual(deletions(), [500, 500]);
    assert.deepEqual(
      seen.ended.flatMap(({ parameters }) => parameters.most ?? []),
      [1_000, 100_000, 100_000],
      'so many deliveries of failures of nobody, events of anonymous requests and their deliveries stay where nobody says how many',
    );
    forget();
    const event = `printf('e%05d', i), 'p', 1, 'login.failed', 'failure', 'anonymous', 'r', 'a', '{}', 9000000`;
    const columns =
      'id, user_pool_id, at_ms, type, outcome, actor_kind, request_id, source_address, details, expires_at_ms';
    await many(`events (${columns}, retention)`, `${event}, 'counted'`, 1_203);
    await records.sweep(5);
    assert.deepEqual(
      seen.ended.map(({ rows }) => rows).filter((rows) => rows > 1),
      [500, 500, 203],
    );
    assert.equal(await run(`select count from events`), 1_203);
  });

  it('end up to a hundred excess logins at once', async (context) => {
    const { poolStore } = await opened(context, 'u');
    const ended = await poolStore.write(async ({ logins }) => {
      for (let index = 0; index < 104; index += 1) {
        await logins.insert({ ...sampleLogin(P, 'u', `l${index}`), createdAtMs: index });
      }
      const [first, second] = [await logins.revokeExcess(P, 'u', 3, 5), await logins.revokeExcess(P, 'u', 3, 5)];
      return [first, second].map((list) => list.map(({ id }) => id));
    });
    assert.deepEqual([ended[0]?.length, ended[1]], [100, ['l0']]);
  });

  it('leave nothing of cleared or unlocked failures to a sweep', async (context) => {
    const { poolStore, run } = await opened(context);
    await poolStore.write(async ({ lockouts }) => {
      for (const subject of ['cleared', 'unlocked', 'counted']) await lockouts.countFailure(P, subject, 10, 0);
      await lockouts.clearFailures(P, 'cleared', 11);
      await lockouts.unlock(P, 'unlocked');
      // An expired lock counts from the first moment on.
      for (const subject of ['cleared', 'unlocked']) assert.equal(await lockouts.countFailure(P, subject, 0, 0), 1);
      assert.deepEqual(await lockouts.bySubject(P, 'counted'), { failures: 1, lockedUntilMs: 0 });
      await lockouts.clearFailures(P, 'cleared', 11);
      await lockouts.unlock(P, 'unlocked');
    });
    await poolStore.sweep(0);
    assert.equal(await run('select group_concat(subject) from lockouts'), 'counted');
  });
});

describe('cleared failures', () => {
  /** Answers statements in turn with the given numbers of rows. */
  function answering(...counts: readonly number[]) {
    let asked = 0;
    const executor = {
      run: async () => {
        const rows = Array.from({ length: counts[asked] ?? assert.fail('more was asked') }, () => ({
          subject: 's',
          lockedUntilMs: 0,
        }));
        asked += 1;
        return { rows, changes: 0 };
      },
    } as unknown as Writer;
    return { lockouts: new SqlLockoutRepository(executor), asked: () => asked };
  }

  it('are gone at once if the row is written, and also if a sweep removed it in between', async () => {
    for (const [counts, isCleared] of [
      [[0], true],
      [[1, 1], true],
      [[1, 0, 0], true],
      [[1, 0, 1], false],
    ] as const) {
      const { lockouts, asked } = answering(...counts);
      assert.equal(await lockouts.clearFailures(P, 's', 1), isCleared, counts.join());
      assert.equal(asked(), counts.length, counts.join());
    }
  });
});
