import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CodePurpose } from '@poolgate/pool/store';
import { countWins, RACERS } from './races.ts';
import { sampleNotMeLink } from './sample-account-records.ts';
import { insertSamplePool, sampleCode, sampleLogin, sampleUser } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

/** Requirements of every store for users' accounts. Each test uses its own pool id. */
export function accountsContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`accounts in the pool's store on ${locationName}`, () => {
    const poolStore = openPoolStoreForTests(makeLocation);

    it('lists the users whose deletion is due, the longest waiting first, page by page over all pools', async () => {
      await insertSamplePool(poolStore(), 'due1', 'late', 'kept');
      await insertSamplePool(poolStore(), 'due2', 'a', 'b', 'first');
      await insertSamplePool(poolStore(), 'due3', 'a', 'soon');
      const times = [
        ['due1', 'late', 30],
        ['due1', 'kept', null],
        ['due2', 'a', 20],
        ['due2', 'b', 20],
        ['due2', 'first', 10],
        ['due3', 'a', 20],
        ['due3', 'soon', 31],
      ] as const;
      await poolStore().write(async ({ users }) => {
        for (const [poolId, username, deletionAtMs] of times)
          await users.update(poolId, username, { deletionAtMs, modifiedAtMs: 1 });
      });
      const due = await poolStore().users.listDueDeletions(30, 10);
      const first = { poolId: 'due2', username: 'first', sub: sampleUser('due2', 'first').sub, deletionAtMs: 10 };
      assert.deepEqual(due[0], first);
      const names = due.map(({ poolId, username }) => `${poolId} ${username}`);
      assert.deepEqual(names, ['due2 first', 'due2 a', 'due2 b', 'due3 a', 'due1 late']);
      for (const [at, last] of due.entries())
        assert.deepEqual(await poolStore().users.listDueDeletions(30, 2, last), due.slice(at + 1, at + 3));
    });

    it('keeps a code of each purpose, and invalidates one that was not used', async () => {
      await insertSamplePool(poolStore(), 'purposes', 'u');
      const code = sampleCode('purposes', 'u');
      const purposes = ['sign_up', 'forgot_password', 'verify_email', 'verify_phone_number'] as const;
      await poolStore().write(async (transaction) => {
        for (const purpose of purposes) await transaction.codes.put({ ...code, purpose, destination: purpose });
        await transaction.codes.delete('purposes', 'u', 'verify_email');
        await transaction.codes.delete('purposes', 'nobody', 'sign_up');
      });
      const left = await Promise.all(purposes.map((purpose) => poolStore().codes.byPurpose('purposes', 'u', purpose)));
      assert.deepEqual(
        left.map((one) => one?.destination),
        ['sign_up', 'forgot_password', undefined, 'verify_phone_number'],
      );
    });

    it('returns no code of another user or purpose, however near its key is', async () => {
      await insertSamplePool(poolStore(), 'nearcodes', 'u2');
      const code = sampleCode('nearcodes', 'u2');
      await poolStore().write((transaction) => transaction.codes.put({ ...code, purpose: 'forgot_password' }));
      const found = async (username: string, purpose: CodePurpose) =>
        (await poolStore().codes.byPurpose('nearcodes', username, purpose))?.username;
      assert.equal(await found('u2', 'forgot_password'), 'u2');
      for (const purpose of ['forgot_password', 'sign_up', 'verify_email'] as const) {
        for (const username of ['u', 'u1', 'u3']) assert.equal(await found(username, purpose), undefined, username);
      }
      for (const purpose of ['sign_up', 'verify_email'] as const) assert.equal(await found('u2', purpose), undefined);
      assert.equal(await poolStore().codes.byPurpose('nearcode', 'u2', 'forgot_password'), undefined);
    });

    it('gives a not-me link to one of fifty, and only before it expires', async () => {
      await insertSamplePool(poolStore(), 'notme', 'u');
      const link = sampleNotMeLink('notme', 'u', 'digest-1');
      const take = (digestHex: string, nowMs: number) =>
        poolStore().write((transaction) => transaction.notMeLinks.take(digestHex, nowMs));
      await poolStore().write(async (transaction) => {
        await transaction.notMeLinks.insert(link);
        await transaction.notMeLinks.insert({ ...link, digestHex: 'digest-2' });
      });
      assert.equal(await take('digest-1', 100), undefined);
      const taken = await Promise.all(Array.from({ length: RACERS }, () => take('digest-1', 99)));
      assert.deepEqual(
        taken.filter((one) => one !== undefined),
        [link],
      );
      assert.equal((await take('digest-2', 0))?.digestHex, 'digest-2', 'each link is one of its own');
    });

    it('removes the not-me links of a user that were sent after another one, and no others', async () => {
      await insertSamplePool(poolStore(), 'later', 'u', 'v');
      const at = (username: string, digestHex: string, expiresAtMs: number) => ({
        ...sampleNotMeLink('later', username, digestHex),
        expiresAtMs,
      });
      const left = await poolStore().write(async (transaction) => {
        await transaction.notMeLinks.insert(at('u', 'later-99', 99));
        await transaction.notMeLinks.insert(at('u', 'later-100', 100));
        await transaction.notMeLinks.insert(at('u', 'later-101', 101));
        await transaction.notMeLinks.insert(at('v', 'later-of-v', 101));
        await transaction.notMeLinks.deleteLater('later', 'u', 100);
        const digests = ['later-99', 'later-100', 'later-101', 'later-of-v'];
        const taken: boolean[] = [];
        for (const digestHex of digests) taken.push((await transaction.notMeLinks.take(digestHex, 0)) !== undefined);
        return taken;
      });
      assert.deepEqual(left, [true, true, false, true]);
    });

    it('deletes a user once, and frees the names', async () => {
      await insertSamplePool(poolStore(), 'deleted', 'u', 'v');
      const remove = (username: string) =>
        poolStore().write((transaction) => transaction.users.delete('deleted', username));
      assert.equal(await countWins(() => remove('u')), 1);
      assert.equal(await remove('nobody'), false);
      assert.equal(await poolStore().users.byName('deleted', 'u'), undefined);
      await poolStore().write((transaction) => transaction.users.insert(sampleUser('deleted', 'u'), ['u']));
      assert.deepEqual(await poolStore().users.byName('deleted', 'u'), {
        user: sampleUser('deleted', 'u'),
        credential: undefined,
      });
      assert.equal((await poolStore().users.byUsername('deleted', 'v'))?.username, 'v');
    });

    it('lists the active logins of a user, newest first, page by page', async () => {
      await insertSamplePool(poolStore(), 'logins', 'u', 'v');
      const login = (id: string, createdAtMs: number) => ({
        ...sampleLogin('logins', 'u', id),
        createdAtMs,
        refreshExpiresAtMs: 1_000,
      });
      const logins = [login('l1', 10), login('l4', 30), login('l3', 20), login('l2', 20)];
      await poolStore().write(async (transaction) => {
        for (const one of logins) await transaction.logins.insert(one);
        await transaction.logins.insert({ ...login('expired', 40), refreshExpiresAtMs: 500 });
        await transaction.logins.insert({ ...login('revoked', 50), revokedAtMs: 60 });
        await transaction.logins.insert({ ...login('of-another', 60), username: 'v' });
      });
      const page = (limit: number, cursor?: string) => poolStore().logins.listActive('logins', 'u', 500, limit, cursor);
      assert.deepEqual((await page(10)).rows, [login('l4', 30), login('l2', 20), login('l3', 20), login('l1', 10)]);
      const first = await page(2);
      const second = await page(2, first.nextCursor);
      assert.deepEqual(
        [first, second].map(({ rows }) => rows.map((one) => one.id)),
        [
          ['l4', 'l2'],
          ['l3', 'l1'],
        ],
      );
      assert.equal(second.nextCursor, undefined);
      assert.deepEqual((await poolStore().logins.listActive('logins', 'u', 1_000, 10, undefined)).rows, []);
      await assert.rejects(page(0), RangeError);
      await assert.rejects(page(1, 'no cursor'), RangeError);
    });

    it("ends a user's excess logins, the least recently used ones", async () => {
      await insertSamplePool(poolStore(), 'toomany', 'u', 'v');
      const login = (id: string, createdAtMs: number, rotatedAtMs: number | null = null) => ({
        ...sampleLogin('toomany', 'u', id),
        createdAtMs,
        rotatedAtMs,
        refreshExpiresAtMs: 1_000,
      });
      await poolStore().write(async (transaction) => {
        for (const one of [login('t1', 10, 35), login('t2', 20), login('t3', 30), login('t4', 30), login('t5', 40)]) {
          await transaction.logins.insert(one);
        }
        await transaction.logins.insert({ ...login('t-expired', 90), refreshExpiresAtMs: 500 });
        await transaction.logins.insert({ ...login('t-revoked', 91), revokedAtMs: 92 });
        await transaction.logins.insert({ ...login('t-of-another', 5), username: 'v' });
      });
      const endBeyond = (most: number) =>
        poolStore().write((transaction) => transaction.logins.revokeExcess('toomany', 'u', most, 600));
      const clientId = sampleLogin('toomany', 'u', 'x').clientId;
      assert.deepEqual(await endBeyond(5), []);
      assert.deepEqual(await endBeyond(4), [{ id: 't2', clientId }]);
      assert.deepEqual((await endBeyond(2)).map(({ id }) => id).toSorted(), ['t3', 't4']);
      const { rows } = await poolStore().logins.listActive('toomany', 'u', 600, 10, undefined);
      assert.deepEqual(
        rows.map(({ id }) => id),
        ['t5', 't1'],
      );
      assert.equal((await poolStore().logins.byId('t-of-another'))?.revokedAtMs, null);
      assert.equal((await poolStore().logins.byId('t-revoked'))?.revokedAtMs, 92);
      assert.equal((await poolStore().logins.byId('t2'))?.revokedAtMs, 600);
      const kept = await poolStore().write(({ logins }) => logins.revokeExcess('toomany', 'u', 1, 600, 't1'));
      assert.deepEqual(kept, [], 'one that is to stay stays');
    });
  });
}
