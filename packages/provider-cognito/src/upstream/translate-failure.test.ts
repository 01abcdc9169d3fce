import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ProviderError, type ProviderErrorCode, type RefusalReason } from '@poolgate/provider';
import { createErrorReply, startCognitoServer } from '../testing/cognito-server.ts';
import { CALL, CLIENT_ID, openTestProvider, POOL_ID, type TestProvider } from '../testing/test-provider.ts';

type Act = (provider: TestProvider) => Promise<unknown>;

const password: Act = ({ operations }) =>
  operations.initiateAuth(
    { ClientId: CLIENT_ID, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: 'ada', PASSWORD: 'p' } },
    CALL,
  );
const oldRefresh: Act = ({ operations }) =>
  operations.initiateAuth(
    { ClientId: CLIENT_ID, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: 'r' } },
    CALL,
  );
const refresh: Act = ({ operations }) =>
  operations.getTokensFromRefreshToken({ ClientId: CLIENT_ID, RefreshToken: 'r' }, CALL);
const answer: Act = ({ operations }) =>
  operations.respondToAuthChallenge({ ClientId: CLIENT_ID, ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 's' }, CALL);
const getUser: Act = ({ operations }) => operations.getUser({ AccessToken: 'a.b.c' }, CALL);
const getDevice: Act = ({ operations }) => operations.getDevice({ AccessToken: 'a.b.c', DeviceKey: 'k' }, CALL);
const confirmDevice: Act = ({ operations }) => operations.confirmDevice({ AccessToken: 'a.b.c', DeviceKey: 'k' }, CALL);
const changePassword: Act = ({ operations }) =>
  operations.changePassword({ AccessToken: 'a.b.c', ProposedPassword: 'p' }, CALL);
const forgot: Act = ({ operations }) => operations.forgotPassword({ ClientId: CLIENT_ID, Username: 'ada' }, CALL);
const WITH_CODE = { ClientId: CLIENT_ID, Username: 'ada', ConfirmationCode: '1' };
const confirmSignUp: Act = ({ operations }) => operations.confirmSignUp(WITH_CODE, CALL);
const confirmForgot: Act = ({ operations }) => operations.confirmForgotPassword({ ...WITH_CODE, Password: 'p' }, CALL);
const addToGroup: Act = ({ operations }) =>
  operations.adminAddUserToGroup({ UserPoolId: POOL_ID, Username: 'ada', GroupName: 'g' }, CALL);
const adminGet: Act = ({ operations }) => operations.adminGetUser({ UserPoolId: POOL_ID, Username: 'ada' }, CALL);
const deletePasskey: Act = ({ operations }) =>
  operations.deleteWebAuthnCredential({ AccessToken: 'a.b.c', CredentialId: 'c' }, CALL);
const revoke: Act = ({ operations }) => operations.revokeToken({ ClientId: CLIENT_ID, Token: 'r' }, CALL);

