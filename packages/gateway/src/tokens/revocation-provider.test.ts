import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Input,
  type OperationName,
  ProviderError,
  type ProviderOperations,
  requireMethod,
} from '@poolgate/provider';
import type { GatewayRecords, LocalUserRecords } from '../records/index.ts';
import { createAccessToken } from '../testing/access-token.ts';
import {
  CLIENT_ID,
  createGuardRecords,
  createTestDeps,
  createTestProvider,
  POOL,
  START_MS,
} from '../testing/gateway-deps.ts';
import { createRevocationProvider } from './revocation-provider.ts';

const CALL = { requestId: 'request-1', sourceAddress: '192.0.2.1' };
const ADA = { UserPoolId: POOL.userPoolId, Username: 'ada@example.com' };
const BY_CLIENT = { ClientId: CLIENT_ID, Username: 'ada@example.com' };
const MINE = { AccessToken: createAccessToken('sub-of-ada') };

const USER = {
  Username: 'ada',
  UserStatus: 'RESET_REQUIRED',
  UserAttributes: [{ Name: 'sub', Value: 'sub-of-ada' }],
} as const;

function service(operations: Partial<ProviderOperations>, recordsRevocations = false) {
  const flags: [sub: string, isRequired: boolean][] = [];
  const deleted: string[] = [];
  const given = createGuardRecords();
  const localUsers: LocalUserRecords = {
    ...given.localUsers,
    setPasswordResetRequired: async (user, isRequired) => {
      flags.push([user.sub, isRequired]);
    },
    delete: async (_userPoolId, sub) => {
      deleted.push(sub);
    },
  };
  const records = { ...given, localUsers };
  const adminGetUser: ProviderOperations['adminGetUser'] = async () => USER;
  const provider = { ...createTestProvider(() => [], { adminGetUser, ...operations }), recordsRevocations };
  const { operations: revoking } = createRevocationProvider(createTestDeps({ records, provider }));
  const call = (name: OperationName, input: object) =>
    requireMethod(revoking, name)(input as Input<OperationName>, CALL);
  return { call, revocations: records.revocationsBySubject, flags, deleted };
}

/** An operation that gets the input and the call. */
const done = async (input: object, call: object) => {
  assert.ok(!('requestId' in input) && call === CALL);
  return {};
};

const FLAGGED = [['sub-of-ada', true]];

for (const [name, input, operations, flagged] of [
  ['AdminDisableUser', ADA, { adminDisableUser: done }, []],
  ['AdminResetUserPassword', ADA, { adminResetUserPassword: done }, FLAGGED],
  ['AdminSetUserPassword', ADA, { adminSetUserPassword: done }, FLAGGED],
  ['AdminUserGlobalSignOut', ADA, { adminUserGlobalSignOut: done }, []],
  ['ConfirmForgotPassword', BY_CLIENT, { confirmForgotPassword: done }, FLAGGED],
  ['GlobalSignOut', MINE, { globalSignOut: done }, []],
] as const) {
  test(`what ${name} ends by the Cognito-compatible API has ended on the routes`, async () => {
    const { call, revocations, flags } = service(operations);
    await call(name, input);
    assert.equal(revocations.get('user:sub-of-ada')?.endedAtMs, START_MS);
    assert.deepEqual(flags, flagged);
  });
}

for (const name of ['AdminSetUserMFAPreference', 'AdminSetUserSettings'] as const) {
  test(`${name} ends the logins of users without a second factor left, and of no one else`, async () => {
    for (const [before, after, ends] of [
      [['SOFTWARE_TOKEN_MFA'], [], true],
      [['SMS_MFA', 'SOFTWARE_TOKEN_MFA'], undefined, true],
      [['SMS_MFA', 'SOFTWARE_TOKEN_MFA'], ['SMS_MFA'], false],
      [['SMS_MFA'], ['SMS_MFA'], false],
      [[], [], false],
      [undefined, undefined, false],
    ] as const) {
      let isDone = false;
      const set = async () => {
        isDone = true;
        return {};
      };
      const adminGetUser = async () => {
        const methods = isDone ? after : before;
        return { ...USER, ...(methods && { UserMFASettingList: [...methods] }) };
      };
      const given = { adminSetUserMFAPreference: set, adminSetUserSettings: set, adminGetUser };
      const { call, revocations } = service(given);
      await call(name, ADA);
      assert.deepEqual([...revocations.keys()], ends ? ['user:sub-of-ada'] : [], JSON.stringify([before, after]));
    }
  });
}

