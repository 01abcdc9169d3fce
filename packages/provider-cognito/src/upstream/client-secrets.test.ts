import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createErrorReply,
  createSuccessReply,
  type ReceivedRequest,
  startCognitoServer,
} from '../testing/cognito-server.ts';
import { CALL, CLIENT_ID, openTestProvider } from '../testing/test-provider.ts';
import { computeSecretHash } from './client-secrets.ts';

const SECRET = 'secret0123456789secret0123456789secret0123456789abc';
const OTHER = 'other0123456789other0123456789other0123456789abcdef';
const TOKENS = createSuccessReply({ AuthenticationResult: { AccessToken: 'a.b.c', ExpiresIn: 3_600 } });
const SRP_START = createSuccessReply({
  ChallengeName: 'PASSWORD_VERIFIER',
  ChallengeParameters: { SALT: '1', SRP_B: '2', SECRET_BLOCK: 'c2I=' },
});
const BAD_SECRET = createErrorReply('NotAuthorizedException', `Unable to verify secret hash for client ${CLIENT_ID}`);

/** Accepts the holder of a secret, and refuses all others. */
function believing(secret: string, username: string) {
  return ({ body }: ReceivedRequest) => {
    const maps = { ...(body.AuthParameters as object), ...(body.ChallengeResponses as object) } as Record<
      string,
      string
    >;
    const right = maps.SECRET_HASH === computeSecretHash(secret, username, CLIENT_ID) || body.ClientSecret === secret;
    return right ? TOKENS : BAD_SECRET;
  };
}

test('the hash is the one that Cognito documents', () => {
  assert.equal(computeSecretHash(SECRET, 'alice', CLIENT_ID), '2ffOSg+S5Vyh33Qn+qRyc0EycNndRCM61Jm7sokT6BA=');
});

test('after SRP the hash covers the name that is sent, not the typed one', async () => {
  await using server = await startCognitoServer(() => SRP_START);
  using provider = openTestProvider(server.url, { clientSecrets: [SECRET] });
  const { initiateAuth, respondToAuthChallenge } = provider.operations;
  const typed = 'ada@example.com';
  const canonical = 'c0ffee00-1111-2222-3333-444455556666';
  const start = {
    ClientId: CLIENT_ID,
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME: typed, SRP_A: 'a' },
  } as const;
  await initiateAuth(start, CALL);
  server.setReply(() => TOKENS);
  const ChallengeResponses = { USERNAME: canonical, TIMESTAMP: 't' };
  await respondToAuthChallenge({ ClientId: CLIENT_ID, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses }, CALL);
  const [first, second] = server.receivedRequests;
  assert.deepEqual(first?.body.AuthParameters, {
    ...start.AuthParameters,
    SECRET_HASH: computeSecretHash(SECRET, typed, CLIENT_ID),
  });
  assert.deepEqual(second?.body.ChallengeResponses, {
    ...ChallengeResponses,
    SECRET_HASH: computeSecretHash(SECRET, canonical, CLIENT_ID),
  });
});

test('a refresh contains the hash of its username, and the secret itself if Cognito requires it', async () => {
  await using server = await startCognitoServer(() => TOKENS);
  using provider = openTestProvider(server.url, { clientSecrets: [SECRET] });
  const { initiateAuth, getTokensFromRefreshToken, revokeToken } = provider.operations;
  const AuthParameters = { REFRESH_TOKEN: 'r', USERNAME: 'the-sub' };
  await initiateAuth({ ClientId: CLIENT_ID, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters }, CALL);
  await getTokensFromRefreshToken({ ClientId: CLIENT_ID, RefreshToken: 'r', DeviceKey: 'k' }, CALL);
  await revokeToken({ ClientId: CLIENT_ID, Token: 'r' }, CALL);
  const [byFlow, byToken, revoked] = server.receivedRequests.map(({ body }) => body);
  const { SECRET_HASH } = (byFlow?.AuthParameters ?? {}) as Record<string, string>;
  assert.equal(SECRET_HASH, computeSecretHash(SECRET, 'the-sub', CLIENT_ID));
  assert.deepEqual(byToken, { ClientId: CLIENT_ID, RefreshToken: 'r', DeviceKey: 'k', ClientSecret: SECRET });
  assert.deepEqual(revoked, { ClientId: CLIENT_ID, Token: 'r', ClientSecret: SECRET });
});