/** The call, Cognito's response, and what callers get. */
const CASES: [Act, string, string, ProviderErrorCode, RefusalReason | undefined][] = [
  [
    password,
    'NotAuthorizedException',
    'Incorrect username or password.',
    'NotAuthorizedException',
    'invalid_credentials',
  ],
  [password, 'NotAuthorizedException', 'Password attempts exceeded', 'NotAuthorizedException', 'locked'],
  [
    getUser,
    'NotAuthorizedException',
    'A client attempted to write unauthorized attribute',
    'NotAuthorizedException',
    'attribute_not_writable',
  ],
  [password, 'NotAuthorizedException', 'User is disabled.', 'NotAuthorizedException', 'user_disabled'],
  [
    password,
    'NotAuthorizedException',
    'Temporary password has expired and must be reset by an administrator.',
    'NotAuthorizedException',
    'temporary_password_expired',
  ],
  [password, 'NotAuthorizedException', 'Password has expired.', 'NotAuthorizedException', 'password_expired'],
  [password, 'UserNotFoundException', 'User does not exist.', 'UserNotFoundException', 'invalid_credentials'],
  [password, 'UserNotConfirmedException', 'User is not confirmed.', 'UserNotConfirmedException', undefined],
  [
    password,
    'PasswordResetRequiredException',
    'Password reset required for the user',
    'PasswordResetRequiredException',
    undefined,
  ],
  [
    password,
    'InvalidParameterException',
    'USER_PASSWORD_AUTH flow not enabled for this client',
    'InvalidParameterException',
    'flow_disabled',
  ],
  [
    password,
    'InvalidParameterException',
    'USER_SRP_AUTH is not enabled for the client.',
    'InvalidParameterException',
    'flow_disabled',
  ],
  [
    password,
    'InvalidParameterException',
    'Missing required parameter USERNAME',
    'InvalidParameterException',
    undefined,
  ],
  [
    password,
    'ResourceNotFoundException',
    `User pool client ${CLIENT_ID} does not exist.`,
    'ResourceNotFoundException',
    'client_not_found',
  ],
  [password, 'ResourceNotFoundException', 'Device does not exist.', 'ResourceNotFoundException', 'device_not_found'],
  [
    password,
    'NotAuthorizedException',
    `Client ${CLIENT_ID} is configured with secret but SECRET_HASH was not received`,
    'NotAuthorizedException',
    'client_secret',
  ],
  [
    answer,
    'NotAuthorizedException',
    'Invalid session for the user, session can only be used once.',
    'NotAuthorizedException',
    'invalid_session',
  ],
  [
    answer,
    'NotAuthorizedException',
    'Attempt limit exceeded, please try after some time.',
    'NotAuthorizedException',
    'locked',
  ],
  [
    answer,
    'InvalidParameterException',
    "1 validation error detected: Value at 'session' failed to satisfy constraint: Member must have length greater than or equal to 20",
    'InvalidParameterException',
    'invalid_session',
  ],
  [
    answer,
    'InvalidParameterException',
    'ChallengeName does not match the pending challenge.',
    'InvalidParameterException',
    'challenge_mismatch',
  ],
  [
    revoke,
    'UnauthorizedException',
    'The client is not authorized to revoke this token.',
    'UnauthorizedException',
    'invalid_grant',
  ],
  [answer, 'CodeMismatchException', 'Invalid code received for user', 'CodeMismatchException', undefined],
  [
    answer,
    'ExpiredCodeException',
    'Your software token has already been used once.',
    'ExpiredCodeException',
    undefined,
  ],
  [oldRefresh, 'NotAuthorizedException', 'Refresh Token has been revoked', 'NotAuthorizedException', 'invalid_grant'],
  [refresh, 'NotAuthorizedException', 'Something not heard before', 'NotAuthorizedException', 'invalid_grant'],
  [refresh, 'NotAuthorizedException', 'User is disabled.', 'NotAuthorizedException', 'user_disabled'],
  [refresh, 'UserNotFoundException', 'User does not exist.', 'UserNotFoundException', 'invalid_grant'],
  [refresh, 'RefreshTokenReuseException', 'Reused', 'RefreshTokenReuseException', 'invalid_grant'],
  [getUser, 'NotAuthorizedException', 'Access Token has been revoked', 'NotAuthorizedException', 'invalid_token'],
  [getUser, 'NotAuthorizedException', 'Something not heard before', 'NotAuthorizedException', undefined],
  [getUser, 'UserNotFoundException', 'User does not exist.', 'UserNotFoundException', 'invalid_token'],
  [
    changePassword,
    'NotAuthorizedException',
    'Incorrect username or password.',
    'NotAuthorizedException',
    'invalid_credentials',
  ],
  [
    changePassword,
    'LimitExceededException',
    'Attempt limit exceeded, please try after some time.',
    'LimitExceededException',
    'locked',
  ],
  [forgot, 'TooManyFailedAttemptsException', 'x', 'TooManyFailedAttemptsException', 'locked'],
  [getDevice, 'ResourceNotFoundException', 'Device does not exist.', 'ResourceNotFoundException', 'device_not_found'],
  [confirmDevice, 'DeviceKeyExistsException', 'x', 'DeviceKeyExistsException', undefined],
  [confirmDevice, 'InvalidParameterException', 'Invalid device key given.', 'InvalidParameterException', undefined],
  [addToGroup, 'ResourceNotFoundException', 'Group not found.', 'ResourceNotFoundException', 'group_not_found'],
  [
    addToGroup,
    'ResourceNotFoundException',
    `User pool ${POOL_ID} does not exist.`,
    'ResourceNotFoundException',
    'pool_not_found',
  ],
  [adminGet, 'UserNotFoundException', 'User does not exist.', 'UserNotFoundException', undefined],
  [deletePasskey, 'ResourceNotFoundException', 'x', 'ResourceNotFoundException', 'passkey_not_found'],
  [revoke, 'UnsupportedTokenTypeException', 'x', 'UnsupportedTokenTypeException', undefined],
  [
    adminGet,
    'UnrecognizedClientException',
    'The security token included in the request is invalid.',
    'AccessDeniedException',
    undefined,
  ],
  [
    adminGet,
    'AccessDeniedException',
    'User: arn:aws:iam::1:user/x is not authorized',
    'AccessDeniedException',
    undefined,
  ],
  [getUser, 'NeverHeardOfException', 'x', 'InternalErrorException', 'provider_unknown'],
  [revoke, 'InternalErrorException', 'x', 'InternalErrorException', 'provider_unavailable'],
];

