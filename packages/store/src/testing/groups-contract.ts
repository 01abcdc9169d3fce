import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GroupRecord, PoolTransaction } from '@poolgate/pool/store';
import { countWins, createConflictCheck, RACERS } from './races.ts';
import { sampleGroup } from './sample-account-records.ts';
import { insertSamplePool, sampleUser } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

/** Requirements of every store for groups. Each test uses its own pool id. */
export function groupsContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`groups in the pool's store on ${locationName}`, () => {
    const poolStore = openPoolStoreForTests(makeLocation);
    const write = <Result>(work: (transaction: PoolTransaction) => Promise<Result>) => poolStore().write(work);

    const make = (...groups: readonly GroupRecord[]) =>
      write(async (transaction) => {
        for (const group of groups) await transaction.groups.insert(group);
      });
    const add = (poolId: string, groupName: string, ...usernames: readonly string[]) =>
      write(async (transaction) => {
        for (const username of usernames) await transaction.groups.addMember(poolId, groupName, username, 5);
      });

    it('returns groups as they were stored, and changes only what is named', async () => {
      await insertSamplePool(poolStore(), 'kept');
      const group = { ...sampleGroup('kept', 'g'), precedence: 7, roleArn: 'arn:aws:iam::1:role/r' };
      await make(group);
      assert.deepEqual(await poolStore().groups.byName('kept', 'g'), group);
      const change = (changed: Parameters<PoolTransaction['groups']['update']>[2]) =>
        write((transaction) => transaction.groups.update('kept', 'g', changed));
      assert.equal(await change({ modifiedAtMs: 1 }), true);
      assert.deepEqual(await poolStore().groups.byName('kept', 'g'), { ...group, modifiedAtMs: 1 });
      await change({ precedence: null, modifiedAtMs: 2 });
      await change({ description: null, modifiedAtMs: 3 });
      await change({ roleArn: null, modifiedAtMs: 4 });
      const emptied = { ...sampleGroup('kept', 'g'), description: null, modifiedAtMs: 4 };
      assert.deepEqual(await poolStore().groups.byName('kept', 'g'), emptied);
      await change({ description: 'd', precedence: 0, roleArn: 'r', modifiedAtMs: 5 });
      const filled = { ...emptied, description: 'd', precedence: 0, roleArn: 'r', modifiedAtMs: 5 };
      assert.deepEqual(await poolStore().groups.byName('kept', 'g'), filled);
    });

    it('inserts a missing group once, although several writes insert it at the same time', async () => {
      await insertSamplePool(poolStore(), 'missing');
      const group = sampleGroup('missing', 'g');
      const insert = () => write((transaction) => transaction.groups.insertIfMissing(group));
      await Promise.all(Array.from({ length: RACERS }, insert));
      await write((transaction) => transaction.groups.insertIfMissing({ ...group, description: 'another' }));
      assert.deepEqual(await poolStore().groups.byName('missing', 'g'), group);
    });

    it('finds groups only in their pool, and reports a missing one', async () => {
      await insertSamplePool(poolStore(), 'one');
      await insertSamplePool(poolStore(), 'other');
      await make(sampleGroup('one', 'g'));
      assert.equal(await poolStore().groups.byName('other', 'g'), undefined);
      const outcomes = await write(async (transaction) => [
        await transaction.groups.update('other', 'g', { modifiedAtMs: 1 }),
        await transaction.groups.delete('other', 'g'),
        await transaction.groups.lockAndCount('other'),
        await transaction.groups.lockAndCount('one'),
      ]);
      assert.deepEqual(outcomes, [false, false, 0, 1]);
      await assert.rejects(make(sampleGroup('one', 'g')), createConflictCheck('groups'));
      await assert.rejects(make(sampleGroup('nowhere', 'g')), { reason: 'foreign_key' });
    });

    it('returns users with their groups, by precedence, then those without, each by name', async () => {
      await insertSamplePool(poolStore(), 'order', 'u', 'lonely');
      const group = (name: string, precedence: number | null) => ({ ...sampleGroup('order', name), precedence });
      await make(group('b', null), group('a "q"', null), group('z', 0), group('d', 3), group('c', 3));
      for (const name of ['b', 'a "q"', 'z', 'd', 'c']) await add('order', name, 'u');
      const expected = [
        { name: 'z', precedence: 0, roleArn: null },
        { name: 'c', precedence: 3, roleArn: null },
        { name: 'd', precedence: 3, roleArn: null },
        { name: 'a "q"', precedence: null, roleArn: null },
        { name: 'b', precedence: null, roleArn: null },
      ];
      const found = [
        await poolStore().users.byUsername('order', 'u'),
        (await poolStore().users.byName('order', 'u'))?.user,
        (await poolStore().users.list('order', 10, undefined)).rows[1],
        (await poolStore().groups.listMembers('order', 'z', 10, undefined)).rows[0],
        await write(async (transaction) => (await transaction.users.lockByName('order', 'u'))?.user),
      ];
      for (const user of found) assert.deepEqual(user, { ...sampleUser('order', 'u'), groups: expected });
      assert.deepEqual((await poolStore().users.byUsername('order', 'lonely'))?.groups, []);
    });

    it('adds a user to a group once, and removes it once', async () => {
      await insertSamplePool(poolStore(), 'members', 'u');
      await make({ ...sampleGroup('members', 'g'), roleArn: 'arn' });
      const outcomes = await write(async (transaction) => [
        await transaction.groups.addMember('members', 'g', 'u', 5),
        await transaction.groups.addMember('members', 'g', 'u', 6),
        (await transaction.users.byUsername('members', 'u'))?.groups,
        await transaction.groups.removeMember('members', 'g', 'u'),
        await transaction.groups.removeMember('members', 'g', 'u'),
        (await transaction.users.byUsername('members', 'u'))?.groups,
      ]);
      assert.deepEqual(outcomes, [true, false, [{ name: 'g', precedence: null, roleArn: 'arn' }], true, false, []]);
      for (const [group, username] of [
        ['g', 'nobody'],
        ['none', 'u'],
      ] as const) {
        await assert.rejects(add('members', group, username), { reason: 'foreign_key' });
      }
    });

    it('lets one of fifty add a user to a group, and one remove it', async () => {
      await insertSamplePool(poolStore(), 'memberrace', 'u');
      await make(sampleGroup('memberrace', 'g'));
      const enter = () => write((transaction) => transaction.groups.addMember('memberrace', 'g', 'u', 5));
      const leave = () => write((transaction) => transaction.groups.removeMember('memberrace', 'g', 'u'));
      assert.deepEqual([await countWins(enter), await countWins(leave)], [1, 1]);
    });

    it('removes memberships with a group and with a user, and nothing else', async () => {
      await insertSamplePool(poolStore(), 'gone', 'u', 'v');
      await make(sampleGroup('gone', 'g'), sampleGroup('gone', 'h'));
      for (const name of ['g', 'h']) await add('gone', name, 'u', 'v');
      assert.equal(await write((transaction) => transaction.groups.delete('gone', 'g')), true);
      assert.deepEqual(
        (await poolStore().users.byUsername('gone', 'u'))?.groups.map((group) => group.name),
        ['h'],
      );
      await make(sampleGroup('gone', 'g'));
      assert.deepEqual(
        (await poolStore().groups.listMembers('gone', 'g', 10, undefined)).rows,
        [],
        'nobody comes back',
      );
      await write((transaction) => transaction.users.delete('gone', 'u'));
      const left = (await poolStore().groups.listMembers('gone', 'h', 10, undefined)).rows;
      assert.deepEqual(
        left.map((user) => user.username),
        ['v'],
      );
    });

    it('pages through groups, members and the groups of a user by the bytes of the names', async () => {
      const names = ['Zed', 'a b', 'a', 'aB', 'ab', 'b', 'é', 'ß', '🦊', '~'];
      const sorted = names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
      await insertSamplePool(poolStore(), 'pages', ...names);
      await make(...names.map((name) => sampleGroup('pages', name)));
      await add('pages', 'ab', ...names);
      for (const name of names) await add('pages', name, 'b');
      const through = async <Row>(
        page: (cursor: string | undefined) => Promise<{ rows: readonly Row[]; nextCursor: string | undefined }>,
      ) => {
        const rows: Row[] = [];
        let cursor: string | undefined;
        do {
          const { rows: more, nextCursor } = await page(cursor);
          assert.ok(more.length > 0 && more.length <= 3);
          rows.push(...more);
          cursor = nextCursor;
        } while (cursor !== undefined);
        return rows;
      };
      const groups = await through((cursor) => poolStore().groups.list('pages', 3, cursor));
      assert.deepEqual(
        groups,
        sorted.map((name) => sampleGroup('pages', name)),
      );
      const ofUser = await through((cursor) => poolStore().groups.listOf('pages', 'b', 3, cursor));
      assert.deepEqual(ofUser, groups);
      const members = await through((cursor) => poolStore().groups.listMembers('pages', 'ab', 3, cursor));
      assert.deepEqual(
        members.map((user) => user.username),
        sorted,
      );
      assert.equal((await poolStore().groups.list('pages', names.length, undefined)).nextCursor, undefined);
      await assert.rejects(poolStore().groups.list('pages', 0, undefined), RangeError);
      await assert.rejects(poolStore().groups.listMembers('pages', 'ab', 0, undefined), RangeError);
      await assert.rejects(poolStore().groups.listOf('pages', 'b', 0, undefined), RangeError);
    });

    it('enforces the limit on groups, for any number of parallel creations', async () => {
      await insertSamplePool(poolStore(), 'limit');
      let made = 0;
      const makeIfFew = () =>
        write(async (transaction) => {
          if ((await transaction.groups.lockAndCount('limit')) >= 3) return false;
          made += 1;
          await transaction.groups.insert(sampleGroup('limit', `g${made}-${crypto.randomUUID()}`));
          return true;
        });
      assert.equal(await countWins(makeIfFew), 3);
      assert.equal((await poolStore().groups.list('limit', RACERS, undefined)).rows.length, 3);
    });
  });
}
