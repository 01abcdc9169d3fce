import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createErrorReply, createSuccessReply, startCognitoServer } from '../testing/cognito-server.ts';
import { CALL, CLIENT_ID, openTestProvider, POOL_ID, type TestProvider } from '../testing/test-provider.ts';
import { cognitoCallFailure } from './call-failure.ts';

const logIn = ({ operations }: TestProvider) =>
  operations.initiateAuth(
    { ClientId: CLIENT_ID, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: 'u', PASSWORD: 'p' } },
    CALL,
  );
const read = ({ operations }: TestProvider) => operations.getUser({ AccessToken: 'a.b.c' }, CALL);

const token = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

test('the breaker of a failing operation does not affect others', async () => {
  const user = createSuccessReply({ Username: 'ada', UserAttributes: [] });
  await using server = await startCognitoServer(({ operation }) =>
    operation === 'InitiateAuth' ? createErrorReply('InternalErrorException', 'x', 500) : user,
  );
  using provider = openTestProvider(server.url);
  for (let count = 0; count < 12; count += 1) await assert.rejects(logIn(provider));
  const stopped = await logIn(provider).catch((error: unknown) => error);
  assert.equal(cognitoCallFailure(stopped)?.kind, 'open');
  assert.equal((await read(provider)).Username, 'ada');
});

test('unreadable user input opens no breaker; an invalid response of the operation does', async () => {
  let name = 'a\0b';
  await using server = await startCognitoServer(() =>
    createSuccessReply({ Username: 'ada', UserAttributes: [{ Name: 'name', Value: name }] }),
  );
  using provider = openTestProvider(server.url);
  for (let count = 0; count < 30; count += 1) {
    const thrown = await read(provider).catch((error: unknown) => error);
    assert.deepEqual(
      [cognitoCallFailure(thrown)?.kind, cognitoCallFailure(thrown)?.member],
      ['nonsense', 'UserAttributes.Value'],
    );
  }
  name = 'Ada';
  assert.equal((await read(provider)).Username, 'ada');
  server.setReply(() => createSuccessReply([] as never));
  for (let count = 0; count < 12; count += 1) await assert.rejects(read(provider));
  const stopped = await read(provider).catch((error: unknown) => error);
  assert.equal(cognitoCallFailure(stopped)?.kind, 'open');
});

test('the lifetime of an access token is read from it if the response does not contain it', async () => {
  const AccessToken = token({ iat: 1_000, exp: 4_600 });
  await using server = await startCognitoServer(() => createSuccessReply({ AuthenticationResult: { AccessToken } }));
  using provider = openTestProvider(server.url);
  assert.equal((await logIn(provider)).AuthenticationResult?.ExpiresIn, 3_600);
  server.setReply(() => createSuccessReply({ AuthenticationResult: { AccessToken, ExpiresIn: 60 } }));
  assert.equal((await logIn(provider)).AuthenticationResult?.ExpiresIn, 60);
});

const LOGIN = { ChallengeName: 'PASSWORD_VERIFIER', Session: 'a-session-of-twenty-characters' };
const PARAMETERS = { SALT: 'ab', SRP_B: 'cd', SECRET_BLOCK: 'ZQ==' };

test('the name of an invalid member is known, but not its value', async () => {
  for (const [answer, member] of [
    [{ AuthenticationResult: { AccessToken: 'a.b.c' } }, 'AuthenticationResult.ExpiresIn'],
    [{ AuthenticationResult: { AccessToken: token({ iat: 5, exp: 5 }) } }, 'AuthenticationResult.ExpiresIn'],
    [{ AuthenticationResult: {} }, 'AuthenticationResult.AccessToken'],
    [{ AuthenticationResult: { AccessToken: ['planted'] } }, 'AuthenticationResult.AccessToken'],
    [{ ChallengeName: 'PLANTED' }, 'ChallengeName'],
    [
      { ...LOGIN, ChallengeParameters: { ...PARAMETERS, SECRET_BLOCK: 'planted!' } },
      'ChallengeParameters.SECRET_BLOCK',
    ],
    [{ ...LOGIN, ChallengeParameters: { ...PARAMETERS, SRP_B: 'planted' } }, 'ChallengeParameters.SRP_B'],
    [{ ...LOGIN, ChallengeParameters: { ...PARAMETERS, planted: ['planted'] } }, 'ChallengeParameters'],
    [{ ...LOGIN, Session: 7, ChallengeParameters: PARAMETERS }, 'Session'],
  ] as const) {
    await using server = await startCognitoServer(() => createSuccessReply(answer));
    using provider = openTestProvider(server.url);
    const thrown = await logIn(provider).catch((error: unknown) => error);
    assert.deepEqual([cognitoCallFailure(thrown)?.kind, cognitoCallFailure(thrown)?.member], ['nonsense', member]);
    assert.doesNotMatch(JSON.stringify(cognitoCallFailure(thrown)), /planted/i);
  }
});

test('a challenge without SRP data passes through without its parameters', async () => {
  const step = { ChallengeName: 'SMS_MFA', Session: LOGIN.Session, ChallengeParameters: { DESTINATION: '+***1' } };
  await using server = await startCognitoServer(() => createSuccessReply(step));
  using provider = openTestProvider(server.url);
  assert.deepEqual(await logIn(provider), step);
});

test('a login with a password that violates the policy is a wrong password; a new one is an invalid value', async () => {
  await using server = await startCognitoServer(() =>
    createErrorReply('InvalidPasswordException', 'Password not long enough'),
  );
  using provider = openTestProvider(server.url);
  await assert.rejects(logIn(provider), { reason: 'invalid_credentials' });
  const answer = (ChallengeName: 'PASSWORD_VERIFIER' | 'NEW_PASSWORD_REQUIRED') =>
    provider.operations.respondToAuthChallenge({ ClientId: CLIENT_ID, ChallengeName }, CALL);
  await assert.rejects(answer('PASSWORD_VERIFIER'), { reason: 'invalid_credentials' });
  for (const set of [
    answer('NEW_PASSWORD_REQUIRED'),
    provider.operations.signUp({ ClientId: CLIENT_ID, Username: 'u', Password: 'p' }, CALL),
    provider.operations.changePassword({ AccessToken: 'a.b.c', PreviousPassword: 'p', ProposedPassword: 'q' }, CALL),
    provider.operations.confirmForgotPassword(
      { ClientId: CLIENT_ID, Username: 'u', ConfirmationCode: '123456', Password: 'p' },
      CALL,
    ),
    provider.operations.adminSetUserPassword({ UserPoolId: POOL_ID, Username: 'u', Password: 'p' }, CALL),
  ]) {
    await assert.rejects(set, {
      code: 'InvalidPasswordException',
      reason: undefined,
      brokenRules: ['too_short'],
    });
  }
});
