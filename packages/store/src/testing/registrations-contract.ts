import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RegistrationRecord } from '@poolgate/pool/store';
import { openedPoolStore } from './opened-store.ts';
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

function sample(poolId: string, username: string, change: Partial<RegistrationRecord> = {}): RegistrationRecord {
  const fixed = { name: 'n', isAside: false, isContested: false, createdAtMs: 10, expiresAtMs: 100 };
  return { poolId, username, ...fixed, ...change };
}

/** What every store must do for registrations that wait for their proof. Each test uses a pool id of its own. */
export function registrationsContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`registrations in the pool's store on ${locationName}`, () => {
    const poolStore = openedPoolStore(makeLocation);

    /** Makes users who register, in this order. */
    async function register(poolId: string, ...rows: readonly RegistrationRecord[]): Promise<void> {
      await insertSamplePool(poolStore(), poolId, ...rows.map(({ username }) => username));
      await poolStore().write(async (transaction) => {
        for (const { username } of rows) {
          await transaction.updateUser(poolId, username, { status: 'UNCONFIRMED', modifiedAtMs: 1 });
        }
        for (const row of rows) await transaction.putRegistration(row);
      });
    }

    it('are kept, replaced, and listed by their name, newest first', async () => {
      const p = 'reg-list';
      const [old, young] = [sample(p, 'old'), sample(p, 'young', { createdAtMs: 11, expiresAtMs: 101, isAside: true })];
      await register(p, old, young, sample(p, 'other', { name: 'm' }));
      assert.deepEqual(await poolStore().registrations(p, 'n', 3), [young, old]);
      assert.deepEqual(await poolStore().registrations(p, 'n', 1), [young]);
      assert.deepEqual(await poolStore().registrations('nowhere', 'n', 3), []);
      const later = { ...young, isAside: false, isContested: true, expiresAtMs: 200 };
      await poolStore().write((transaction) => transaction.putRegistration(later));
      assert.deepEqual(await poolStore().registration(p, 'young'), later);
      await poolStore().write((transaction) => transaction.contestRegistrations(p, 'n'));
      assert.equal((await poolStore().registration(p, 'old'))?.isContested, true);
      assert.equal((await poolStore().registration(p, 'other'))?.isContested, false);
    });

    it('end with the status of their user, and with the user', async () => {
      const p = 'reg-end';
      await register(p, sample(p, 'u'), sample(p, 'gone'));
      await poolStore().write(async (transaction) => {
        await transaction.updateUser(p, 'u', { enabled: false, modifiedAtMs: 2 });
        await transaction.deleteUser(p, 'gone');
      });
      assert.notEqual(await poolStore().registration(p, 'u'), undefined);
      assert.equal(await poolStore().registration(p, 'gone'), undefined);
      await poolStore().write((transaction) =>
        transaction.updateUser(p, 'u', { status: 'CONFIRMED', modifiedAtMs: 3 }),
      );
      assert.equal(await poolStore().registration(p, 'u'), undefined);
    });

    it('aside are in no list, no search and no count', async () => {
      const p = 'reg-aside';
      await register(p, sample(p, 'a'), sample(p, 'b', { isAside: true }));
      const names = async () => {
        const byEmail = { attribute: 'sub', match: 'prefix', value: '' } as const;
        const byStatus = { attribute: 'cognito:user_status', match: 'equals', value: 'UNCONFIRMED' } as const;
        const pages = [
          await poolStore().users(p, 10, undefined),
          await poolStore().searchUsers(p, byEmail, 10, undefined),
          await poolStore().searchUsers(p, byStatus, 10, undefined),
        ];
        return [
          ...pages.map(({ rows }) => rows.map(({ username }) => username).join()),
          await poolStore().countUsers(p),
        ];
      };
      assert.deepEqual(await names(), ['a', 'a', 'a', 1]);
      assert.equal((await poolStore().user(p, 'b'))?.username, 'b');
      await poolStore().write((transaction) => transaction.putRegistration(sample(p, 'b')));
      assert.deepEqual(await names(), ['a,b', 'a,b', 'a,b', 2]);
    });

    it('of a name go together, apart from one', async () => {
      const p = 'reg-lost';
      await register(p, sample(p, 'won'), sample(p, 'lost'), sample(p, 'other', { name: 'm' }));
      await poolStore().write((transaction) => transaction.deleteRegistrations(p, 'n', 'won'));
      const left = await poolStore().users(p, 10, undefined);
      assert.deepEqual(
        left.rows.map(({ username }) => username),
        ['other', 'won'],
      );
    });

    it('are swept with their users once they have expired, and nobody else is', async () => {
      const p = 'reg-sweep';
      await register(p, sample(p, 'old'), sample(p, 'open', { expiresAtMs: 101 }), sample(p, 'confirmed'));
      await poolStore().write((transaction) =>
        transaction.updateUser(p, 'confirmed', { status: 'CONFIRMED', modifiedAtMs: 2 }),
      );
      await poolStore().sweep(100);
      const left = await poolStore().users(p, 10, undefined);
      assert.deepEqual(
        left.rows.map(({ username }) => username),
        ['confirmed', 'open'],
      );
    });

    it('take nobody along who was confirmed meanwhile, by the sweep or by who has the name', async () => {
      const p = 'reg-meanwhile';
      await register(p, sample(p, 'sure'));
      await poolStore().write(async (transaction) => {
        await transaction.updateUser(p, 'sure', { status: 'CONFIRMED', modifiedAtMs: 2 });
        // As a sweep sees it that began before.
        await transaction.putRegistration(sample(p, 'sure'));
        await transaction.deleteRegistrations(p, sample(p, 'sure').name, 'another');
      });
      await poolStore().sweep(100);
      assert.equal((await poolStore().user(p, 'sure'))?.status, 'CONFIRMED');
    });

    it('lose every proof of a user, and nobody else loses one', async () => {
      const p = 'reg-proofs';
      await insertSamplePool(poolStore(), p, 'u', 'v');
      await poolStore().write(async (transaction) => {
        for (const username of ['u', 'v']) {
          await transaction.putCode(sampleCode(p, username));
          await transaction.insertDevice(sampleDevice(p, username, `device-${username}`));
          await transaction.putTotp(sampleTotp(p, username, 'active'));
          await transaction.putRecoveryCodes(p, username, ['r'], 1);
          await transaction.insertPasskey(samplePasskey(p, username, `passkey-${username}`));
          await transaction.insertLogin(sampleLogin(p, username, `reg-login-${username}`));
        }
        await transaction.deleteProofs(p, 'u');
      });
      const kept = async (username: string) => [
        (await poolStore().userByName(p, username))?.credential !== undefined,
        (await poolStore().code(p, username, 'sign_up')) !== undefined,
        (await poolStore().devices(p, username, 5, undefined)).rows.length,
        (await poolStore().totp(p, username, 'active')) !== undefined,
        await poolStore().countRecoveryCodes(p, username),
        (await poolStore().passkeys(p, username)).length,
        (await poolStore().user(p, username))?.sub,
      ];
      assert.deepEqual(await kept('u'), [false, false, 0, false, 0, 0, sampleUser(p, 'u').sub]);
      assert.deepEqual((await kept('v')).slice(1, 6), [true, 1, true, 1, 1]);
    });
  });
}
