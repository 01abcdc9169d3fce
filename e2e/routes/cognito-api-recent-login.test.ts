import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listErrorCodes, ROUTES, type Route, type RouteName } from '@poolgate/contract';
import type { OperationName } from '@poolgate/provider';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import { findLastCode } from '../support/routes/route-account.ts';
import { logInForAccessToken } from '../support/routes/route-mfa.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const STALE_MS = 901_000;
const STALE_MESSAGE = 'Sign in again to change sign-in methods.';

/** What each route with a recent login does at the provider with the caller's token, as the Cognito-compatible API does it. */
const DONE_BY: Partial<Record<RouteName, readonly OperationName[]>> = {
  // In Cognito, only administrators can unlink identities.
  identityRemove: [],
  mfaActivate: ['AssociateSoftwareToken'],
  mfaDeactivate: ['SetUserMFAPreference'],
  mfaPreference: ['SetUserMFAPreference'],
  // Cognito has no recovery codes.
  mfaRecoveryCodes: [],
  mfaVerify: ['VerifySoftwareToken', 'SetUserMFAPreference'],
  mfaVerifyByPath: ['VerifySoftwareToken', 'SetUserMFAPreference'],
  passkeyComplete: ['CompleteWebAuthnRegistration'],
  passkeyDelete: ['DeleteWebAuthnCredential'],
  passkeyStart: ['StartWebAuthnRegistration'],
  passwordChange: ['ChangePassword'],
  userDelete: ['DeleteUser'],
  // Cognito has no grace period and no export.
  userDeletionSchedule: [],
  userExport: [],
  userUpdate: ['UpdateUserAttributes'],
};

/** Requests that change a user's credentials. Those without a route are in the second part. */
const CHANGES: readonly { readonly operation: OperationName; readonly input: object }[] = [
  { operation: 'AssociateSoftwareToken', input: {} },
  { operation: 'ChangePassword', input: { ProposedPassword: 'Other-Horse-22!' } },
  {
    operation: 'CompleteWebAuthnRegistration',
    input: { Credential: { id: 'x', rawId: 'x', type: 'public-key', response: {} } },
  },
  { operation: 'DeleteWebAuthnCredential', input: { CredentialId: 'x' } },
  { operation: 'SetUserMFAPreference', input: { SoftwareTokenMfaSettings: { Enabled: false } } },
  { operation: 'StartWebAuthnRegistration', input: {} },
  { operation: 'UpdateUserAttributes', input: { UserAttributes: [{ Name: 'email', Value: 'eve@example.test' }] } },
  {
    operation: 'UpdateUserAttributes',
    input: {
      UserAttributes: [
        { Name: 'name', Value: 'Eve' },
        { Name: 'phone_number', Value: '+15550100' },
      ],
    },
  },
  { operation: 'VerifySoftwareToken', input: { UserCode: '123456' } },

  { operation: 'DeleteUserAttributes', input: { UserAttributeNames: ['phone_number'] } },
  { operation: 'SetUserSettings', input: { MFAOptions: [] } },

  // Last, because it succeeds with a recent login.
  { operation: 'DeleteUser', input: {} },
];

const HARMLESS: readonly { readonly operation: OperationName; readonly input: object }[] = [
  { operation: 'GetUser', input: {} },
  { operation: 'UpdateUserAttributes', input: { UserAttributes: [{ Name: 'name', Value: 'Ada' }] } },
  { operation: 'ListDevices', input: {} },
  { operation: 'GlobalSignOut', input: {} },
];

function isStale({ status, body }: Exchange): boolean {
  return status === 400 && body.__type === 'NotAuthorizedException' && body.message === STALE_MESSAGE;
}

