import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RegistrationRecord } from '@poolgate/pool/store';
import {
  insertSamplePool,
  sampleCode,
  sampleDevice,
  sampleLogin,
  samplePasskey,
  sampleTotp,
  sampleUser,
} from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

function sample(poolId: string, username: string, change: Partial<RegistrationRecord> = {}): RegistrationRecord {
  const fixed = { name: 'n', isAside: false, isContested: false, createdAtMs: 10, expiresAtMs: 100 };
  return { poolId, username, ...fixed, ...change };
}

/** Requirements of every store for pending registrations. Each test uses its own pool id. */
export function registrationsContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`registrations in the pool's store on ${locationName}`, () => {
    const poolStore = openPoolStoreForTests(makeLocation);

    /** Creates users who register, in this order. */
    async function register(poolId: string, ...rows: readonly RegistrationRecord[]): Promise<void> {
      await insertSamplePool(poolStore(), poolId, ...rows.map(({ username }) => username));
      await poolStore().write(async (transaction) => {
        for (const { username } of rows) {
          await transaction.users.update(poolId, username, { status: 'UNCONFIRMED', modifiedAtMs: 1 });
        }
        for (const row of rows) await transaction.registrations.put(row);
      });
    }

    it('are stored, replaced, and listed by name, newest first', async () => {
      const p = 'reg-list';
      const [old, young] = [sample(p, 'old'), sample(p, 'young', { createdAtMs: 11, expiresAtMs: 101, isAside: true })];
      await register(p, old, young, sample(p, 'other', { name: 'm' }));
      assert.deepEqual(await poolStore().registrations.listByName(p, 'n', 3), [young, old]);
      assert.deepEqual(await poolStore().registrations.listByName(p, 'n', 1), [young]);
      assert.deepEqual(await poolStore().registrations.listByName('nowhere', 'n', 3), []);
      const later = { ...young, isAside: false, isContested: true, expiresAtMs: 200 };
      await poolStore().write((transaction) => transaction.registrations.put(later));
      assert.deepEqual(await poolStore().registrations.byUsername(p, 'young'), later);
      await poolStore().write((transaction) => transaction.registrations.contest(p, 'n'));
      assert.equal((await poolStore().registrations.byUsername(p, 'old'))?.isContested, true);
      assert.equal((await poolStore().registrations.byUsername(p, 'other'))?.isContested, false);
    });

    it('end with the status of their user, and with the user', async () => {
      const p = 'reg-end';
      await register(p, sample(p, 'u'), sample(p, 'gone'));
      await poolStore().write(async (transaction) => {
        await transaction.users.update(p, 'u', { enabled: false, modifiedAtMs: 2 });
        await transaction.users.update(p, 'u', { status: 'UNCONFIRMED', modifiedAtMs: 2 });
        await transaction.users.delete(p, 'gone');
      });
      assert.notEqual(await poolStore().registrations.byUsername(p, 'u'), undefined);
      assert.equal(await poolStore().registrations.byUsername(p, 'gone'), undefined);
      await poolStore().write((transaction) =>
        transaction.users.update(p, 'u', { status: 'CONFIRMED', modifiedAtMs: 3 }),
      );
      assert.equal(await poolStore().registrations.byUsername(p, 'u'), undefined);
    });

    it('that were replaced are in no list, no search and no count', async () => {
      const p = 'reg-aside';
      await register(p, sample(p, 'a'), sample(p, 'b', { isAside: true }));
      const names = async () => {
        const byEmail = { attribute: 'sub', match: 'prefix', value: '' } as const;
        const byStatus = { attribute: 'cognito:user_status', match: 'equals', value: 'UNCONFIRMED' } as const;
        const pages = [
          await poolStore().users.list(p, 10, undefined),
          await poolStore().users.search(p, byEmail, 10, undefined),
          await poolStore().users.search(p, byStatus, 10, undefined),
        ];
        return [
          ...pages.map(({ rows }) => rows.map(({ username }) => username).join()),
          await poolStore().users.count(p),
        ];
      };
      assert.deepEqual(await names(), ['a', 'a', 'a', 1]);
      assert.equal((await poolStore().users.byUsername(p, 'b'))?.username, 'b');
      await poolStore().write((transaction) => transaction.registrations.put(sample(p, 'b')));
      assert.deepEqual(await names(), ['a,b', 'a,b', 'a,b', 2]);
    });

    it('of a name are deleted together, except for one', async () => {
      const p = 'reg-lost';
      await register(p, sample(p, 'won'), sample(p, 'lost'), sample(p, 'other', { name: 'm' }));
      await poolStore().write((transaction) => transaction.registrations.deleteOthers(p, 'n', 'won'));
      const left = await poolStore().users.list(p, 10, undefined);
      assert.deepEqual(
        left.rows.map(({ username }) => username),
        ['other', 'won'],
      );
    });

    it('are swept with their users once they have expired, and no one else is', async () => {
      const p = 'reg-sweep';
      await register(p, sample(p, 'old'), sample(p, 'open', { expiresAtMs: 101 }), sample(p, 'confirmed'));
      await poolStore().write((transaction) =>
        transaction.users.update(p, 'confirmed', { status: 'CONFIRMED', modifiedAtMs: 2 }),
      );
      await poolStore().sweep(100);
      const left = await poolStore().users.list(p, 10, undefined);
      assert.deepEqual(
        left.rows.map(({ username }) => username),
        ['confirmed', 'open'],
      );
    });

    it('delete no user who was confirmed meanwhile, by the sweep or by the owner of the name', async () => {
      const p = 'reg-meanwhile';
      await register(p, sample(p, 'sure'));
      await poolStore().write(async (transaction) => {
        await transaction.users.update(p, 'sure', { status: 'CONFIRMED', modifiedAtMs: 2 });
        // As a sweep sees it that started before.
        await transaction.registrations.put(sample(p, 'sure'));
        await transaction.registrations.deleteOthers(p, sample(p, 'sure').name, 'another');
      });
      await poolStore().sweep(100);
      assert.equal((await poolStore().users.byUsername(p, 'sure'))?.status, 'CONFIRMED');
    });

    it('remove every proof of their user, and of no one else', async () => {
      const p = 'reg-proofs';
      await insertSamplePool(poolStore(), p, 'u', 'v');
      await poolStore().write(async (transaction) => {
        for (const username of ['u', 'v']) {
          await transaction.codes.put(sampleCode(p, username));
          await transaction.devices.insert(sampleDevice(p, username, `device-${username}`));
          await transaction.authenticators.put(sampleTotp(p, username, 'active'));
          await transaction.recoveryCodes.replace(p, username, ['r'], 1);
          await transaction.passkeys.insert(samplePasskey(p, username, `passkey-${username}`));
          await transaction.logins.insert(sampleLogin(p, username, `reg-login-${username}`));
        }
        await transaction.users.deleteProofs(p, 'u');
      });
      const kept = async (username: string) => [
        (await poolStore().users.byName(p, username))?.credential !== undefined,
        (await poolStore().codes.byPurpose(p, username, 'sign_up')) !== undefined,
        (await poolStore().devices.listOf(p, username, 5, undefined)).rows.length,
        (await poolStore().authenticators.byState(p, username, 'active')) !== undefined,
        await poolStore().recoveryCodes.count(p, username),
        (await poolStore().passkeys.listOf(p, username)).length,
        (await poolStore().users.byUsername(p, username))?.sub,
      ];
      assert.deepEqual(await kept('u'), [false, false, 0, false, 0, 0, sampleUser(p, 'u').sub]);
      assert.deepEqual((await kept('v')).slice(1, 6), [true, 1, true, 1, 1]);
    });
  });
}