test('nothing ends for an unknown client or an unknown name, but the provider is called', async () => {
  const asked: object[] = [];
  const confirmForgotPassword = async (input: object, call: object) => {
    asked.push(input);
    return done(input, call);
  };
  const { call, revocations, flags } = service({ confirmForgotPassword, adminResetUserPassword: done });
  const unknown = { ...BY_CLIENT, ClientId: 'nobody' };
  await call('ConfirmForgotPassword', unknown);
  await call('AdminResetUserPassword', { UserPoolId: POOL.userPoolId });
  assert.deepEqual(asked, [unknown]);
  assert.deepEqual([revocations.size, flags], [0, []]);
});

test('a failed write is not reported as a success', async () => {
  const down = () => {
    throw new Error('the store is down');
  };
  const { call, revocations, flags } = service({ adminDisableUser: done, adminResetUserPassword: done }, false);
  flags.push = down;
  await assert.rejects(call('AdminResetUserPassword', ADA), { message: 'the store is down' });
  revocations.set = down;
  await assert.rejects(call('AdminDisableUser', ADA), { message: 'the store is down' });
});

const gone = async () => ({});

for (const [name, input] of [
  ['AdminDeleteUser', ADA],
  ['DeleteUser', MINE],
] as const) {
  test(`${name} by the Cognito-compatible API leaves a tombstone and removes the local record`, async () => {
    const { call, revocations, deleted } = service({ adminDeleteUser: gone, deleteUser: gone });
    await call(name, input);
    assert.ok(revocations.has('gone:sub-of-ada'));
    assert.deepEqual(deleted, ['sub-of-ada']);
  });
}

test("what another pool's client ends is recorded for that pool and its user of that name", async () => {
  const asked: (string | undefined)[] = [];
  const ended: string[] = [];
  const provider = createTestProvider(() => [], {
    confirmForgotPassword: done,
    adminGetUser: async ({ UserPoolId }) => {
      asked.push(UserPoolId);
      return { Username: 'ada', UserAttributes: [{ Name: 'sub', Value: 'another-ada' }] };
    },
  });
  const given = createGuardRecords();
  const records: GatewayRecords = {
    ...given,
    revocations: {
      ...given.revocations,
      record: async ({ userPoolId, subject }) => {
        ended.push(`${userPoolId} ${subject}`);
      },
    },
    localUsers: { ...given.localUsers, setPasswordResetRequired: async () => {} },
  };
  const elsewhere = { ...provider, poolOfClient: async () => 'us-east-1_Another1' };
  const { operations } = createRevocationProvider(createTestDeps({ records, provider: elsewhere }));
  const reset = { ...BY_CLIENT, ConfirmationCode: '1', Password: 'p' };
  await operations.confirmForgotPassword(reset, CALL);
  assert.deepEqual(new Set(asked), new Set(['us-east-1_Another1']));
  assert.deepEqual(ended, ['us-east-1_Another1 user:another-ada']);
});

test('a password reset by the Cognito-compatible API sets the local flag', async () => {
  const { call, flags } = service({ adminResetUserPassword: done });
  await call('AdminResetUserPassword', ADA);
  assert.deepEqual(flags.at(-1), ['sub-of-ada', true]);
});

test('a refused request ends nothing', async () => {
  const refuse = () => Promise.reject(new ProviderError('NotAuthorizedException', 'no'));
  const { call, revocations, deleted, flags } = service({ globalSignOut: refuse, adminDeleteUser: refuse });
  await assert.rejects(call('GlobalSignOut', MINE), ProviderError);
  await assert.rejects(call('AdminDeleteUser', ADA), ProviderError);
  assert.deepEqual([revocations.size, deleted, flags], [0, [], []]);
});

test('for a provider that records revocations nothing is written twice, and the local flag follows', async () => {
  const operations = { adminDeleteUser: gone, adminSetUserPassword: done, globalSignOut: done };
  const { call, revocations, deleted, flags } = service(operations, true);
  await call('AdminDeleteUser', ADA);
  await call('GlobalSignOut', MINE);
  await call('AdminSetUserPassword', ADA);
  assert.deepEqual([revocations.size, deleted], [0, []]);
  assert.deepEqual(flags, [['sub-of-ada', true]]);
});
