import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PoolTransaction, UserRecord, UserSearch } from '@poolgate/pool/store';
import { insertSamplePool, sampleUser } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

const DEEPEST_PAGES = 50;

/** Requirements of every store for the search of users. Each test uses its own pool id. */
export function searchContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`the search of users on ${locationName}`, () => {
    const poolStore = openPoolStoreForTests(makeLocation);
    const write = <Result>(work: (transaction: PoolTransaction) => Promise<Result>) => poolStore().write(work);

    const insert = (...users: readonly UserRecord[]) =>
      write(async (transaction) => {
        for (const user of users) await transaction.users.insert(user, [user.username]);
      });

    /** The usernames of all pages with `limit` users each. */
    async function found(poolId: string, search: UserSearch, limit = 2): Promise<readonly string[]> {
      const usernames: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < DEEPEST_PAGES; page++) {
        const { rows, nextCursor } = await poolStore().users.search(poolId, search, limit, cursor);
        assert.ok(rows.length <= limit);
        usernames.push(...rows.map((user) => user.username));
        if (nextCursor === undefined) return usernames;
        cursor = nextCursor;
      }
      throw new assert.AssertionError({ message: 'the pages have no end' });
    }

    const by =
      (poolId: string, attribute: UserSearch['attribute']) =>
      (match: UserSearch['match'], value: string, limit?: number) =>
        found(poolId, { attribute, match, value }, limit);

    const named = (poolId: string, username: string, attributes: UserRecord['attributes']) => ({
      ...sampleUser(poolId, username),
      attributes,
    });

    it('finds the values of each attribute, only in its pool', async () => {
      await insertSamplePool(poolStore(), 'each');
      await insertSamplePool(poolStore(), 'each2');
      const attributes = ['email', 'phone_number', 'name', 'given_name', 'family_name', 'preferred_username'] as const;
      await insert(
        named('each', 'u', Object.fromEntries(attributes.map((attribute) => [attribute, `${attribute} of u`]))),
        named('each', 'bare', {}),
        named('each2', 'v', Object.fromEntries(attributes.map((attribute) => [attribute, `${attribute} of u`]))),
      );
      for (const attribute of attributes) {
        assert.deepEqual(await by('each', attribute)('equals', `${attribute} of u`), ['u'], attribute);
        assert.deepEqual(await by('each', attribute)('prefix', attribute), ['u'], attribute);
        assert.deepEqual(await by('each', attribute)('equals', attribute), [], attribute);
      }
    });

    it('returns users with all their data', async () => {
      await insertSamplePool(poolStore(), 'whole', 'u');
      const page = (attribute: UserSearch['attribute'], value: string) =>
        poolStore().users.search('whole', { attribute, match: 'equals', value }, 1, undefined);
      const expected = { rows: [sampleUser('whole', 'u')], nextCursor: undefined };
      assert.deepEqual(await page('email', 'u@example.test'), expected);
      assert.deepEqual(await page('sub', 'sub-u'), expected);
    });

    it('compares attributes without case, usernames with it', async () => {
      await insertSamplePool(poolStore(), 'case');
      await insert(
        named('case', 'Ada', { email: 'Ada@Example.Test', name: 'ÅSA Strauß', family_name: 'ΟΔΥΣΣΕΥΣ' }),
        named('case', 'ada', { email: 'other@example.test', name: 'åsa strausser', family_name: 'x' }),
      );
      assert.deepEqual(await by('case', 'email')('equals', 'aDA@eXAMPLE.tEST'), ['Ada']);
      assert.deepEqual(await by('case', 'email')('prefix', 'ADA'), ['Ada']);
      assert.deepEqual(await by('case', 'name')('prefix', 'åSA STRAUSS'), ['Ada', 'ada']);
      assert.deepEqual(await by('case', 'name')('equals', 'Åsa STRAUSS'), ['Ada']);
      assert.deepEqual(await by('case', 'family_name')('prefix', 'οδυσ'), ['Ada']);
      assert.deepEqual(await by('case', 'family_name')('equals', 'οδυσσευς'), ['Ada']);
      assert.deepEqual(await by('case', 'username')('equals', 'ada'), ['ada']);
      assert.deepEqual(await by('case', 'username')('prefix', 'A'), ['Ada']);
    });

    it('finds users by their status, completely or by its beginning', async () => {
      await insertSamplePool(poolStore(), 'states', 'c1', 'c2', 'c3');
      await insert(
        { ...sampleUser('states', 'f'), status: 'FORCE_CHANGE_PASSWORD', enabled: false },
        { ...sampleUser('states', 'a'), status: 'UNCONFIRMED' },
      );
      const status = by('states', 'cognito:user_status');
      assert.deepEqual(await status('equals', 'confirmed'), ['c1', 'c2', 'c3']);
      assert.deepEqual(await status('prefix', 'Force'), ['f']);
      assert.deepEqual(await status('prefix', ''), ['c1', 'c2', 'c3', 'f', 'a']);
      const enabled = by('states', 'status');
      assert.deepEqual(await enabled('equals', 'Enabled'), ['a', 'c1', 'c2', 'c3']);
      assert.deepEqual(await enabled('equals', 'Disabled'), ['f']);
      assert.deepEqual(await enabled('equals', 'enabled'), [], 'with case');
      assert.deepEqual(await enabled('prefix', 'E'), ['a', 'c1', 'c2', 'c3']);
      assert.deepEqual(await enabled('prefix', ''), ['f', 'a', 'c1', 'c2', 'c3']);
    });

    it('pages by the bytes of the value, then of the username, each user once', async () => {
      await insertSamplePool(poolStore(), 'pages');
      const values = [
        'a',
        'a',
        'a',
        'ab',
        'aé',
        'a\u{10ffff}',
        'a\u{10ffff}b',
        'a🦊',
        'a~',
        'A!',
        'b',
        '',
        '\u{10ffff}',
      ];
      const users = values.map((name, index) => named('pages', `u${String(index).padStart(2, '0')}`, { name }));
      await insert(...users.toReversed());
      const expected = (prefix: string) =>
        users
          .map(({ username, attributes }) => ({ username, value: Buffer.from((attributes.name ?? '').toLowerCase()) }))
          .filter(({ value }) => value.toString().startsWith(prefix))
          .toSorted((one, other) => Buffer.compare(one.value, other.value) || (one.username < other.username ? -1 : 1))
          .map(({ username }) => username);
      for (const prefix of ['a', '', 'a\u{10ffff}', '\u{10ffff}', 'c']) {
        for (const limit of [1, 2, 3, 50]) {
          assert.deepEqual(await by('pages', 'name')('prefix', prefix, limit), expected(prefix), `${prefix} ${limit}`);
        }
      }
      assert.deepEqual(await by('pages', 'name')('equals', 'A', 1), ['u00', 'u01', 'u02']);
      assert.deepEqual(
        await by('pages', 'username')('prefix', 'u', 3),
        users.map((user) => user.username),
      );
      assert.deepEqual(
        await by('pages', 'sub')('prefix', 'sub-u0', 3),
        users.slice(0, 10).map((user) => user.username),
      );
    });

    it('follows changes of users', async () => {
      await insertSamplePool(poolStore(), 'steps', 'u');
      const email = by('steps', 'email');
      const change = (attributes: UserRecord['attributes']) =>
        write((transaction) => transaction.users.update('steps', 'u', { attributes, modifiedAtMs: 1 }));
      await change({ email: 'new@example.test', family_name: 'Neu' });
      assert.deepEqual(await email('prefix', 'u@'), []);
      assert.deepEqual(await email('prefix', 'new@'), ['u']);
      assert.deepEqual(await by('steps', 'name')('prefix', ''), [], 'it has no name any more');
      assert.deepEqual(await by('steps', 'family_name')('equals', 'neu'), ['u']);
      await change({ email: 'new@example.test', given_name: 'Neu' });
      assert.deepEqual(
        await by('steps', 'family_name')('equals', 'neu'),
        [],
        'a value that is of another attribute now',
      );
      assert.deepEqual(await by('steps', 'given_name')('equals', 'neu'), ['u']);
      await change({ email: 'NEW@example.test', family_name: 'Neu' });
      assert.deepEqual(await email('equals', 'new@example.test'), ['u']);
      await write((transaction) => transaction.users.update('steps', 'u', { enabled: false, modifiedAtMs: 2 }));
      assert.deepEqual(await by('steps', 'status')('equals', 'Disabled'), ['u']);
      assert.deepEqual(await email('prefix', 'new@'), ['u'], 'what was not named stays');
      await write((transaction) =>
        transaction.users.update('steps', 'nobody', { attributes: { email: 'n@example.test' }, modifiedAtMs: 1 }),
      );
      assert.deepEqual(await email('prefix', 'n@'), []);
      await write((transaction) => transaction.users.delete('steps', 'u'));
      assert.deepEqual(await email('prefix', ''), []);
      await insert(sampleUser('steps', 'u'));
      assert.deepEqual(await email('prefix', ''), ['u'], 'a name that is used again has its own values only');
    });

    it('ends with one value after many parallel changes', async () => {
      await insertSamplePool(poolStore(), 'race', 'u');
      const emails = Array.from({ length: 20 }, (_, index) => `e${index}@example.test`);
      await Promise.all(
        emails.map((email) =>
          write((transaction) => transaction.users.update('race', 'u', { attributes: { email }, modifiedAtMs: 1 })),
        ),
      );
      const current = (await poolStore().users.byUsername('race', 'u'))?.attributes.email ?? '';
      assert.deepEqual(await by('race', 'email')('equals', current), ['u']);
      assert.deepEqual(await by('race', 'email')('prefix', 'e'), ['u']);
    });

    it('accepts values of any length with any characters', async () => {
      await insertSamplePool(poolStore(), 'odd');
      const long = '🦊'.repeat(2_048);
      await insert(
        named('odd', 'long', { name: long }),
        named('odd', 'shorter', { name: long.slice(0, 2 * 256) }),
        named('odd', 'nul', { name: 'a\0b', family_name: 'half \ud800' }),
        named('odd', 'ligature', { name: 'ΐ'.repeat(2_048), email: '' }),
      );
      assert.deepEqual(await by('odd', 'name')('prefix', long.slice(0, 2 * 256)), ['shorter', 'long']);
      assert.deepEqual(await by('odd', 'name')('equals', long.slice(0, 2 * 256)), ['shorter']);
      assert.deepEqual(await by('odd', 'name')('equals', 'A\0B'), ['nul']);
      assert.deepEqual(await by('odd', 'family_name')('prefix', 'half \ud800'), ['nul']);
      assert.deepEqual(await by('odd', 'name')('prefix', 'ΐ'), ['ligature']);
      assert.deepEqual(await by('odd', 'email')('equals', ''), ['ligature']);
      assert.deepEqual(await by('odd', 'username')('equals', 'a\0'), []);
    });

    it('refuses a limit below 1, an invalid cursor, and a value longer than any filter', async () => {
      const search = (value: string, limit: number, cursor?: string) =>
        poolStore().users.search('none', { attribute: 'email', match: 'equals', value }, limit, cursor);
      await assert.rejects(search('a', 0), RangeError);
      await assert.rejects(search('a', 1, 'u'), RangeError);
      await assert.rejects(search('a'.repeat(257), 1), RangeError);
    });
  });
}
