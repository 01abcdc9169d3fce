import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdminScope, ProviderError, type ProviderErrorCode, type ProviderOperations } from '@poolgate/provider';
import { createGuardRecords, createTestProvider, createTestRuntime, POOL } from '../testing/gateway-deps.ts';
import { createGroup, deleteGroup, listGroups, showGroup, updateGroup } from './group-handlers.ts';
import { addToGroup, removeFromGroup } from './user-group-handlers.ts';

const { userPoolId: UserPoolId } = POOL;
const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const STAFF = { GroupName: 'staff', Description: 'ours', Precedence: 0, CreationDate: 1, LastModifiedDate: 2 };
const SHOWN = {
  group_name: 'staff',
  description: 'ours',
  precedence: 0,
  created_at: '1970-01-01T00:00:01.000Z',
  updated_at: '1970-01-01T00:00:02.000Z',
};

/** The handlers over a provider with one group and one user, and the calls to it. */
function createService(operations: Partial<ProviderOperations> = {}, adminGroups: readonly string[] = []) {
  const asked: (readonly [name: string, input: object])[] = [];
  const answer = (name: string, output: object) => async (input: object) => {
    asked.push([name, input]);
    return output as never;
  };
  const provider = createTestProvider(() => [], {
    adminGetUser: async () => ({ Username: 'canonical', UserAttributes: [{ Name: 'sub', Value: 's' }] }),
    adminAddUserToGroup: answer('adminAddUserToGroup', {}),
    adminRemoveUserFromGroup: answer('adminRemoveUserFromGroup', {}),
    createGroup: answer('createGroup', { Group: STAFF }),
    deleteGroup: answer('deleteGroup', {}),
    getGroup: answer('getGroup', { Group: STAFF }),
    listGroups: answer('listGroups', { Groups: [STAFF], NextToken: 'next' }),
    updateGroup: answer('updateGroup', { Group: STAFF }),
    ...operations,
  });
  const records = createGuardRecords();
  const runtime = createTestRuntime({ provider, records }, { adminGroups });
  const request = (more: object) =>
    ({ call, query: {}, body: {}, params: { group_name: 'staff', username: 'typed' }, ...more }) as never;
  return {
    asked,
    records,
    add: async (...scopes: readonly AdminScope[]) =>
      addToGroup(runtime, request({ body: { group_name: 'staff' }, caller: { keyId: 'k', scopes: new Set(scopes) } })),
    remove: async () => removeFromGroup(runtime, request({})),
    list: async (query: object = {}) => listGroups(runtime, request({ query })),
    create: async (body: object) => createGroup(runtime, request({ body: { group_name: 'staff', ...body } })),
    show: async () => showGroup(runtime, request({})),
    update: async (body: object) => updateGroup(runtime, request({ body })),
    delete: async () => deleteGroup(runtime, request({})),
  };
}

const refuse = (code: ProviderErrorCode) => async () => Promise.reject(new ProviderError(code, 'no'));

test('groups are listed page by page, twenty by default', async () => {
  const { asked, list } = createService();
  const { status, body } = await list();
  assert.deepEqual([status, body.status, body.groups, body.next_cursor], [200, 'success', [SHOWN], 'next']);
  await list({ limit: '5', cursor: 'next' });
  assert.deepEqual(asked, [
    ['listGroups', { UserPoolId, Limit: 20 }],
    ['listGroups', { UserPoolId, Limit: 5, NextToken: 'next' }],
  ]);
  const empty = await createService({ listGroups: async () => ({}) }).list();
  assert.deepEqual([empty.body.groups, empty.body.next_cursor], [[], null]);
  await assert.rejects(createService({ listGroups: refuse('InvalidParameterException') }).list({ cursor: 'x' }), {
    errors: [{ field: 'cursor', code: 'refused', message: 'is not a cursor of this list' }],
  });
});

test('a group can be created, shown, changed and deleted', async () => {
  const { asked, create, show, update, delete: remove } = createService();
  const made = await create({ description: 'ours', precedence: 2_147_483_647 });
  assert.deepEqual([made.status, made.body.status, made.body.group], [201, 'success', SHOWN]);
  const shown = await show();
  assert.deepEqual([shown.status, shown.body.status, shown.body.group], [200, 'success', SHOWN]);
  for (const change of [{ precedence: 0 }, { description: '' }, {}]) {
    const { status, body } = await update(change);
    assert.deepEqual([status, body.status, body.group], [200, 'success', SHOWN]);
  }
  const { status, body } = await remove();
  assert.deepEqual([status, body.status], [200, 'success']);
  const named = { UserPoolId, GroupName: 'staff' };
  assert.deepEqual(asked, [
    ['createGroup', { ...named, Description: 'ours', Precedence: 2_147_483_647 }],
    ['getGroup', named],
    ['updateGroup', { ...named, Precedence: 0 }],
    ['updateGroup', { ...named, Description: '' }],
    ['updateGroup', named],
    ['deleteGroup', named],
  ]);
});

test('a precedence that Cognito refuses is not sent', async () => {
  const { asked, create, update } = createService();
  for (const precedence of [-1, 2_147_483_648]) {
    const refusal = {
      errors: [{ field: 'precedence', code: 'out_of_range', message: 'must be from 0 to 2147483647' }],
    };
    await assert.rejects(create({ precedence }), refusal);
    await assert.rejects(update({ precedence }), refusal);
  }
  assert.deepEqual(asked, []);
});

test('a group without details is shown, and one without a name is a fault of the provider', async () => {
  const bare = await createService({ getGroup: async () => ({ Group: { GroupName: 'bare' } }) }).show();
  assert.deepEqual(bare.body.group, {
    group_name: 'bare',
    description: null,
    precedence: null,
    created_at: null,
    updated_at: null,
  });
  await assert.rejects(createService({ getGroup: async () => ({}) }).show(), { code: 'provider_error' });
  await assert.rejects(createService({ createGroup: async () => ({ Group: {} }) }).create({}), {
    code: 'provider_error',
  });
});

test('a user is added to and removed from a group by canonical name', async () => {
  const { asked, add, remove } = createService();
  for (const { status, body } of [await add(), await remove()]) {
    assert.deepEqual([status, body.status, body.data], [200, 'success', {}]);
  }
  const named = { UserPoolId, Username: 'canonical', GroupName: 'staff' };
  assert.deepEqual(asked, [
    ['adminAddUserToGroup', named],
    ['adminRemoveUserFromGroup', named],
  ]);
});

test('an unknown group is not found at any route', async () => {
  const missing = refuse('ResourceNotFoundException');
  const service = createService({
    adminAddUserToGroup: missing,
    adminRemoveUserFromGroup: missing,
    deleteGroup: missing,
    getGroup: missing,
    updateGroup: missing,
  });
  for (const ask of [service.add, service.remove, service.show, () => service.update({}), service.delete]) {
    await assert.rejects(ask(), { code: 'group_not_found' });
  }
  const nobody = createService({ adminGetUser: refuse('UserNotFoundException') });
  await assert.rejects(nobody.add(), { code: 'user_not_found' });
  assert.deepEqual(nobody.asked, []);
});

test('only a key with mfa:write adds members to an admin group', async () => {
  const { add, asked, records } = createService({}, ['staff']);
  await assert.rejects(add('groups:write'), { code: 'forbidden' });
  assert.deepEqual(
    records.appended.map(({ type, actor, details }) => [type, actor.id, details.scopes]),
    [['admin.refused', 'k', 'mfa:write']],
  );
  assert.deepEqual(asked, []);
  assert.equal((await add('groups:write', 'mfa:write')).status, 200);
});
