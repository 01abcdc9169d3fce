import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError, type ProviderOperations } from '@poolgate/provider';
import type { EventRecord } from '../records/index.ts';
import { createAccessToken } from '../testing/access-token.ts';
import { CLIENT_ID, createGuardRecords, createTestDeps, createTestProvider, POOL } from '../testing/gateway-deps.ts';
import { createAuditedProvider } from './audited-provider.ts';

const CALL = { requestId: 'request-1', sourceAddress: '192.0.2.1', actor: { kind: 'admin', id: 'key1' } } as const;
const ANONYMOUS = { requestId: 'request-2', sourceAddress: '192.0.2.1' };
const ADA = { UserPoolId: POOL.userPoolId, Username: 'ada' };

function service(operations: Partial<ProviderOperations>) {
  const records = createGuardRecords();
  const deps = createTestDeps({ records });
  const provider = createAuditedProvider({ ...createTestProvider(() => [], operations), recordsEvents: false }, deps);
  const told = () => records.appended.map(({ type, outcome, details }) => [type, outcome, details]);
  return { provider, records, told };
}

test('a change is recorded before and after, with its actor', async () => {
  const { provider, records, told } = service({
    async adminDisableUser() {
      assert.deepEqual(told(), [['provider.called', 'intent', { operation: 'AdminDisableUser', username: 'ada' }]]);
      return {};
    },
  });
  await provider.operations.adminDisableUser(ADA, CALL);
  assert.deepEqual(told()[1], ['provider.called', 'success', { operation: 'AdminDisableUser', username: 'ada' }]);
  assert.deepEqual(
    records.appended.map(({ actor }) => actor),
    [CALL.actor, CALL.actor],
  );
});

test('nothing is changed if the intent cannot be written', async () => {
  const events = { ...createGuardRecords().events, append: () => Promise.reject(new Error('store down')) };
  const records = { ...createGuardRecords(), events };
  const changing = createTestProvider(() => [], { adminDisableUser: async () => assert.fail('it was called') });
  const provider = createAuditedProvider(changing, createTestDeps({ records }));
  await assert.rejects(provider.operations.adminDisableUser(ADA, CALL), /store down/);
});

test('a refused change is recorded with the reason, and still refused', async () => {
  const { provider, told } = service({
    changePassword: () => Promise.reject(new ProviderError('NotAuthorizedException', 'wrong')),
  });
  const input = { AccessToken: 'x', PreviousPassword: 'Planted-1!', ProposedPassword: 'Planted-2!' };
  await assert.rejects(provider.operations.changePassword(input, ANONYMOUS), ProviderError);
  assert.deepEqual(told(), [
    ['provider.called', 'intent', { operation: 'ChangePassword' }],
    ['provider.called', 'failure', { operation: 'ChangePassword', reason: 'NotAuthorizedException' }],
  ]);
  assert.doesNotMatch(JSON.stringify(told()), /Planted/);
});

test('a completed change is never recorded as failed, even if the outcome cannot be written', async () => {
  const records = createGuardRecords();
  const written: unknown[] = [];
  const failing = {
    ...records,
    events: {
      ...records.events,
      async append(event: EventRecord) {
        if (event.outcome === 'success') throw new Error('store down');
        written.push([event.type, event.outcome]);
      },
    },
  };
  const inner = createTestProvider(() => [], {
    adminDisableUser: async () => ({}),
    initiateAuth: async () => ({ AuthenticationResult: { AccessToken: createAccessToken('sub-1') } }),
  });
  const provider = createAuditedProvider({ ...inner, recordsEvents: false }, createTestDeps({ records: failing }));
  await assert.rejects(provider.operations.adminDisableUser(ADA, CALL), /store down/);
  const login = { ClientId: CLIENT_ID, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: {} } as const;
  await assert.rejects(provider.operations.initiateAuth(login, ANONYMOUS), /store down/);
  assert.deepEqual(written, [['provider.called', 'intent']]);
});

test('a login is recorded once, when it succeeds or fails, without the typed values', async () => {
  const answers = [
    async () => ({ ChallengeName: 'PASSWORD_VERIFIER' as const }),
    async () => ({ AuthenticationResult: { AccessToken: createAccessToken('sub-1') } }),
    () => Promise.reject(new ProviderError('NotAuthorizedException', 'wrong')),
  ];
  const { provider, records, told } = service({ initiateAuth: () => (answers.shift() ?? assert.fail)() as never });
  const input = { ClientId: CLIENT_ID, AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME: 'planted' } } as const;
  await provider.operations.initiateAuth(input, ANONYMOUS);
  assert.deepEqual(told(), []);
  await provider.operations.initiateAuth(input, ANONYMOUS);
  await assert.rejects(provider.operations.initiateAuth(input, ANONYMOUS), ProviderError);
  assert.deepEqual(told(), [
    ['login.succeeded', 'success', {}],
    ['login.failed', 'failure', { reason: 'NotAuthorizedException' }],
  ]);
  assert.deepEqual(records.appended[0]?.user, { sub: 'sub-1', username: 'sub-1' });
  assert.doesNotMatch(JSON.stringify(records.appended), /planted/);
});

test('a flood removes neither what a code proved nor what a user did, only anonymous requests', async () => {
  const { provider, records } = service({
    confirmForgotPassword: async () => ({}),
    confirmSignUp: async () => ({}),
    forgotPassword: async () => ({}),
    changePassword: async () => ({}),
  });
  const named = { ClientId: CLIENT_ID, Username: 'ada' };
  const code = { ...named, ConfirmationCode: '12345678' };
  await provider.operations.confirmForgotPassword({ ...code, Password: 'Correct-Horse1!' }, ANONYMOUS);
  await provider.operations.confirmSignUp(code, ANONYMOUS);
  await provider.operations.forgotPassword(named, ANONYMOUS);
  const passwords = { PreviousPassword: 'a', ProposedPassword: 'b' };
  await provider.operations.changePassword({ ...passwords, AccessToken: createAccessToken('sub-1') }, ANONYMOUS);
  assert.deepEqual(
    records.appended.map(({ details, outcome, retention }) => [details.operation, outcome, retention]),
    [
      ['ConfirmForgotPassword', 'intent', 'bounded'],
      ['ConfirmForgotPassword', 'success', undefined],
      ['ConfirmSignUp', 'intent', 'bounded'],
      ['ConfirmSignUp', 'success', undefined],
      ['ForgotPassword', 'intent', 'bounded'],
      ['ForgotPassword', 'success', 'bounded'],
      ['ChangePassword', 'intent', 'bounded'],
      ['ChangePassword', 'success', undefined],
    ],
  );
});

test('reads are not recorded', async () => {
  const { provider, told } = service({ adminGetUser: async () => ({ Username: 'ada' }) });
  await provider.operations.adminGetUser(ADA, CALL);
  assert.deepEqual(told(), []);
});
