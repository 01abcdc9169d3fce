import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createOperations,
  type Input,
  OPERATION_NAMES,
  type OperationName,
  ProviderError,
  requireMethod,
} from '@poolgate/provider';
import { createAccessToken } from '../testing/access-token.ts';
import { createMovableClock, createTestDeps, START_MS } from '../testing/gateway-deps.ts';
import { createRecentLoginProvider } from './recent-login-provider.ts';

const FRESH_SECONDS = 900;
const EMAIL = { Name: 'email', Value: 'eve@example.com' };

/** What changes credentials or ends the account, listed here independently of the code. */
const CHANGES: Readonly<Record<string, object>> = {
  AssociateSoftwareToken: {},
  ChangePassword: { ProposedPassword: 'x' },
  CompleteWebAuthnRegistration: { Credential: {} },
  DeleteUser: {},
  DeleteUserAttributes: { UserAttributeNames: ['name', 'phone_number'] },
  DeleteWebAuthnCredential: { CredentialId: 'x' },
  SetUserMFAPreference: {},
  SetUserSettings: { MFAOptions: [] },
  StartWebAuthnRegistration: {},
  UpdateUserAttributes: { UserAttributes: [{ Name: 'name', Value: 'Eve' }, EMAIL] },
  VerifySoftwareToken: { UserCode: '123456' },
};

/** The same operations when they do not. */
const HARMLESS: Readonly<Record<string, object>> = {
  ChangePassword: { PreviousPassword: 'y', ProposedPassword: 'x' },
  DeleteUserAttributes: { UserAttributeNames: ['name'] },
  UpdateUserAttributes: { UserAttributes: [{ Name: 'name', Value: 'Eve' }] },
};

const CALL = { requestId: 'test', sourceAddress: '192.0.2.1' };

/** Every operation returns its own name, and calls that the guard allows reach it unchanged. */
function guarded(nowMs: number) {
  const given = new Set<object>();
  const operations = createOperations((name) => async (input, call) => {
    assert.ok(given.has(input) && call === CALL, name);
    return name as never;
  });
  const deps = createTestDeps({ clock: createMovableClock(nowMs) }, { recentLoginSeconds: FRESH_SECONDS });
  const all = createRecentLoginProvider(deps, { ...deps.provider, operations }).operations;
  const call = async (name: OperationName, input: object): Promise<unknown> => {
    given.add(input);
    try {
      return await requireMethod(all, name)(input as Input<OperationName>, CALL);
    } catch (error) {
      assert.ok(error instanceof ProviderError, String(error));
      return error.code;
    }
  };
  return { call };
}

test('with a token of an old login no credential changes; everything else works', async () => {
  const { call } = guarded(START_MS + FRESH_SECONDS * 1000 + 1000);
  const AccessToken = createAccessToken('ada');
  for (const name of OPERATION_NAMES) {
    const expected = name in CHANGES ? 'NotAuthorizedException' : name;
    const otherwise = { UserAttributes: [], UserAttributeNames: [] };
    assert.equal(await call(name, { AccessToken, ...(CHANGES[name] ?? otherwise) }), expected, name);
    const harmless = HARMLESS[name];
    if (harmless !== undefined) assert.equal(await call(name, { AccessToken, ...harmless }), name, name);
  }
});

test('with a token of a recent login everything works, to the second', async () => {
  const { call } = guarded(START_MS + FRESH_SECONDS * 1000);
  for (const [name, input] of Object.entries(CHANGES) as [OperationName, object][]) {
    assert.equal(await call(name, { AccessToken: createAccessToken('ada'), ...input }), name, name);
  }
});

test('the provider refuses invalid tokens, and a token without a time is too old', async () => {
  const { call } = guarded(START_MS);
  for (const AccessToken of [undefined, '', 'x', 'a.b.c']) {
    assert.equal(await call('DeleteUser', { AccessToken }), 'DeleteUser', String(AccessToken));
  }
  const [header = '', , signature = ''] = createAccessToken('ada').split('.');
  const timeless = Buffer.from('{"sub":"ada","auth_time":"1769860800"}').toString('base64url');
  const AccessToken = `${header}.${timeless}.${signature}`;
  assert.equal(await call('DeleteUser', { AccessToken }), 'NotAuthorizedException');
});
