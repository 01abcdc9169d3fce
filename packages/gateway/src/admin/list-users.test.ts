import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError, type ProviderOperations } from '@poolgate/provider';
import { createGuardRecords, createTestProvider, createTestRuntime, POOL } from '../testing/gateway-deps.ts';
import { listMembers, listUsers } from './list-users.ts';

const call = { requestId: 'r', sourceAddress: '192.0.2.1' };

const listed = (name: string, UserStatus: 'CONFIRMED' | 'UNCONFIRMED' = 'CONFIRMED') => ({
  Username: name,
  UserStatus,
  Enabled: true,
  Attributes: [
    { Name: 'sub', Value: `sub-of-${name}` },
    { Name: 'email', Value: `${name}@example.com` },
  ],
});

interface ProviderPage {
  readonly Users?: readonly ReturnType<typeof listed>[];
  readonly next?: string;
}

/** A gateway over a provider that answers page by page, and the calls to it. */
function createService(pages: readonly ProviderPage[], operations: Partial<ProviderOperations> = {}) {
  const asked: object[] = [];
  const left = [...pages];
  const answer = (input: object) => {
    asked.push(input);
    return left.shift() ?? assert.fail('no page is left');
  };
  const provider = createTestProvider(() => [], {
    listUsers: async (input) => {
      const { Users, next } = answer(input);
      return { ...(Users && { Users: [...Users] }), ...(next && { PaginationToken: next }) };
    },
    listUsersInGroup: async (input) => {
      const { Users, next } = answer(input);
      return { ...(Users && { Users: [...Users] }), ...(next && { NextToken: next }) };
    },
    ...operations,
  });
  const { localUsers, ...records } = createGuardRecords();
  const runtime = createTestRuntime({
    provider,
    records: { ...records, localUsers: { ...localUsers, find: async () => undefined } },
  });
  const list = async (query: object = {}) => (await listUsers(runtime, { query, call } as never)).body as Listing;
  const members = async (query: object = {}, group_name = 'staff') =>
    (await listMembers(runtime, { params: { group_name }, query, call } as never)).body as Listing;
  return { asked, list, members };
}

interface Listing {
  readonly users: readonly { readonly username: string }[];
  readonly next_cursor: string | null;
}

const names = ({ users }: Listing) => users.map(({ username }) => username);
const UserPoolId = POOL.userPoolId;

test('a page of users continues at its cursor, only for the same query', async () => {
  const { asked, list } = createService([{ Users: [listed('ada')], next: 'place' }, { Users: [listed('eve')] }]);
  const first = await list({ limit: '1' });
  assert.deepEqual(names(first), ['ada']);
  const cursor = first.next_cursor ?? assert.fail('there is more');
  assert.doesNotMatch(cursor, /place/);
  await assert.rejects(list({ limit: '1', cursor, search: 'a' }), { code: 'validation_failed' });
  await assert.rejects(list({ limit: '1', cursor, status: 'CONFIRMED' }), { code: 'validation_failed' });
  const last = await list({ limit: '1', cursor });
  assert.deepEqual([names(last), last.next_cursor], [['eve'], null]);
  assert.deepEqual(asked, [
    { UserPoolId, Limit: 1 },
    { UserPoolId, Limit: 1, PaginationToken: 'place' },
  ]);
});

test('the provider evaluates the first condition, and the service filters by the others', async () => {
  const users = [listed('ada'), listed('adele', 'UNCONFIRMED'), listed('adrian')];
  const { asked, list } = createService([{ Users: users }]);
  assert.deepEqual(names(await list({ search: 'ad', status: 'CONFIRMED' })), ['ada', 'adrian']);
  assert.deepEqual(asked, [{ UserPoolId, Limit: 20, Filter: 'email ^= "ad"' }]);
});

test('for a group the members are read, and the service filters by every condition', async () => {
  const { asked, list } = createService([{ Users: [listed('ada'), listed('eve'), listed('adele', 'UNCONFIRMED')] }]);
  assert.deepEqual(names(await list({ group: 'staff', search: 'ad', status: 'CONFIRMED' })), ['ada']);
  assert.deepEqual(asked, [{ UserPoolId, GroupName: 'staff', Limit: 20 }]);
});

test('a page is filled by further calls for what is missing, ten at most', async () => {
  const filled = createService([
    { Users: [listed('ada'), listed('eve', 'UNCONFIRMED')], next: '1' },
    { Users: [listed('bob')], next: '2' },
  ]);
  const page = await filled.list({ group: 'staff', status: 'CONFIRMED', limit: '2' });
  assert.deepEqual(names(page), ['ada', 'bob']);
  assert.notEqual(page.next_cursor, null);
  assert.deepEqual(filled.asked, [
    { UserPoolId, GroupName: 'staff', Limit: 2 },
    { UserPoolId, GroupName: 'staff', Limit: 1, NextToken: '1' },
  ]);
  const { asked, list } = createService(Array.from({ length: 11 }, (_, at) => ({ Users: [], next: `${at + 1}` })));
  const empty = await list();
  assert.deepEqual([names(empty), asked.length], [[], 10]);
  assert.notEqual(empty.next_cursor, null);
});

test('members continue at their cursor, which is valid only for their group', async () => {
  const { asked, members } = createService([{ Users: [listed('ada')], next: 'place' }, {}]);
  const first = await members({ limit: '1' });
  const cursor = first.next_cursor ?? assert.fail('there is more');
  await assert.rejects(members({ limit: '1', cursor }, 'other'), { code: 'validation_failed' });
  const last = await members({ limit: '1', cursor });
  assert.deepEqual([names(first), names(last), last.next_cursor], [['ada'], [], null]);
  assert.deepEqual(asked, [
    { UserPoolId, GroupName: 'staff', Limit: 1 },
    { UserPoolId, GroupName: 'staff', Limit: 1, NextToken: 'place' },
  ]);
});

test('a cursor that the provider refuses is invalid, and an unknown group is not found', async () => {
  const refuse = (code: 'InvalidParameterException' | 'ResourceNotFoundException') => async () =>
    Promise.reject(new ProviderError(code, 'no'));
  const invalid = createService([], {
    listUsers: refuse('InvalidParameterException'),
    listUsersInGroup: refuse('InvalidParameterException'),
  });
  const refusal = {
    code: 'validation_failed',
    errors: [{ field: 'cursor', code: 'refused', message: 'is not a cursor of this list' }],
  };
  await assert.rejects(invalid.list(), refusal);
  await assert.rejects(invalid.members(), refusal);
  const gone = createService([], { listUsersInGroup: refuse('ResourceNotFoundException') });
  await assert.rejects(gone.members(), { code: 'group_not_found' });
});
