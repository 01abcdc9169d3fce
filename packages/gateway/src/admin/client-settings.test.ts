import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createClientInput,
  createClientUpdate,
  findRangeErrors,
  listClientErrors,
  readClientLifetimes,
} from './client-settings.ts';

const CALLBACKS = ['https://app.example/callback'];

test("lifetimes and the grace period of a rotation are within Cognito's bounds", () => {
  const rows = [
    ['access_token_seconds', 300, 86_400],
    ['id_token_seconds', 300, 86_400],
    ['refresh_token_seconds', 3_600, 315_360_000],
  ] as const;
  for (const [field, least, most] of rows) {
    for (const value of [least, most]) assert.deepEqual(findRangeErrors({ [field]: value }), [], field);
    for (const value of [least - 1, most + 1]) {
      const error = { field, code: 'out_of_range', message: `must be from ${least} to ${most}` };
      assert.deepEqual(findRangeErrors({ [field]: value }), [error]);
    }
  }
  const rotating = (grace_seconds: number) =>
    findRangeErrors({ refresh_token_rotation: { enabled: true, grace_seconds } }).map(({ field }) => field);
  assert.deepEqual([0, 60].map(rotating), [[], []]);
  assert.deepEqual([-1, 61].map(rotating), Array(2).fill(['refresh_token_rotation.grace_seconds']));
});

test('settings from other sources are checked like those of a request, and a name only where required', () => {
  assert.deepEqual(listClientErrors('changed', {}), []);
  assert.deepEqual(
    listClientErrors('new', {}).map(({ field }) => field),
    ['client_name'],
  );
  assert.deepEqual(
    listClientErrors('changed', { access_token_seconds: 1 }).map(({ code }) => code),
    ['out_of_range'],
  );
});

test('a public client of the code grant rotates its refresh tokens, and one with a secret does not', () => {
  const named = { client_name: 'App', callback_urls: CALLBACKS };
  const created = createClientInput('pool', named);
  assert.deepEqual(created, {
    UserPoolId: 'pool',
    ClientName: 'App',
    CallbackURLs: CALLBACKS,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthScopes: ['openid', 'email', 'profile'],
    ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'ALLOW_USER_AUTH'],
    SupportedIdentityProviders: ['COGNITO'],
    PreventUserExistenceErrors: 'ENABLED',
    RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 10 },
  });
  const secret = createClientInput('pool', { ...named, generate_secret: true });
  assert.equal(secret.GenerateSecret, true);
  assert.deepEqual(secret.RefreshTokenRotation, { Feature: 'DISABLED' });
  assert.deepEqual(secret.ExplicitAuthFlows, ['ALLOW_USER_SRP_AUTH', 'ALLOW_USER_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH']);
});

test('a machine has a secret and no user flows, and a client without an address has no grant', () => {
  const machine = createClientInput('pool', { client_name: 'Job', oauth_flows: ['client_credentials'] });
  assert.equal(machine.GenerateSecret, true);
  assert.deepEqual(machine.ExplicitAuthFlows, ['ALLOW_CLIENT_TOKEN_AUTH']);
  assert.equal(machine.AllowedOAuthScopes, undefined);
  const plain = createClientInput('pool', { client_name: 'Plain' });
  assert.deepEqual([plain.AllowedOAuthFlows, plain.AllowedOAuthFlowsUserPoolClient], [[], false]);
  assert.equal(plain.GenerateSecret, undefined);
  const own = createClientInput('pool', {
    client_name: 'Own',
    prevent_user_existence_errors: false,
    refresh_token_rotation: { enabled: true, grace_seconds: 0 },
  });
  assert.equal(own.PreventUserExistenceErrors, 'LEGACY');
  assert.deepEqual(own.RefreshTokenRotation, { Feature: 'ENABLED', RetryGracePeriodSeconds: 0 });
});

test('an update sends all settings again except those that are not settings, and removes the default address with null', () => {
  const described = {
    UserPoolId: 'pool',
    ClientId: 'client',
    ClientName: 'App',
    ClientSecret: 'planted',
    CreationDate: 1,
    LastModifiedDate: 2,
    CallbackURLs: CALLBACKS,
    DefaultRedirectURI: 'https://app.example/callback',
    IdTokenValidity: 2,
    TokenValidityUnits: { IdToken: 'hours' as const },
  };
  const { ClientSecret: _secret, CreationDate: _made, LastModifiedDate: _changed, ...kept } = described;
  assert.deepEqual(createClientUpdate(described, {}), kept);
  const { DefaultRedirectURI: _uri, ...without } = kept;
  assert.deepEqual(createClientUpdate(described, { default_redirect_uri: null }), without);
  const changed = createClientUpdate(described, {
    client_name: 'Other',
    logout_urls: [],
    scopes: ['openid'],
    access_token_seconds: 600,
    default_redirect_uri: 'https://app.example/other',
  });
  assert.deepEqual(changed, {
    ...kept,
    ClientName: 'Other',
    LogoutURLs: [],
    AllowedOAuthScopes: ['openid'],
    AccessTokenValidity: 600,
    TokenValidityUnits: { IdToken: 'hours', AccessToken: 'seconds' },
    DefaultRedirectURI: 'https://app.example/other',
  });
});

test('lifetimes are returned in seconds, whatever their unit, with Cognito’s defaults', () => {
  const usual = { access_token_seconds: 3_600, id_token_seconds: 3_600, refresh_token_seconds: 2_592_000 };
  assert.deepEqual(readClientLifetimes({}), usual);
  assert.deepEqual(readClientLifetimes({ AccessTokenValidity: 0, IdTokenValidity: 0, RefreshTokenValidity: 0 }), usual);
  assert.deepEqual(readClientLifetimes({ AccessTokenValidity: 2, IdTokenValidity: 3, RefreshTokenValidity: 1 }), {
    access_token_seconds: 7_200,
    id_token_seconds: 10_800,
    refresh_token_seconds: 86_400,
  });
  const TokenValidityUnits = { AccessToken: 'minutes', IdToken: 'seconds', RefreshToken: 'hours' } as const;
  const members = { AccessTokenValidity: 5, IdTokenValidity: 301, RefreshTokenValidity: 2, TokenValidityUnits };
  assert.deepEqual(readClientLifetimes(members), {
    access_token_seconds: 300,
    id_token_seconds: 301,
    refresh_token_seconds: 7_200,
  });
});
