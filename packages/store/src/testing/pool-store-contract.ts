import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PoolTransaction } from '@poolgate/pool/store';
import { openStore, type Store } from '../open-store.ts';
import { countWins, createConflictCheck, RACERS } from './races.ts';
import { sampleNotMeLink } from './sample-account-records.ts';
import {
  insertSamplePool,
  sampleClient,
  sampleCode,
  sampleCredential,
  sampleDevice,
  sampleLogin,
  samplePool,
  sampleSigningKey,
  sampleUser,
} from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';

/** Requirements of every store for the embedded pool. Each test uses its own pool id. */
export function poolStoreContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`the pool's store on ${locationName}`, () => {
    let location: StoreLocation;
    let store: Store;
    const poolStore = () => store.poolStore;

    before(async () => {
      location = await makeLocation();
      store = await openStore(location.url);
    });
    after(async () => {
      await store?.close();
      await location?.remove();
    });

    it('has no pool at first, and then serves the first one created', async () => {
      assert.equal(await poolStore().pools.first(), undefined);
      await poolStore().write(async (transaction) => {
        await transaction.pools.insert({ ...samplePool('first_b'), createdAtMs: 20 });
        await transaction.pools.insert({ ...samplePool('first_a'), createdAtMs: 10 });
      });
      assert.equal((await poolStore().pools.first())?.id, 'first_a');
    });

    it('returns pools and clients as they were stored, and changes their settings', async () => {
      await insertSamplePool(poolStore(), 'kept');
      assert.deepEqual(await poolStore().pools.byId('kept'), samplePool('kept'));
      assert.deepEqual(await poolStore().clients.byId('client-of-kept'), sampleClient('kept', 'client-of-kept'));
      const settings = { ...samplePool('kept').settings, mfaConfiguration: 'ON' as const };
      const clientSettings = { ...sampleClient('kept', 'x').settings, accessTokenSeconds: 300 };
      await poolStore().write(async (transaction) => {
        await transaction.pools.update('kept', { settings, modifiedAtMs: 9 });
        await transaction.clients.update('client-of-kept', {
          settings: clientSettings,
          secretsEncrypted: [],
          modifiedAtMs: 8,
        });
      });
      assert.deepEqual(await poolStore().pools.byId('kept'), { ...samplePool('kept'), settings, modifiedAtMs: 9 });
      assert.deepEqual(await poolStore().clients.byId('client-of-kept'), {
        ...sampleClient('kept', 'client-of-kept'),
        settings: clientSettings,
        secretsEncrypted: [],
        modifiedAtMs: 8,
      });
    });

    it('lists the clients of one pool only, oldest first', async () => {
      await insertSamplePool(poolStore(), 'clients');
      await insertSamplePool(poolStore(), 'others');
      await poolStore().write((transaction) =>
        transaction.clients.insert({ ...sampleClient('clients', 'an-older-one'), createdAtMs: 5 }),
      );
      const ids = (await poolStore().clients.listOf('clients')).map((client) => client.id);
      assert.deepEqual(ids, ['an-older-one', 'client-of-clients']);
    });

    it('finds a user by each of its names, with its password, only in its pool', async () => {
      await insertSamplePool(poolStore(), 'names');
      await insertSamplePool(poolStore(), 'names2');
      const user = sampleUser('names', 'u');
      await poolStore().write((transaction) => transaction.users.insert(user, ['u', 'sub-u', 'u@example.test']));
      assert.deepEqual(await poolStore().users.byName('names', 'u@example.test'), { user, credential: undefined });
      const credential = sampleCredential('names', 'u');
      await poolStore().write((transaction) => transaction.credentials.put(credential));
      assert.deepEqual(await poolStore().users.byName('names', 'sub-u'), { user, credential });
      assert.deepEqual(await poolStore().users.byUsername('names', 'u'), user);
      assert.equal(await poolStore().users.byName('names2', 'u'), undefined);
      for (const name of ['a', 'u1', 'zz', '~']) assert.equal(await poolStore().users.byName('names', name), undefined);
      assert.equal(await poolStore().users.byUsername('names2', 'u'), undefined);
    });

    it('replaces a password', async () => {
      await insertSamplePool(poolStore(), 'credentials', 'u');
      const next = { ...sampleCredential('credentials', 'u'), saltHex: 'ff', temporaryUntilMs: 77, setAtMs: 78 };
      await poolStore().write(async (transaction) => {
        await transaction.credentials.put(sampleCredential('credentials', 'u'));
        await transaction.credentials.put(next);
      });
      assert.deepEqual((await poolStore().users.byName('credentials', 'u'))?.credential, next);
    });

    it('changes only the named members of a user', async () => {
      await insertSamplePool(poolStore(), 'changes', 'u');
      const write = (
        change: Parameters<Parameters<Parameters<typeof store.poolStore.write>[0]>[0]['users']['update']>[2],
      ) => poolStore().write((transaction) => transaction.users.update('changes', 'u', change));
      await write({ enabled: false, modifiedAtMs: 1 });
      await write({ status: 'RESET_REQUIRED', modifiedAtMs: 2 });
      await write({ attributes: { email: 'new@example.test' }, modifiedAtMs: 3 });
      assert.deepEqual(await poolStore().users.byUsername('changes', 'u'), {
        ...sampleUser('changes', 'u'),
        enabled: false,
        status: 'RESET_REQUIRED',
        attributes: { email: 'new@example.test' },
        modifiedAtMs: 3,
      });
      await write({ mfaMethods: [], modifiedAtMs: 4 });
      assert.equal((await poolStore().users.byUsername('changes', 'u'))?.preferredMfa, 'EMAIL_OTP');
      await write({ preferredMfa: null, modifiedAtMs: 5 });
      await write({ mfaMethods: ['SMS_MFA'], modifiedAtMs: 6 });
      const cleared = await poolStore().users.byUsername('changes', 'u');
      assert.deepEqual([cleared?.mfaMethods, cleared?.preferredMfa], [['SMS_MFA'], null]);
      await write({ preferredMfa: 'SMS_MFA', modifiedAtMs: 7 });
      assert.equal((await poolStore().users.byUsername('changes', 'u'))?.preferredMfa, 'SMS_MFA');
    });

    it('replaces all names of a user', async () => {
      await insertSamplePool(poolStore(), 'renames', 'u');
      await poolStore().write((transaction) => transaction.users.replaceNames('renames', 'u', ['new', 'other', 'new']));
      assert.equal(await poolStore().users.byName('renames', 'u'), undefined);
      assert.equal((await poolStore().users.byName('renames', 'other'))?.user.username, 'u');
    });

    it('pages through users by the bytes of their names, each once', async () => {
      const usernames = ['Zed', 'a b', 'a', 'aB', 'ab', 'b', 'é', 'ß', '🦊', '~'];
      await insertSamplePool(poolStore(), 'pages', ...usernames);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await poolStore().users.list('pages', 3, cursor);
        assert.ok(page.rows.length <= 3);
        seen.push(...page.rows.map((user) => user.username));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      assert.deepEqual(
        seen,
        usernames.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
      );
      assert.deepEqual(
        await poolStore()
          .users.list('pages', usernames.length, undefined)
          .then((page) => page.nextCursor),
        undefined,
      );
      await assert.rejects(poolStore().users.list('pages', 0, undefined), RangeError);
    });

    it('refuses a taken username, sub, name, client, login or key, and says which', async () => {
      await insertSamplePool(poolStore(), 'taken', 'u');
      const insert = (username: string, sub: string, names: string[]) =>
        poolStore().write((transaction) => transaction.users.insert({ ...sampleUser('taken', username), sub }, names));
      await assert.rejects(insert('u', 'new', ['new']), createConflictCheck('users'));
      await assert.rejects(insert('new', 'sub-u', ['new']), createConflictCheck('users'));
      await assert.rejects(insert('new', 'new', ['u']), createConflictCheck('names'));
      assert.equal(
        await poolStore().users.byUsername('taken', 'new'),
        undefined,
        'the user of a refused name is not kept',
      );
      await assert.rejects(
        poolStore().write((transaction) => transaction.clients.insert(sampleClient('taken', 'client-of-taken'))),
        createConflictCheck('clients'),
      );
      const login = sampleLogin('taken', 'u', 'taken-login');
      await poolStore().write((transaction) => transaction.logins.insert(login));
      await assert.rejects(
        poolStore().write((transaction) => transaction.logins.insert(login)),
        createConflictCheck('logins'),
      );
    });

    it('keeps a conflict’s values out of its error', async () => {
      await insertSamplePool(poolStore(), 'silent', 'private-name');
      const error = await poolStore()
        .write((transaction) => transaction.users.insert(sampleUser('silent', 'private-name'), []))
        .catch((caught: unknown) => caught);
      assert.ok(error instanceof Error);
      assert.doesNotMatch(JSON.stringify([error, error.message, error.cause, { ...error }]), /private-name/);
    });

    it('refuses records without an owner', async () => {
      await insertSamplePool(poolStore(), 'owners');
      await assert.rejects(
        poolStore().write((transaction) => transaction.credentials.put(sampleCredential('owners', 'nobody'))),
        { name: 'StoreFault', reason: 'foreign_key' },
      );
    });

    it('rolls back a write that throws, passes its error on, and does not affect others', async () => {
      await insertSamplePool(poolStore(), 'undo');
      const failure = new Error('changed my mind');
      const outcomes = await Promise.allSettled([
        poolStore().write((transaction) => transaction.users.insert(sampleUser('undo', 'before'), [])),
        poolStore().write(async (transaction) => {
          await transaction.users.insert(sampleUser('undo', 'undone'), ['undone']);
          assert.equal((await transaction.users.byUsername('undo', 'undone'))?.username, 'undone');
          throw failure;
        }),
        poolStore().write((transaction) => transaction.users.insert(sampleUser('undo', 'after'), [])),
      ]);
      assert.deepEqual(
        outcomes.map((outcome) => outcome.status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.equal(outcomes[1].status === 'rejected' && outcomes[1].reason, failure);
      const { rows } = await poolStore().users.list('undo', 10, undefined);
      assert.deepEqual(
        rows.map((user) => user.username),
        ['after', 'before'],
      );
    });

    it('keeps nothing of a write that swallowed a failed statement', async () => {
      await insertSamplePool(poolStore(), 'swallow', 'u');
      const write = poolStore().write(async (transaction) => {
        await transaction.users.insert(sampleUser('swallow', 'u'), []).catch(() => {});
      });
      await assert.rejects(write, createConflictCheck('users'));
    });

    it('refuses a write or read of the store inside a write, instead of waiting forever', async () => {
      await assert.rejects(
        poolStore().write(() => poolStore().pools.byId('x')),
        TypeError,
      );
      await assert.rejects(
        poolStore().write(() => poolStore().write(async () => {})),
        TypeError,
      );
    });

    it('shows every acknowledged write to the next read, and no partial one', async () => {
      await insertSamplePool(poolStore(), 'visible');
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const username = `u${index}`;
          const written = poolStore().write(async (transaction) => {
            await transaction.users.insert(sampleUser('visible', username), [username]);
            await transaction.credentials.put(sampleCredential('visible', username));
          });
          const during = await poolStore().users.byName('visible', username);
          if (during !== undefined) assert.ok(during.credential, 'a half of a write was seen');
          await written;
          assert.ok((await poolStore().users.byName('visible', username))?.credential);
        }),
      );
    });

    it('counts the attempts on a session until it is consumed', async () => {
      const [first, second, spent, again, late] = await poolStore().write(async (transaction) => [
        await transaction.challengeSessions.reserve('session-1', 10),
        await transaction.challengeSessions.reserve('session-1', 10),
        await transaction.challengeSessions.spend('session-1'),
        await transaction.challengeSessions.spend('session-1'),
        await transaction.challengeSessions.reserve('session-1', 10),
      ]);
      assert.deepEqual([first, second, spent, again, late], [1, 2, true, false, undefined]);
      assert.equal(await poolStore().write((transaction) => transaction.challengeSessions.spend('never-tried')), false);
    });

    it('numbers parallel attempts, each differently', async () => {
      const tries = await Promise.all(
        Array.from({ length: RACERS }, () =>
          poolStore().write((transaction) => transaction.challengeSessions.reserve('session-many', 10)),
        ),
      );
      assert.deepEqual(
        tries.toSorted((one, other) => (one ?? 0) - (other ?? 0)),
        Array.from({ length: RACERS }, (_, index) => index + 1),
      );
    });

    it('takes a session once, unless it is returned, and keeps counting', async () => {
      const outcomes = await poolStore().write(async (transaction) => [
        await transaction.challengeSessions.reserveAndSpend('session-taken', 10),
        await transaction.challengeSessions.reserveAndSpend('session-taken', 10),
        await transaction.challengeSessions.reserve('session-taken', 10),
        await transaction.challengeSessions.spend('session-taken'),
        await transaction.challengeSessions.unspend('session-taken'),
        await transaction.challengeSessions.reserve('session-taken', 10),
        await transaction.challengeSessions.reserveAndSpend('session-taken', 10),
        await transaction.challengeSessions.reserveAndSpend('session-taken', 10),
      ]);
      assert.deepEqual(outcomes, [1, undefined, undefined, false, undefined, 2, 3, undefined]);
    });

    it('lets one of fifty take a session', async () => {
      const take = () =>
        poolStore().write((transaction) => transaction.challengeSessions.reserveAndSpend('session-taken-by-one', 10));
      assert.equal(await countWins(async () => (await take()) !== undefined), 1);
    });

    it('lets one of fifty consume a session', async () => {
      await poolStore().write((transaction) => transaction.challengeSessions.reserve('session-race', 10));
      assert.equal(
        await countWins(() => poolStore().write((transaction) => transaction.challengeSessions.spend('session-race'))),
        1,
      );
    });

    it('lets one of fifty consume a code', async () => {
      await insertSamplePool(poolStore(), 'coderace', 'u');
      await poolStore().write((transaction) => transaction.codes.put(sampleCode('coderace', 'u')));
      const consume = () =>
        poolStore().write((transaction) => transaction.codes.consume('coderace', 'u', 'sign_up', 'd1'));
      assert.equal(await countWins(consume), 1);
      assert.equal(await poolStore().codes.byPurpose('coderace', 'u', 'sign_up'), undefined);
    });

    it('invalidates a code with the next one', async () => {
      await insertSamplePool(poolStore(), 'codes', 'u');
      const next = { ...sampleCode('codes', 'u'), digestHex: 'd2', channel: 'sms' as const };
      const [old, current] = await poolStore().write(async (transaction) => {
        await transaction.codes.put(sampleCode('codes', 'u'));
        await transaction.codes.put(next);
        assert.deepEqual(await transaction.codes.byPurpose('codes', 'u', 'sign_up'), next);
        return [
          await transaction.codes.consume('codes', 'u', 'sign_up', 'd1'),
          await transaction.codes.consume('codes', 'u', 'sign_up', 'd2'),
        ];
      });
      assert.deepEqual([old, current], [false, true]);
    });

    it('reads what decides about an access token at once, and reports what is missing', async () => {
      await insertSamplePool(poolStore(), 'tokens', 'ada', 'bob');
      await insertSamplePool(poolStore(), 'elsewhere', 'ada');
      const login = sampleLogin('tokens', 'ada', 'login-of-token');
      await poolStore().write(async (transaction) => {
        await transaction.logins.insert(login);
        await transaction.signingKeys.insert(sampleSigningKey('tokens', 'kid-a'));
        await transaction.signingKeys.insert({ ...sampleSigningKey('tokens', 'kid-b'), retiredAtMs: 7 });
        await transaction.signingKeys.insert({ ...sampleSigningKey('tokens', 'kid-of-id'), purpose: 'id' });
        const revocation = { userPoolId: 'tokens', endedAtMs: 5, expiresAtMs: 100 };
        await transaction.revocations.record({ ...revocation, subject: 'user:a' });
        await transaction.revocations.record({ ...revocation, subject: 'login:a', expiresAtMs: 50 });
        await transaction.revocations.record({ ...revocation, subject: 'gone:a', userPoolId: 'elsewhere' });
      });
      const subjects = ['user:a', 'gone:a', 'login:a'];
      const query = { poolId: 'tokens', username: 'ada', loginId: login.id, kid: 'kid-a', subjects };
      const user = await poolStore().users.byUsername('tokens', 'ada');
      assert.deepEqual(await poolStore().accessTokens.findFacts(query, 50), {
        login,
        user,
        key: { retiredAtMs: null },
        revocations: [{ subject: 'user:a', endedAtMs: 5 }],
      });
      const retired = await poolStore().accessTokens.findFacts({ ...query, kid: 'kid-b', subjects: ['login:a'] }, 49);
      assert.deepEqual(
        [retired.key, retired.revocations],
        [{ retiredAtMs: 7 }, [{ subject: 'login:a', endedAtMs: 5 }]],
      );
      for (const kid of ['kid-of-id', 'kid-c']) {
        const nothing = { poolId: 'tokens', username: 'eve', loginId: '', kid, subjects: ['user:b', 'gone:b'] };
        const none = { login: undefined, user: undefined, key: undefined, revocations: [] };
        assert.deepEqual(await poolStore().accessTokens.findFacts(nothing, 0), none);
      }
      const elsewhere = await poolStore().accessTokens.findFacts({ ...query, poolId: 'elsewhere' }, 50);
      assert.deepEqual([elsewhere.user?.poolId, elsewhere.key], ['elsewhere', undefined]);
      assert.deepEqual(elsewhere.revocations, [{ subject: 'gone:a', endedAtMs: 5 }]);
    });

    it('reads a login with its user, and whether its device was confirmed', async () => {
      await insertSamplePool(poolStore(), 'families', 'ada', 'bob');
      const login = sampleLogin('families', 'ada', 'login-of-owner');
      await poolStore().write(async (transaction) => {
        await transaction.logins.insert(login);
        await transaction.devices.insert(sampleDevice('families', 'bob', login.deviceKey ?? ''));
      });
      const user = await poolStore().users.byUsername('families', 'ada');
      const read = () => poolStore().logins.byIdWithUser(login.id);
      assert.deepEqual(await read(), { login, user, hasConfirmedDevice: false });
      await poolStore().write(async ({ devices }) => {
        await devices.delete('families', 'bob', login.deviceKey ?? '');
        await devices.insert(sampleDevice('families', 'ada', login.deviceKey ?? ''));
      });
      assert.deepEqual(await read(), { login, user, hasConfirmedDevice: true });
      assert.equal(await poolStore().logins.byIdWithUser('login-of-nobody'), undefined);
    });

    it('lets one of fifty rotate a login', async () => {
      await insertSamplePool(poolStore(), 'rotaterace', 'u');
      const login = sampleLogin('rotaterace', 'u', 'login-race');
      await poolStore().write((transaction) => transaction.logins.insert(login));
      assert.deepEqual(await poolStore().logins.byId('login-race'), login);
      assert.equal(
        await countWins(() => poolStore().write((transaction) => transaction.logins.rotate('login-race', 0, 5))),
        1,
      );
      assert.deepEqual(await poolStore().logins.byId('login-race'), { ...login, generation: 1, rotatedAtMs: 5 });
    });

    it('rotates no revoked, expired, unknown or otherwise rotated login', async () => {
      await insertSamplePool(poolStore(), 'rotate', 'u');
      const login = sampleLogin('rotate', 'u', 'rotate-1');
      const rotate = (id: string, from: number, nowMs: number) =>
        poolStore().write((transaction) => transaction.logins.rotate(id, from, nowMs));
      await poolStore().write((transaction) => transaction.logins.insert(login));
      assert.equal(await rotate('unknown', 0, 5), false);
      assert.equal(await rotate('rotate-1', 1, 5), false);
      assert.equal(await rotate('rotate-1', 0, login.refreshExpiresAtMs), false);
      assert.equal(await poolStore().write((transaction) => transaction.logins.revoke('rotate-1', 6)), true);
      assert.equal(await rotate('rotate-1', 0, 7), false);
      assert.equal(await poolStore().write((transaction) => transaction.logins.revoke('rotate-1', 8)), false);
      assert.equal((await poolStore().logins.byId('rotate-1'))?.revokedAtMs, 6);
      assert.equal(await poolStore().write((transaction) => transaction.logins.revoke('unknown', 8)), false);
    });

    it('revokes every active login of one user', async () => {
      await insertSamplePool(poolStore(), 'revoke', 'u', 'v');
      await poolStore().write(async (transaction) => {
        await transaction.logins.insert(sampleLogin('revoke', 'u', 'revoke-1'));
        await transaction.logins.insert({ ...sampleLogin('revoke', 'u', 'revoke-2'), revokedAtMs: 3 });
        await transaction.logins.insert(sampleLogin('revoke', 'v', 'revoke-3'));
        await transaction.logins.revokeAllOf('revoke', 'u', 9);
      });
      const revoked = await Promise.all(['revoke-1', 'revoke-2', 'revoke-3'].map((id) => poolStore().logins.byId(id)));
      assert.deepEqual(
        revoked.map((login) => login?.revokedAtMs),
        [9, 3, null],
      );
    });

    it('revokes every active login of one device of one user', async () => {
      await insertSamplePool(poolStore(), 'devicelogins', 'u', 'v');
      const logins = [
        { ...sampleLogin('devicelogins', 'u', 'on-device-1'), deviceKey: 'd' },
        { ...sampleLogin('devicelogins', 'u', 'on-device-2'), deviceKey: 'd', revokedAtMs: 3 },
        { ...sampleLogin('devicelogins', 'u', 'on-another'), deviceKey: 'e' },
        { ...sampleLogin('devicelogins', 'u', 'on-none'), deviceKey: null },
        { ...sampleLogin('devicelogins', 'v', 'of-another'), deviceKey: 'd' },
      ];
      const ids = await poolStore().write(async (transaction) => {
        for (const login of logins) await transaction.logins.insert(login);
        return transaction.logins.revokeAllOfDevice('devicelogins', 'u', 'd', 9);
      });
      assert.deepEqual(ids, ['on-device-1']);
      const revoked = await Promise.all(logins.map(({ id }) => poolStore().logins.byId(id)));
      assert.deepEqual(
        revoked.map((login) => login?.revokedAtMs),
        [9, 3, null, null, null],
      );
    });

    it('keeps a user as a write has read it until that write ends', async () => {
      await insertSamplePool(poolStore(), 'held', 'u');
      await poolStore().write((transaction) => transaction.users.replaceNames('held', 'u', ['u']));
      const ended: string[] = [];
      const disable = () =>
        poolStore().write((transaction) => transaction.users.update('held', 'u', { enabled: false, modifiedAtMs: 9 }));
      const { promise: isRead, resolve: tellRead } = Promise.withResolvers<void>();
      const disabling = isRead.then(disable).then(() => ended.push('disabled'));
      await poolStore().write(async (transaction) => {
        assert.equal((await transaction.users.lockByName('held', 'u'))?.user.enabled, true);
        tellRead();
        for (let index = 0; index < 50; index++) await transaction.lockouts.bySubject('held', 'u');
        assert.equal((await transaction.users.byUsername('held', 'u'))?.enabled, true);
        ended.push('read');
      });
      await disabling;
      assert.deepEqual(ended, ['read', 'disabled']);
    });

    it('reads a user behind a lock with the password of the write before', async () => {
      await insertSamplePool(poolStore(), 'replaced', 'u');
      const before = sampleCredential('replaced', 'u');
      await poolStore().write((transaction) => transaction.credentials.put(before));
      const { promise: isChanged, resolve: tellChanged } = Promise.withResolvers<void>();
      const locking = isChanged.then(() => poolStore().write(({ users }) => users.lockByName('replaced', 'u')));
      await poolStore().write(async (transaction) => {
        await transaction.credentials.put({ ...before, version: 'replaced' });
        await transaction.users.update('replaced', 'u', { status: 'CONFIRMED', modifiedAtMs: 9 });
        tellChanged();
        for (let index = 0; index < 50; index++) await transaction.lockouts.bySubject('replaced', 'u');
      });
      assert.equal((await locking)?.credential?.version, 'replaced');
    });

    it('also revokes the logins of a write that had locked the user before', async () => {
      await insertSamplePool(poolStore(), 'revokelast', 'u');
      const { promise: isLocked, resolve: tellLocked } = Promise.withResolvers<void>();
      const revoking = isLocked.then(() =>
        poolStore().write(async ({ users, logins }) => {
          await users.lockByName('revokelast', 'u');
          await logins.revokeAllOf('revokelast', 'u', 9);
        }),
      );
      await poolStore().write(async (transaction) => {
        await transaction.users.lockByName('revokelast', 'u');
        tellLocked();
        for (let index = 0; index < 50; index++) await transaction.lockouts.bySubject('revokelast', 'u');
        await transaction.logins.insert(sampleLogin('revokelast', 'u', 'opened-last'));
      });
      await revoking;
      assert.equal((await poolStore().logins.byId('opened-last'))?.revokedAtMs, 9);
    });

    it('accepts many parallel writes that lock a user and then change it', async () => {
      await insertSamplePool(poolStore(), 'lockedtogether', 'u');
      const wins = await countWins(() =>
        poolStore().write(async ({ users, logins }) => {
          const found = await users.lockByName('lockedtogether', 'u');
          await logins.revokeAllOf('lockedtogether', 'u', 9);
          return found !== undefined;
        }),
      );
      assert.equal(wins, RACERS);
    });

    it('detaches a login from its device, which ends its refreshes and nothing else', async () => {
      await insertSamplePool(poolStore(), 'parted', 'u');
      const login = { ...sampleLogin('parted', 'u', 'parted-1'), deviceKey: 'd' };
      await poolStore().write(async (transaction) => {
        await transaction.logins.insert(login);
        await transaction.logins.detachDevice(login.id, 9);
        await transaction.logins.revokeAllOfDevice('parted', 'u', 'd', 10);
        assert.equal(await transaction.logins.rotate(login.id, login.generation, 9), false);
      });
      assert.deepEqual(await poolStore().logins.byId(login.id), { ...login, deviceKey: null, refreshExpiresAtMs: 9 });
    });

    it('retires all keys except the named ones, once', async () => {
      await insertSamplePool(poolStore(), 'keys');
      await poolStore().write(async (transaction) => {
        for (const kid of ['k1', 'k2', 'k3']) await transaction.signingKeys.insert(sampleSigningKey('keys', kid));
        await transaction.signingKeys.retireExcept('keys', ['k2', 'k3'], 5);
        await transaction.signingKeys.retireExcept('keys', ['k3'], 6);
      });
      const keys = await poolStore().signingKeys.listOf('keys');
      assert.deepEqual(keys, [
        { ...sampleSigningKey('keys', 'k1'), retiredAtMs: 5 },
        { ...sampleSigningKey('keys', 'k2'), retiredAtMs: 6 },
        sampleSigningKey('keys', 'k3'),
      ]);
    });

    it('counts failures, forgets old ones, and counts none under a lock', async () => {
      const fail = (nowMs: number, forgetBeforeMs: number) =>
        poolStore().write((transaction) => transaction.lockouts.countFailure('locks', 'u', nowMs, forgetBeforeMs));
      assert.equal(await fail(1_000, 0), 1);
      assert.deepEqual(await poolStore().lockouts.bySubject('locks', 'u'), { failures: 1, lockedUntilMs: 0 });
      assert.equal(await fail(1_500, 600), 2);
      assert.equal(await fail(2_500, 1_501), 1, 'the failures before 1501 do not count any more');
      await poolStore().write(async (transaction) => {
        assert.equal(await transaction.lockouts.countFailure('locks', 'u', 2_600, 1_600), 2);
        await transaction.lockouts.lockOut('locks', 'u', 3_000);
      });
      assert.deepEqual(await poolStore().lockouts.bySubject('locks', 'u'), { failures: 2, lockedUntilMs: 3_000 });
      assert.equal(await fail(2_999, 0), undefined);
      assert.deepEqual(await poolStore().lockouts.bySubject('locks', 'u'), { failures: 2, lockedUntilMs: 3_000 });
      assert.equal(await fail(3_000, 2_000), 3);
      assert.deepEqual(await poolStore().lockouts.bySubject('locks', 'u'), { failures: 3, lockedUntilMs: 0 });
    });

    it('ignores and clears a lockout from a clock that was set back since', async () => {
      const write = <Result>(work: (transaction: PoolTransaction) => Promise<Result>) => poolStore().write(work);
      await write(async ({ lockouts }) => {
        await lockouts.countFailure('ahead', 'u', 90_000, 0);
        await lockouts.lockOut('ahead', 'u', 91_000);
      });
      const fail = (longestMs: number) =>
        write(({ lockouts }) => lockouts.countFailure('ahead', 'u', 1_000, 0, longestMs));
      const clear = (longestMs: number) =>
        write(({ lockouts }) => lockouts.clearFailures('ahead', 'u', 1_000, longestMs));
      assert.deepEqual([await fail(90_000), await clear(90_000)], [undefined, false]);
      assert.deepEqual([await clear(89_999), await fail(89_999)], [true, 1]);
      await write(({ lockouts }) => lockouts.lockOut('ahead', 'u', 91_000));
      assert.equal(await fail(89_999), 2);
    });

    it('clears failures, but not during a lockout', async () => {
      const clear = (nowMs: number) =>
        poolStore().write((transaction) => transaction.lockouts.clearFailures('clears', 'u', nowMs));
      assert.equal(await clear(1), true, 'nothing to clear is cleared');
      await poolStore().write(async (transaction) => {
        await transaction.lockouts.countFailure('clears', 'u', 10, 0);
        await transaction.lockouts.lockOut('clears', 'u', 20);
      });
      assert.equal(await clear(19), false);
      assert.deepEqual(await poolStore().lockouts.bySubject('clears', 'u'), { failures: 1, lockedUntilMs: 20 });
      assert.equal(await clear(20), true);
      assert.equal(await poolStore().lockouts.bySubject('clears', 'u'), undefined);
      const again = await poolStore().write((transaction) => transaction.lockouts.countFailure('clears', 'u', 21, 0));
      assert.equal(again, 1);
    });

    it('lists the lockouts of subjects with failures', async () => {
      const hold = () => poolStore().write(({ lockouts }) => lockouts.holdLocks('held', 'u', 'all'));
      assert.deepEqual(await hold(), []);
      await poolStore().write(async ({ lockouts }) => {
        for (const subject of ['u', 'all', 'other']) await lockouts.countFailure('held', subject, 10, 0);
        await lockouts.lockOut('held', 'u', 20);
      });
      const [locked, shared] = [
        { subject: 'u', lockedUntilMs: 20 },
        { subject: 'all', lockedUntilMs: 0 },
      ];
      assert.deepEqual(await hold(), [locked, shared]);
      await poolStore().write(({ lockouts }) => lockouts.unlock('held', 'u'));
      assert.deepEqual(await hold(), [shared]);
    });

    it('refuses to clear failures during a shared lockout, and leaves the shared count', async () => {
      const clear = (nowMs: number, longestMs = 1_000) =>
        poolStore().write((transaction) =>
          transaction.lockouts.clearFailures('shared', 'u', nowMs, 1_000, { subject: 'all', longestMs }),
        );
      assert.equal(await clear(10), true);
      await poolStore().write(async (transaction) => {
        for (const subject of ['u', 'all']) await transaction.lockouts.countFailure('shared', subject, 10, 0);
        await transaction.lockouts.lockOut('shared', 'all', 20);
      });
      assert.equal(await clear(19), false);
      assert.deepEqual(await poolStore().lockouts.bySubject('shared', 'u'), { failures: 1, lockedUntilMs: 0 });
      assert.equal(await clear(11, 5), true, 'a lock that is longer than locks are is none');
      await poolStore().write((transaction) => transaction.lockouts.countFailure('shared', 'u', 12, 0));
      assert.equal(await clear(20), true);
      assert.equal(await poolStore().lockouts.bySubject('shared', 'u'), undefined);
      assert.deepEqual(await poolStore().lockouts.bySubject('shared', 'all'), { failures: 1, lockedUntilMs: 20 });
    });

    it('counts a shared failure with that of a subject, and none with a locked or uncounted subject', async () => {
      const count = (subject: string, nowMs: number, isOwn = true) =>
        poolStore().write(({ lockouts }) =>
          Promise.all([
            isOwn ? lockouts.countFailure('counts', subject, nowMs, 0) : undefined,
            lockouts.countSharedFailure('counts', 'all', subject, nowMs, nowMs - 50, 1_000),
          ]),
        );
      assert.deepEqual(await count('u', 10, false), [undefined, undefined]);
      assert.deepEqual(await count('u', 10), [1, 1]);
      assert.deepEqual(await count('v', 11), [1, 2]);
      await poolStore().write(({ lockouts }) => lockouts.lockOut('counts', 'u', 20));
      assert.deepEqual(await count('u', 12), [undefined, undefined]);
      assert.deepEqual(await poolStore().lockouts.bySubject('counts', 'all'), { failures: 2, lockedUntilMs: 0 });
      await poolStore().write(({ lockouts }) => lockouts.lockOut('counts', 'all', 30));
      assert.deepEqual(await count('v', 20), [2, undefined]);
      assert.deepEqual(await count('u', 30), [2, 3]);
      assert.deepEqual(await count('v', 99), [3, 1], 'what is older than it may be counts no more');
    });

    it('releases a locked subject, and no other', async () => {
      await poolStore().write(async (transaction) => {
        for (const subject of ['u', 'v']) {
          await transaction.lockouts.countFailure('released', subject, 10, 0);
          await transaction.lockouts.lockOut('released', subject, 20);
        }
        await transaction.lockouts.unlock('released', 'u');
        await transaction.lockouts.unlock('released', 'nobody');
      });
      assert.equal(await poolStore().lockouts.bySubject('released', 'u'), undefined);
      assert.deepEqual(await poolStore().lockouts.bySubject('released', 'v'), { failures: 1, lockedUntilMs: 20 });
      const again = await poolStore().write((transaction) => transaction.lockouts.countFailure('released', 'u', 11, 0));
      assert.equal(again, 1);
    });

    it('allows no guess past a lockout, for any number in parallel', async () => {
      const guess = () =>
        poolStore().write(async (transaction) => {
          const failures = await transaction.lockouts.countFailure('guesses', 'u', 100, 0);
          if (failures === undefined) return false;
          if (failures >= 5) await transaction.lockouts.lockOut('guesses', 'u', 200);
          return true;
        });
      assert.equal(await countWins(guess), 5);
    });

    it('lets all clear at once what is not locked', async () => {
      await poolStore().write((transaction) => transaction.lockouts.countFailure('clearrace', 'u', 10, 0));
      const clear = () => poolStore().write((transaction) => transaction.lockouts.clearFailures('clearrace', 'u', 11));
      assert.equal(await countWins(clear), RACERS);
    });

    it('refuses text that one of the databases could not store', async () => {
      await assert.rejects(poolStore().users.byName('x', 'nul\0'), RangeError);
      await assert.rejects(poolStore().users.byName('x', 'half \ud800'), RangeError);
    });

    it('sweeps expired records and nothing else', async () => {
      await insertSamplePool(poolStore(), 'sweep', 'u');
      // A login is kept a day longer than its refreshes, because its last access token may live that long.
      const dayMs = 24 * 60 * 60 * 1_000;
      const expiring = { ...sampleLogin('sweep', 'u', 'sweep-1'), refreshExpiresAtMs: 50 - dayMs };
      await poolStore().write(async (transaction) => {
        await transaction.logins.insert(expiring);
        await transaction.logins.insert({ ...expiring, id: 'sweep-2', refreshExpiresAtMs: 51 - dayMs });
        await transaction.codes.put({ ...sampleCode('sweep', 'u'), expiresAtMs: 50 });
        await transaction.notMeLinks.insert({ ...sampleNotMeLink('sweep', 'u', 'sweep-old'), expiresAtMs: 50 });
        await transaction.notMeLinks.insert({ ...sampleNotMeLink('sweep', 'u', 'sweep-new'), expiresAtMs: 51 });
        await transaction.lockouts.countFailure('sweep', 'u', 40, 30);
        await transaction.lockouts.countFailure('sweep', 'v', 41, 30);
        for (let index = 0; index < 1_100; index++) await transaction.challengeSessions.reserve(`sweep-${index}`, 50);
        await transaction.challengeSessions.spend('sweep-7');
        await transaction.challengeSessions.reserve('sweep-later', 51);
      });
      await poolStore().sweep(50);
      assert.equal(await poolStore().logins.byId('sweep-1'), undefined);
      assert.equal((await poolStore().logins.byId('sweep-2'))?.id, 'sweep-2');
      assert.equal(await poolStore().codes.byPurpose('sweep', 'u', 'sign_up'), undefined);
      assert.equal(await poolStore().lockouts.bySubject('sweep', 'u'), undefined);
      assert.equal((await poolStore().lockouts.bySubject('sweep', 'v'))?.failures, 1);
      const links = await poolStore().write(async (transaction) => [
        await transaction.notMeLinks.take('sweep-old', 0),
        await transaction.notMeLinks.take('sweep-new', 0),
      ]);
      assert.deepEqual(
        links.map((link) => link?.digestHex),
        [undefined, 'sweep-new'],
      );
      const [swept, later] = await poolStore().write(async (transaction) => [
        await transaction.challengeSessions.reserve('sweep-7', 99),
        await transaction.challengeSessions.reserve('sweep-later', 99),
      ]);
      assert.deepEqual([swept, later], [1, 2]);
    });
  });
}