test('sign-up, its codes and the password reset contain the hash as a member', async () => {
  await using server = await startCognitoServer(() => createSuccessReply({ UserConfirmed: false, UserSub: 'sub' }));
  using provider = openTestProvider(server.url, { clientSecrets: [SECRET] });
  const { signUp, confirmSignUp, resendConfirmationCode, forgotPassword, confirmForgotPassword } = provider.operations;
  const who = { ClientId: CLIENT_ID, Username: 'ada' };
  await signUp({ ...who, Password: 'p' }, CALL);
  await confirmSignUp({ ...who, ConfirmationCode: '1' }, CALL);
  await resendConfirmationCode(who, CALL);
  await forgotPassword(who, CALL);
  await confirmForgotPassword({ ...who, ConfirmationCode: '1', Password: 'p' }, CALL);
  assert.equal(server.receivedRequests.length, 5);
  for (const { body } of server.receivedRequests)
    assert.equal(body.SecretHash, computeSecretHash(SECRET, 'ada', CLIENT_ID));
});

test('during a rotation the other secret is tried once, and kept if it works', async () => {
  await using server = await startCognitoServer(believing(OTHER, 'ada'));
  using provider = openTestProvider(server.url, { clientSecrets: [SECRET, OTHER] });
  const { initiateAuth, getTokensFromRefreshToken } = provider.operations;
  const AuthParameters = { USERNAME: 'ada', PASSWORD: 'p' };
  await initiateAuth({ ClientId: CLIENT_ID, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }, CALL);
  assert.equal(server.receivedRequests.length, 2);
  await getTokensFromRefreshToken({ ClientId: CLIENT_ID, RefreshToken: 'r' }, CALL);
  assert.equal(server.receivedRequests.length, 3);
});

test('two parallel callers that find the right secret keep it', async () => {
  await using server = await startCognitoServer(believing(OTHER, 'ada'));
  using provider = openTestProvider(server.url, { clientSecrets: [SECRET, OTHER] });
  const refresh = () => provider.operations.getTokensFromRefreshToken({ ClientId: CLIENT_ID, RefreshToken: 'r' }, CALL);
  await Promise.all([refresh(), refresh()]);
  assert.equal(server.receivedRequests.length, 4);
  await refresh();
  assert.equal(server.receivedRequests.length, 5);
});

test('a logout succeeds with the other secret, although Cognito does not name the secret as the reason', async () => {
  await using server = await startCognitoServer(({ body }) =>
    body.ClientSecret === OTHER
      ? createSuccessReply({})
      : createErrorReply('UnauthorizedException', 'The client is not authorized to revoke this token.'),
  );
  using provider = openTestProvider(server.url, { clientSecrets: [SECRET, OTHER] });
  await provider.operations.revokeToken({ ClientId: CLIENT_ID, Token: 'r' }, CALL);
  assert.deepEqual(
    server.receivedRequests.map(({ body }) => body.ClientSecret),
    [SECRET, OTHER],
  );
});

test('a wrong password with the right second secret is not tried a third time', async () => {
  await using server = await startCognitoServer(({ body }) => {
    const { SECRET_HASH } = body.AuthParameters as Record<string, string>;
    const believed = SECRET_HASH === computeSecretHash(OTHER, 'ada', CLIENT_ID);
    return believed ? createErrorReply('NotAuthorizedException', 'Incorrect username or password.') : BAD_SECRET;
  });
  using provider = openTestProvider(server.url, { clientSecrets: [SECRET, OTHER] });
  const AuthParameters = { USERNAME: 'ada', PASSWORD: 'wrong' };
  const login = () =>
    provider.operations.initiateAuth({ ClientId: CLIENT_ID, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }, CALL);
  await assert.rejects(login(), { reason: 'invalid_credentials' });
  assert.equal(server.receivedRequests.length, 2);
  await assert.rejects(login(), { reason: 'invalid_credentials' });
  assert.equal(server.receivedRequests.length, 3);
});

test('if neither secret is right, the error says so', async () => {
  await using server = await startCognitoServer(() => BAD_SECRET);
  using provider = openTestProvider(server.url, { clientSecrets: [SECRET, OTHER] });
  await assert.rejects(
    provider.operations.getTokensFromRefreshToken({ ClientId: CLIENT_ID, RefreshToken: 'r' }, CALL),
    {
      code: 'NotAuthorizedException',
      reason: 'client_secret',
    },
  );
  assert.equal(server.receivedRequests.length, 2);
});

test('no secret is sent for another app client, or instead of a proof by the caller', async () => {
  await using server = await startCognitoServer(() => TOKENS);
  using provider = openTestProvider(server.url, { clientSecrets: [SECRET] });
  await provider.operations.getTokensFromRefreshToken({ ClientId: 'another', RefreshToken: 'r' }, CALL);
  const AuthParameters = { USERNAME: 'ada', PASSWORD: 'p', SECRET_HASH: 'made-by-the-caller' };
  await provider.operations.initiateAuth({ ClientId: CLIENT_ID, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }, CALL);
  const [foreign, own] = server.receivedRequests;
  assert.deepEqual(foreign?.body, { ClientId: 'another', RefreshToken: 'r' });
  assert.deepEqual(own?.body.AuthParameters, AuthParameters);
});