for (const act of [confirmSignUp, confirmForgot]) {
  for (const [name, words] of [
    ['CodeMismatchException', 'Invalid verification code provided, please try again.'],
    ['ExpiredCodeException', 'Invalid code provided, please request a code again.'],
    ['NotAuthorizedException', 'User cannot be confirmed. Current status is CONFIRMED'],
    ['NotAuthorizedException', 'User is disabled.'],
    ['NotAuthorizedException', 'Incorrect username or password.'],
    ['UserNotFoundException', 'User does not exist.'],
    ['UserNotConfirmedException', 'User is not confirmed.'],
  ] as const) {
    CASES.push([act, name, words, 'CodeMismatchException', undefined]);
  }
  CASES.push(
    [
      act,
      'NotAuthorizedException',
      'Unable to verify secret hash for client',
      'NotAuthorizedException',
      'client_secret',
    ],
    [
      act,
      'LimitExceededException',
      'Attempt limit exceeded, please try after some time.',
      'LimitExceededException',
      'locked',
    ],
  );
}

test('every error becomes a code and a reason of the port', async () => {
  await using server = await startCognitoServer();
  using provider = openTestProvider(server.url, { limits: { tries: 1 } });
  for (const [act, name, words, code, reason] of CASES) {
    server.setReply(() => createErrorReply(name, words));
    const error = await act(provider).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ProviderError, `${name}: ${words}`);
    assert.deepEqual([error.code, error.reason], [code, reason], `${name}: ${words}`);
  }
});

test('the text of AWS appears in neither message nor cause, in any form', async () => {
  const words = "Value 'hunter2-the-password' at 'password' failed to satisfy constraint";
  await using server = await startCognitoServer();
  using provider = openTestProvider(server.url);
  for (const name of [
    'InvalidParameterException',
    'NeverHeardOfException',
    'UnrecognizedClientException',
    '<b>hunter2</b>',
  ]) {
    server.setReply(() => createErrorReply(name, words));
    const error = await password(provider).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ProviderError);
    assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), /hunter2/, name);
  }
});

test('a cause contains the error name of AWS and its request ID, for the log', async () => {
  await using server = await startCognitoServer(() => ({
    status: 400,
    headers: { 'x-amzn-requestid': 'aws-request-1', 'x-amzn-errortype': 'NeverHeardOfException:' },
    body: '{"message":"x"}',
  }));
  using provider = openTestProvider(server.url);
  const error = await getUser(provider).catch((thrown: unknown) => thrown);
  assert.match(inspect(error), /NeverHeardOfException/);
  assert.match(inspect(error), /aws-request-1/);
});
