import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

describe('groups', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await addUser(service, 'ada@example.com');
  });
  after(() => service.close());

  const send = (method: string, path: string, body?: unknown) =>
    service.ask(method, path, { headers: service.asAdmin, ...(body === undefined ? {} : { body }) });

  it('are created, shown, updated, listed and deleted', async () => {
    const made = await send('POST', '/admin/groups', { group_name: 'Crew', description: 'On board', precedence: 3 });
    assert.equal(made.status, 201, made.text);
    const group = made.body.group as Readonly<Record<string, unknown>>;
    assert.deepEqual([group.group_name, group.description, group.precedence], ['Crew', 'On board', 3]);
    assert.deepEqual((await send('GET', '/admin/groups/Crew')).body.group, group);
    const changed = await send('PATCH', '/admin/groups/Crew', { precedence: 1 });
    const after = changed.body.group as Readonly<Record<string, unknown>>;
    assert.deepEqual([after.description, after.precedence], ['On board', 1], changed.text);
    await send('POST', '/admin/groups', { group_name: 'Deck' });
    const first = await send('GET', '/admin/groups?limit=1');
    assert.equal((first.body.groups as readonly unknown[]).length, 1);
    const cursor = encodeURIComponent(String(first.body.next_cursor));
    const second = await send('GET', `/admin/groups?limit=1&cursor=${cursor}`);
    const names = [first, second].map(({ body }) => (body.groups as readonly { group_name: string }[])[0]?.group_name);
    assert.deepEqual(names, ['Crew', 'Deck']);
    assert.equal((await send('DELETE', '/admin/groups/Deck', {})).status, 200);
    assertProblem(await send('GET', '/admin/groups/Deck'), 404, 'group_not_found');
  });

  it('return 409 if they exist, 404 if they do not, and 422 if malformed', async () => {
    await send('POST', '/admin/groups', { group_name: 'Once' });
    assertProblem(await send('POST', '/admin/groups', { group_name: 'Once' }), 409, 'group_exists');
    assertProblem(await send('PATCH', '/admin/groups/None', { precedence: 1 }), 404, 'group_not_found');
    assertProblem(await send('DELETE', '/admin/groups/None', {}), 404, 'group_not_found');
    for (const body of [
      {},
      { group_name: '' },
      { group_name: 'a b' },
      { group_name: 7 },
      { group_name: 'x'.repeat(129) },
    ])
      assertInvalidField(await send('POST', '/admin/groups', body), 'group_name');
    for (const precedence of [-1, 2_147_483_648, 1.5, '1'])
      assertInvalidField(await send('POST', '/admin/groups', { group_name: 'P', precedence }), 'precedence');
    assertInvalidField(await send('GET', '/admin/groups?cursor=x'), 'cursor');
  });

  it('accept existing users as members and show the membership', async () => {
    await send('POST', '/admin/groups', { group_name: 'Pilots' });
    const groups = '/admin/users/ada@example.com/groups';
    assert.equal((await send('POST', groups, { group_name: 'Pilots' })).status, 200);
    assert.equal((await send('POST', groups, { group_name: 'Pilots' })).status, 200);
    const shown = await send('GET', '/admin/users/ada@example.com');
    assert.deepEqual((shown.body.user as { readonly groups: unknown }).groups, ['Pilots']);
    assertProblem(await send('POST', groups, { group_name: 'None' }), 404, 'group_not_found');
    assertProblem(
      await send('POST', '/admin/users/nobody@example.com/groups', { group_name: 'Pilots' }),
      404,
      'user_not_found',
    );
    assertInvalidField(await send('POST', groups, {}), 'group_name');
    assertInvalidField(await send('POST', groups, { group_name: 'a b' }), 'group_name');
    assert.equal((await send('DELETE', `${groups}/Pilots`, {})).status, 200);
    assertProblem(await send('DELETE', `${groups}/None`, {}), 404, 'group_not_found');
    const without = await send('GET', '/admin/users/ada@example.com');
    assert.deepEqual((without.body.user as { readonly groups: unknown }).groups, []);
  });
});
