import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  inviteUser,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

interface Listed {
  readonly email: string;
  readonly status: string;
  readonly enabled: boolean;
}

describe('the list of users', () => {
  let service: TestService;
  const names = Array.from({ length: 7 }, (_, index) => `list${index}@example.com`);
  before(async () => {
    service = await startTestService();
    for (const name of names) await inviteUser(service, name);
    await addUser(service, 'ada@example.com');
    await service.post('/admin/users/list3@example.com/disable', {}, service.asAdmin);
    assert.equal((await service.post('/admin/groups', { group_name: 'Staff' }, service.asAdmin)).status, 201);
    for (const name of [...names.slice(2, 6), 'ada@example.com']) {
      const added = await service.post(`/admin/users/${name}/groups`, { group_name: 'Staff' }, service.asAdmin);
      assert.equal(added.status, 200, added.text);
    }
  });
  after(() => service.close());

  const list = (query: Readonly<Record<string, string>>, path = '/admin/users') =>
    service.get(`${path}?${new URLSearchParams(query)}`, service.asAdmin);

  /** Returns the email addresses of all pages of a list. */
  async function walk(query: Readonly<Record<string, string>>, path?: string): Promise<readonly string[]> {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ ...query, ...(cursor === null ? {} : { cursor }) }, path);
      assert.equal(page.status, 200, page.text);
      const users = page.body.users as readonly Listed[];
      assert.ok(users.length <= Number(query.limit ?? 20));
      found.push(...users.map(({ email }) => email));
      cursor = page.body.next_cursor as string | null;
    } while (cursor !== null);
    return found.sort();
  }

  it('shows every user once, page by page', async () => {
    const all = await walk({ limit: '3' });
    assert.equal(new Set(all).size, all.length);
    for (const name of [...names, 'ada@example.com']) assert.ok(all.includes(name), name);
  });

  for (const [about, query, expected] of [
    ['the beginning of an address, in any case', { search: 'LIST' }, names],
    ['a whole address', { search: 'list4@example.com' }, ['list4@example.com']],
    ['a state', { status: 'disabled' }, ['list3@example.com']],
    ['a group', { group: 'Staff' }, ['ada@example.com', ...names.slice(2, 6)]],
    ['a search and a state', { search: 'list', status: 'disabled' }, ['list3@example.com']],
    ['a group and a search', { group: 'Staff', search: 'list' }, names.slice(2, 6)],
    ['a group and a state', { group: 'Staff', status: 'FORCE_CHANGE_PASSWORD' }, names.slice(2, 6)],
    ['all three', { group: 'Staff', search: 'list', status: 'enabled' }, ['list2@example.com', ...names.slice(4, 6)]],
    ['what nobody meets', { search: 'nobody' }, []],
  ] as const) {
    it(`finds users by ${about} with any page size`, async () => {
      for (const limit of ['1', '2', '60']) assert.deepEqual(await walk({ ...query, limit }), expected, limit);
    });
  }

  it('finds a user by sub', async () => {
    const shown = await service.get('/admin/users/ada@example.com', service.asAdmin);
    const { sub } = shown.body.user as { readonly sub: string };
    assert.deepEqual(await walk({ search: sub }), ['ada@example.com']);
  });

  it('lists the members of a group', async () => {
    assert.deepEqual(await walk({ limit: '2' }, '/admin/groups/Staff/users'), [
      'ada@example.com',
      ...names.slice(2, 6),
    ]);
    assertProblem(await list({}, '/admin/groups/Nobody/users'), 404, 'group_not_found');
    assertProblem(await list({ group: 'Nobody' }), 404, 'group_not_found');
  });

  it('accepts a cursor only for the same conditions, and no altered cursor', async () => {
    const page = await list({ search: 'list', limit: '2' });
    const cursor = String(page.body.next_cursor);
    assertInvalidField(await list({ search: 'ada', limit: '2', cursor }), 'cursor');
    assertInvalidField(await list({ cursor }), 'cursor');
    assertInvalidField(await list({ group: 'Staff', cursor }), 'cursor');
    assertInvalidField(await list({ search: 'list', cursor: `${cursor}x` }), 'cursor');
    assertInvalidField(await list({ search: 'list', cursor: 'x' }), 'cursor');
  });

  it('does not let a search text escape into the filter', async () => {
    for (const search of ['" or status = "Enabled', 'x\\', '"', 'a"b'])
      assertInvalidField(await list({ search }), 'search');
    assert.deepEqual(await walk({ search: "' OR 1=1 --" }), []);
    assert.deepEqual(await walk({ search: '%' }), []);
    assert.deepEqual(await walk({ search: 'l_st' }), []);
  });

  it('names the parameter that is not a valid number, status or group', async () => {
    assertInvalidField(await list({ limit: '61' }), 'limit');
    assertInvalidField(await list({ limit: '0' }), 'limit');
    assertInvalidField(await list({ status: 'Enabled' }), 'status');
    assertInvalidField(await list({ group: 'a b' }), 'group');
  });
});
