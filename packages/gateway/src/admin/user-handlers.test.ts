import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError, type ProviderOperations } from '@poolgate/provider';
import { createGuardRecords, createTestProvider, createTestRuntime, POOL } from '../testing/gateway-deps.ts';
import { createUser } from './create-user.ts';
import { enableUser } from './enable-user.ts';
import { inviteUser } from './invite-user.ts';
import { showUser } from './show-user.ts';
import { updateUser } from './update-user.ts';

const SUB = '01234567-89ab-7def-8123-456789abcdef';
const email = 'ada@example.test';
const IDENTIFIERS = { UserPoolId: POOL.userPoolId, Username: 'canonical' };
const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const UserAttributes = [
  { Name: 'sub', Value: SUB },
  { Name: 'email', Value: email },
];
const FLAGS = { isWebauthnEnabled: true, passwordResetRequired: false };

type Asked = readonly (readonly [name: string, input: Readonly<Record<string, unknown>>])[];

/** A gateway over a provider with one user in two groups, and the changes sent to the provider. */
function createService(operations: Partial<ProviderOperations> = {}) {
  const asked: Asked[number][] = [];
  const answer = (name: string, output: object) => async (input: object) => {
    asked.push([name, { ...input }]);
    return output as never;
  };
  const provider = createTestProvider(() => [], {
    adminCreateUser: answer('adminCreateUser', { User: { Username: 'canonical', Attributes: UserAttributes } }),
    adminEnableUser: answer('adminEnableUser', {}),
    adminGetUser: async () => ({ Username: 'canonical', UserAttributes }),
    async adminListGroupsForUser({ UserPoolId, Username, NextToken }) {
      assert.deepEqual({ UserPoolId, Username }, IDENTIFIERS);
      if (NextToken === undefined) return { Groups: [{ GroupName: 'ops' }], NextToken: 'next' };
      return { Groups: [{ GroupName: 'sales' }] };
    },
    adminUpdateUserAttributes: answer('adminUpdateUserAttributes', {}),
    ...operations,
  });
  const guarded = createGuardRecords();
  const localUsers = {
    ...guarded.localUsers,
    find: async () => FLAGS as never,
    upsert: async () => FLAGS as never,
  };
  const runtime = createTestRuntime({ provider, records: { ...guarded, localUsers } });
  const request = (body: object = {}) => ({ params: { username: email }, call, query: {}, body }) as never;
  return {
    asked,
    create: async (body: object = {}) => createUser(runtime, request({ email, ...body })),
    invite: async (body: object = {}) => inviteUser(runtime, request({ email, ...body })),
    enable: async () => enableUser(runtime, request()),
    show: async () => (await showUser(runtime, request())).body.user,
    update: async (attributes: object) => (await updateUser(runtime, request({ attributes }))).body.user,
  };
}

const refuse = (code: 'InvalidParameterException' | 'UserNotFoundException') => async () =>
  Promise.reject(new ProviderError(code, 'no'));

test('a user is created without a message, and a generated temporary password is shown once', async () => {
  const { asked, create } = createService();
  const { status, body } = await create({ attributes: { name: 'Ada' } });
  assert.deepEqual([status, body.user.sub, body.user.groups], [201, SUB, []]);
  const attributes = [
    { Name: 'email', Value: email },
    { Name: 'email_verified', Value: 'true' },
    { Name: 'name', Value: 'Ada' },
  ];
  const input = { UserPoolId: POOL.userPoolId, Username: email, MessageAction: 'SUPPRESS', UserAttributes: attributes };
  assert.equal(body.temp_password?.length, 20);
  assert.deepEqual(asked, [['adminCreateUser', { ...input, TemporaryPassword: body.temp_password }]]);
  const given = await create({ temp_password: 'given' });
  assert.deepEqual([given.body.temp_password, asked[1]?.[1].TemporaryPassword], [undefined, 'given']);
});

test('an invitation mails a temporary password, again on request, and never shows it', async () => {
  const { asked, invite } = createService();
  const { status, body } = await invite();
  const { TemporaryPassword, DesiredDeliveryMediums, MessageAction } = asked[0]?.[1] ?? {};
  assert.deepEqual([status, body.user.sub, DesiredDeliveryMediums, MessageAction], [201, SUB, ['EMAIL'], undefined]);
  assert.match(String(TemporaryPassword), /^\S{20}$/);
  assert.ok(!JSON.stringify(body).includes(String(TemporaryPassword)));
  await invite({ resend: true, temp_password: 'given' });
  assert.deepEqual([asked[1]?.[1].MessageAction, asked[1]?.[1].TemporaryPassword], ['RESEND', 'given']);
});

test('a user is shown with all groups and the local records', async () => {
  const user = await createService().show();
  assert.deepEqual([user.username, user.groups, user.is_webauthn_enabled], ['canonical', ['ops', 'sales'], true]);
  const missing = createService({ adminGetUser: refuse('UserNotFoundException') });
  await assert.rejects(missing.show(), { code: 'user_not_found' });
});

test('an email address that an administrator sets counts as verified, a phone number does not', async () => {
  const { asked, update } = createService();
  const user = await update({ email: 'new@example.test', phone_number: '+15550100', name: 'Ada' });
  assert.deepEqual([user.sub, user.groups], [SUB, ['ops', 'sales']]);
  const attributes = [
    { Name: 'email', Value: 'new@example.test' },
    { Name: 'phone_number', Value: '+15550100' },
    { Name: 'name', Value: 'Ada' },
    { Name: 'email_verified', Value: 'true' },
    { Name: 'phone_number_verified', Value: 'false' },
  ];
  assert.deepEqual(asked, [['adminUpdateUserAttributes', { ...IDENTIFIERS, UserAttributes: attributes }]]);
});

test('forbidden, missing and refused attributes change nothing', async () => {
  const { asked, update } = createService();
  for (const attributes of [{}, { sub: 'x' }, { email_verified: 'true' }]) {
    await assert.rejects(update(attributes), { code: 'validation_failed' });
  }
  assert.deepEqual(asked, []);
  const refused = createService({ adminUpdateUserAttributes: refuse('InvalidParameterException') });
  await assert.rejects(refused.update({ name: '\u0000' }), { code: 'validation_failed' });
});

test('a user is enabled by canonical name', async () => {
  const { asked, enable } = createService();
  assert.equal((await enable()).status, 200);
  assert.deepEqual(asked, [['adminEnableUser', IDENTIFIERS]]);
});
