import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import type { PoolRecord } from '../store/records.ts';
import { type ClientSettingsInput, parseClientSettings } from './client-settings.ts';
import { createDefaultPoolSettings, formatAwsIssuer } from './default-settings.ts';

const id = 'us-east-1_Clients01';
const pool: PoolRecord = {
  id,
  name: 'p',
  region: 'us-east-1',
  settings: {
    ...createDefaultPoolSettings(formatAwsIssuer('us-east-1', id), 'OFF'),
    customAttributes: { 'custom:team': { type: 'String', mutable: true, required: false } },
  },
  secretEncrypted: '',
  createdAtMs: 0,
  modifiedAtMs: 0,
};

const from = (members: ClientSettingsInput) => parseClientSettings(pool, members);

function findRefusal(members: ClientSettingsInput): string {
  try {
    from(members);
  } catch (error) {
    assert.ok(error instanceof ProviderError);
    assert.match(error.code, /^Invalid(Parameter|OAuthFlow)Exception$/);
    return error.message;
  }
  return assert.fail('must be refused');
}

test('a client without settings has the defaults of the API', () => {
  const settings = from({});
  assert.deepEqual(settings, {
    accessTokenSeconds: 3_600,
    idTokenSeconds: 3_600,
    refreshTokenSeconds: 30 * 86_400,
    allowedFlows: ['REFRESH_TOKEN_AUTH', 'USER_SRP_AUTH', 'CUSTOM_AUTH'],
    preventUserExistenceErrors: false,
    authSessionSeconds: 180,
    tokenRevocation: true,
    refreshRotation: null,
    readAttributes: null,
    writeAttributes: null,
    kept: { RefreshTokenValidity: 30 },
  });
});

test('a scope without a resource server is refused by name', () => {
  const AllowedOAuthScopes = ['openid', 'aws.cognito.signin.user.admin'];
  assert.deepEqual(from({ AllowedOAuthScopes }).kept?.AllowedOAuthScopes, AllowedOAuthScopes);
  assert.throws(() => from({ AllowedOAuthScopes: [...AllowedOAuthScopes, 'orders/read'] }), {
    code: 'ScopeDoesNotExistException',
    message: 'Invalid scope requested: orders/read',
  });
});

test("token lifetimes have the given or the default unit, within Cognito's bounds", () => {
  assert.equal(from({ AccessTokenValidity: 2 }).accessTokenSeconds, 7_200);
  assert.equal(from({ RefreshTokenValidity: 1 }).refreshTokenSeconds, 86_400);
  assert.equal(from({ RefreshTokenValidity: 0 }).refreshTokenSeconds, 30 * 86_400);
  assert.equal(from({ IdTokenValidity: 300, TokenValidityUnits: { IdToken: 'seconds' } }).idTokenSeconds, 300);
  const out: readonly ClientSettingsInput[] = [
    { AccessTokenValidity: 299, TokenValidityUnits: { AccessToken: 'seconds' } },
    { AccessTokenValidity: 25 },
    { IdTokenValidity: 2, TokenValidityUnits: { IdToken: 'days' } },
    { RefreshTokenValidity: 59, TokenValidityUnits: { RefreshToken: 'minutes' } },
    { RefreshTokenValidity: 3_651 },
    { RefreshTokenValidity: 2, AccessTokenValidity: 3, TokenValidityUnits: { RefreshToken: 'hours' } },
  ];
  for (const members of out) assert.match(findRefusal(members), /Invalid range for token validity/);
});

test('flows in both spellings are read, but not mixed', () => {
  assert.deepEqual(from({ ExplicitAuthFlows: ['ALLOW_USER_AUTH'] }).allowedFlows, ['USER_AUTH']);
  assert.deepEqual(from({ ExplicitAuthFlows: ['ADMIN_NO_SRP_AUTH', 'USER_PASSWORD_AUTH'] }).allowedFlows, [
    'ADMIN_USER_PASSWORD_AUTH',
    'USER_SRP_AUTH',
    'REFRESH_TOKEN_AUTH',
    'USER_PASSWORD_AUTH',
  ]);
  assert.match(findRefusal({ ExplicitAuthFlows: ['ADMIN_NO_SRP_AUTH', 'ALLOW_USER_AUTH'] }), /Cannot mix/);
});

test('unknown attributes, providers and addresses are refused', () => {
  assert.deepEqual(from({ ReadAttributes: ['email', 'custom:team'] }).readAttributes, ['email', 'custom:team']);
  assert.match(findRefusal({ ReadAttributes: ['custom:none'] }), /Invalid read attributes/);
  assert.match(findRefusal({ WriteAttributes: ['email', 'nonsense'] }), /Invalid write attributes/);
  assert.match(findRefusal({ WriteAttributes: ['name'] }), /Invalid write attributes/, 'email is required');
  assert.equal(
    findRefusal({ SupportedIdentityProviders: ['COGNITO', 'Google'] }),
    `The provider Google does not exist for User Pool ${id}.`,
  );
  assert.match(findRefusal({ DefaultRedirectURI: 'https://a.test' }), /DefaultRedirectURI/);
  assert.match(findRefusal({ AllowedOAuthFlows: ['code', 'client_credentials'] }), /client_credentials/);
});

test('rotation has the given grace period, or none, and can be off', () => {
  const rotation = (RefreshTokenRotation: ClientSettingsInput['RefreshTokenRotation'] & object) =>
    from({ RefreshTokenRotation }).refreshRotation;
  assert.deepEqual(rotation({ Feature: 'ENABLED', RetryGracePeriodSeconds: 60 }), { graceSeconds: 60 });
  assert.deepEqual(rotation({ Feature: 'ENABLED' }), { graceSeconds: 0 });
  assert.equal(rotation({ Feature: 'DISABLED' }), null);
});
