import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Input,
  OPERATION_NAMES,
  OPERATIONS,
  type OperationName,
  ProviderError,
  requireMethod,
} from '@poolgate/provider';
import { QUOTAS } from '../options/quotas.ts';
import { createSuccessReply, startCognitoServer } from '../testing/cognito-server.ts';
import { CALL, CLIENT_ID, openTestProvider, POOL_ID } from '../testing/test-provider.ts';
import { COMMANDS } from './commands.ts';

const PATIENT = {
  breakerLeast: 1_000,
  quotas: Object.fromEntries(Object.keys(QUOTAS).map((category) => [category, 1_000])),
};

/** The secret in the request counts, but the SDK signs it too. */
const SIGNED_BY_THE_SDK: ReadonlySet<OperationName> = new Set(['GetClientToken']);

test('every operation of the port is sent under its own name, once, and signed only for administrators', async () => {
  await using server = await startCognitoServer();
  using provider = openTestProvider(server.url, { limits: PATIENT });
  for (const name of OPERATION_NAMES) {
    const before = server.receivedRequests.length;
    const isAdmin = OPERATIONS[name].access === 'admin';
    // An empty response is invalid for operations that must return something.
    const input = isAdmin ? { UserPoolId: POOL_ID } : { AccessToken: 'a.b.c' };
    await requireMethod(provider.operations, name)(input as Input<OperationName>, CALL).catch((error) => {
      assert.ok(error instanceof ProviderError && error.reason === 'provider_unknown', String(error));
    });
    const [request, ...more] = server.receivedRequests.slice(before);
    assert.equal(more.length, 0, name);
    assert.equal(request?.operation, name);
    const isSigned = isAdmin || SIGNED_BY_THE_SDK.has(name);
    assert.equal(request?.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') ?? false, isSigned, name);
  }
  assert.equal(server.receivedRequests.length, OPERATION_NAMES.length);
});

test('credentials are looked up only when something must be signed', async () => {
  await using server = await startCognitoServer(() => createSuccessReply({ Username: 'ada', UserAttributes: [] }));
  using provider = openTestProvider(server.url);
  await provider.operations.getUser({ AccessToken: 'a.b.c' }, CALL);
  assert.equal(provider.countCredentialLookups(), 0);
  await provider.operations.adminGetUser({ UserPoolId: POOL_ID, Username: 'ada' }, CALL);
  assert.equal(provider.countCredentialLookups(), 1);
});

test('without credentials logins work, and signed calls fail without naming where credentials were looked up', async () => {
  await using server = await startCognitoServer(() => createSuccessReply({ Username: 'ada', UserAttributes: [] }));
  const credentials = async () => assert.fail('no file /home/somebody/.aws/credentials');
  using provider = openTestProvider(server.url, { credentials });
  await provider.operations.getUser({ AccessToken: 'a.b.c' }, CALL);
  await assert.rejects(
    provider.operations.adminGetUser({ UserPoolId: POOL_ID, Username: 'ada' }, CALL),
    (error: unknown) => {
      assert.ok(error instanceof ProviderError);
      assert.equal(error.code, 'AccessDeniedException');
      assert.doesNotMatch(error.message, /home/);
      return true;
    },
  );
  assert.equal(server.receivedRequests.length, 1);
});

test('another pool than the configured one is refused here, without a signed request', async () => {
  await using server = await startCognitoServer();
  using provider = openTestProvider(server.url);
  await assert.rejects(
    provider.operations.adminDeleteUser({ UserPoolId: 'us-east-1_Another1', Username: 'ada' }, CALL),
    { code: 'ResourceNotFoundException', reason: 'pool_not_found' },
  );
  assert.equal(server.receivedRequests.length, 0);
});

test('requests and responses keep their form; times become epoch seconds, nulls and extra members are dropped', async () => {
  await using server = await startCognitoServer(() =>
    createSuccessReply({
      Devices: [
        {
          DeviceKey: 'k',
          DeviceCreateDate: 1_715_100_742.022,
          DeviceAttributes: [{ Name: 'a', Value: 'b' }],
          Extra: 1,
        },
        null,
      ],
      PaginationToken: null,
      Unheard: true,
    }),
  );
  using provider = openTestProvider(server.url);
  const input = { AccessToken: 'a.b.c', Limit: 10, PaginationToken: 'p' };
  assert.deepEqual(await provider.operations.listDevices(input, CALL), {
    Devices: [{ DeviceKey: 'k', DeviceAttributes: [{ Name: 'a', Value: 'b' }], DeviceCreateDate: 1_715_100_742.022 }],
  });
  assert.deepEqual(server.receivedRequests[0]?.body, input);
});

test('an operation without output may return nothing at all', async () => {
  await using server = await startCognitoServer(() => ({ body: '' }));
  using provider = openTestProvider(server.url);
  assert.deepEqual(await provider.operations.forgetDevice({ AccessToken: 'a.b.c', DeviceKey: 'k' }, CALL), {});
});

test('what is consumed by being received is never repeatable', () => {
  const spent: [OperationName, Readonly<Record<string, unknown>>][] = [
    ['RespondToAuthChallenge', { ChallengeName: 'PASSWORD_VERIFIER' }],
    ['AdminRespondToAuthChallenge', { ChallengeName: 'SOFTWARE_TOKEN_MFA' }],
    ['GetTokensFromRefreshToken', { RefreshToken: 'r' }],
    ['InitiateAuth', { AuthFlow: 'REFRESH_TOKEN_AUTH' }],
    ['InitiateAuth', { AuthFlow: 'REFRESH_TOKEN' }],
    ['InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH' }],
    ['InitiateAuth', { AuthFlow: 'USER_AUTH' }],
    ['InitiateAuth', { AuthFlow: 'SOMETHING_NEW' }],
    ['ConfirmSignUp', {}],
    ['ConfirmForgotPassword', {}],
    ['VerifyUserAttribute', {}],
    ['VerifySoftwareToken', { AccessToken: 'a' }],
    ['AssociateSoftwareToken', { Session: 's' }],
    ['CompleteWebAuthnRegistration', {}],
    ['ForgotPassword', {}],
    ['ResendConfirmationCode', {}],
    ['SignUp', {}],
  ];
  for (const [name, request] of spent) assert.equal(COMMANDS[name].repeatable(request), false, name);
  assert.equal(COMMANDS.InitiateAuth.repeatable({ AuthFlow: 'USER_SRP_AUTH', ClientId: CLIENT_ID }), true);
  assert.equal(COMMANDS.AssociateSoftwareToken.repeatable({ AccessToken: 'a' }), true);
});