describe('recent logins at the Cognito-compatible API', () => {
  let service: TestService;
  let count = 0;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  async function loggedIn(on = service): Promise<string> {
    const email = `fresh${count++}@example.test`;
    await addUser(on, email);
    return logInForAccessToken(on, email);
  }

  it('are required by each operation whose route requires one', () => {
    const asking = (Object.keys(ROUTES) as RouteName[]).filter((name) =>
      listErrorCodes(ROUTES[name] as Route).includes('reauthentication_required'),
    );
    assert.deepEqual(Object.keys(DONE_BY).sort(), asking.sort());
    const tried = new Set(CHANGES.map(({ operation }) => operation));
    for (const operation of Object.values(DONE_BY).flat()) assert.ok(tried.has(operation), operation);
  });

  it('are required to change a factor, a contact or an account; a refresh does not replace one', async () => {
    const email = 'refreshing@example.test';
    await addUser(service, email);
    const { access, refresh } = requireTokens(await service.post('/login', { username: email, password: PASSWORD }));
    service.clock.advance(STALE_MS);
    const refreshed = await service.post('/token/refresh', { refresh_token: refresh });
    assert.equal(refreshed.status, 200, refreshed.text);
    for (const token of [access, String(refreshed.body.access_token)]) {
      for (const { operation, input } of CHANGES) {
        const answer = await service.call(operation, { ...input, AccessToken: token });
        assert.ok(isStale(answer), `${operation}: ${answer.text}`);
      }
    }
    for (const { operation, input } of HARMLESS) {
      const answer = await service.call(operation, { ...input, AccessToken: access });
      assert.equal(answer.status, 200, `${operation}: ${answer.text}`);
    }
  });

  it('allow the operation', async () => {
    const access = await loggedIn();
    for (const { operation, input } of CHANGES) {
      const answer = await service.call(operation, { ...input, AccessToken: access });
      assert.ok(!isStale(answer), `${operation}: ${answer.text}`);
    }
    assert.equal((await service.call('GetUser', { AccessToken: access })).status, 400);
  });

  it('do not change how invalid and forged tokens are refused', async () => {
    const [header, payload = '', signature] = (await loggedIn()).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    service.clock.advance(STALE_MS);
    const later = { ...claims, auth_time: service.clock.now() / 1000 };
    const forged = [header, Buffer.from(JSON.stringify(later)).toString('base64url'), signature].join('.');
    for (const token of [forged, 'x', 'a.b.c', '..']) {
      for (const { operation, input } of CHANGES) {
        const answer = await service.call(operation, { ...input, AccessToken: token });
        assert.equal(answer.status, 400, `${operation}: ${answer.text}`);
        assert.ok(!isStale(answer), `${operation}: ${answer.text}`);
      }
    }
  });

  /** A user who signs in with codes and has no password. */
  async function withoutPassword(): Promise<{ readonly email: string; readonly access: string }> {
    const email = `codes${count++}@example.test`;
    const { clientId } = service;
    await service.call('SignUp', { ClientId: clientId, Username: email });
    const confirmation = { ClientId: clientId, Username: email, ConfirmationCode: findLastCode(service, email) };
    assert.equal((await service.call('ConfirmSignUp', confirmation)).status, 200);
    const asked = await service.call('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME: email, PREFERRED_CHALLENGE: 'EMAIL_OTP' },
    });
    const answer = await service.call('RespondToAuthChallenge', {
      ClientId: clientId,
      ChallengeName: 'EMAIL_OTP',
      Session: asked.body.Session,
      ChallengeResponses: { USERNAME: email, EMAIL_OTP_CODE: findLastCode(service, email) },
    });
    const result = answer.body.AuthenticationResult as { readonly AccessToken: string } | undefined;
    assert.ok(result, answer.text);
    return { email, access: result.AccessToken };
  }

  it('are required to set a first password, at both entry points', async () => {
    const { email, access } = await withoutPassword();
    service.clock.advance(STALE_MS);
    const invented = { PreviousPassword: 'Invented-Horse1!', ProposedPassword: PASSWORD, AccessToken: access };
    const cognitoApi = await service.call('ChangePassword', invented);
    assert.deepEqual([cognitoApi.status, cognitoApi.body.__type], [400, 'NotAuthorizedException'], cognitoApi.text);
    const route = (body: object) => service.post('/user/changepassword', body, createBearerHeader(access));
    const old = { password: 'Invented-Horse1!', new_password: PASSWORD };
    assertProblem(await route(old), 401, 'invalid_credentials');
    assertProblem(await route({ new_password: PASSWORD }), 403, 'reauthentication_required');
    assertProblem(await service.post('/login', { username: email, password: PASSWORD }), 401, 'invalid_credentials');
  });

  it('allow a first password at the route, but only if there is none', async () => {
    const { email, access } = await withoutPassword();
    const set = await service.post('/user/changepassword', { new_password: PASSWORD }, createBearerHeader(access));
    assert.equal(set.status, 200, set.text);
    requireTokens(await service.post('/login', { username: email, password: PASSWORD }));
    const again = await service.post(
      '/user/changepassword',
      { new_password: 'Other-Horse-22!' },
      createBearerHeader(access),
    );
    assertInvalidField(again, 'password');
  });

  it('are not required if the setting is off, but always at the routes', async (t) => {
    const other = await startTestService({ freshProofWire: false });
    t.after(() => other.close());
    const access = await loggedIn(other);
    other.clock.advance(STALE_MS);
    assert.equal((await other.call('AssociateSoftwareToken', { AccessToken: access })).status, 200);
    assertProblem(
      await other.post('/user/mfa/activate', {}, createBearerHeader(access)),
      403,
      'reauthentication_required',
    );
    assert.equal((await other.call('DeleteUser', { AccessToken: access })).status, 200);
  });
});
