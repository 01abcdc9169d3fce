import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientSettings } from '../store/pool-and-client-settings.ts';
import type { ClientRecord } from '../store/records.ts';
import { DEFAULT_CLIENT_SETTINGS } from './default-settings.ts';
import { createPagePolicy } from './page-policy.ts';

const CODE: ClientSettings['kept'] = {
  AllowedOAuthFlowsUserPoolClient: true,
  AllowedOAuthFlows: ['code'],
  SupportedIdentityProviders: ['COGNITO'],
};

const createClient = (settings: Partial<ClientSettings>): ClientRecord => ({
  id: 'app',
  poolId: 'us-east-1_Pages',
  name: 'app',
  settings: { ...DEFAULT_CLIENT_SETTINGS, ...settings },
  secretsEncrypted: [],
  createdAtMs: 0,
  modifiedAtMs: 0,
});

const show = (...clients: readonly Partial<ClientSettings>[]) => {
  const { hasPages, admitsLocalUsers } = createPagePolicy(clients.map(createClient));
  return [hasPages, admitsLocalUsers];
};

test('the pages allow what the app clients allow', () => {
  const machine: ClientSettings['kept'] = { ...CODE, AllowedOAuthFlows: ['client_credentials'] };
  assert.deepEqual(show(), [false, false]);
  assert.deepEqual(show({}, { kept: machine }), [false, false]);
  assert.deepEqual(show({ kept: { ...CODE, AllowedOAuthFlowsUserPoolClient: false } }), [false, false]);
  assert.deepEqual(show({ kept: { ...CODE, SupportedIdentityProviders: [] } }), [false, false]);
  assert.deepEqual(show({ kept: { ...CODE, SupportedIdentityProviders: ['Corp'] } }), [true, false]);
  assert.deepEqual(show({ kept: machine }, { kept: CODE }), [true, true]);
  assert.deepEqual(show({ kept: { ...CODE, AllowedOAuthFlows: ['implicit'] } }), [true, true]);
  const device = { extensions: { deviceGrant: true } };
  assert.deepEqual(show({ ...device, kept: { SupportedIdentityProviders: ['COGNITO'] } }), [true, true]);
  assert.deepEqual(show({ ...device, kept: { SupportedIdentityProviders: ['Corp'] } }), [false, false]);
});

test('the pages read and write only what every such client may', () => {
  const lists = (...clients: readonly Partial<ClientSettings>[]) => {
    const { readAttributes, writeAttributes } = createPagePolicy(clients.map(createClient));
    return [readAttributes, writeAttributes];
  };
  assert.deepEqual(lists({ readAttributes: ['email'], writeAttributes: ['email'] }), [[], []]);
  assert.deepEqual(lists({ kept: CODE }, { readAttributes: ['email'] }), [null, null]);
  const some = { kept: CODE, readAttributes: ['email', 'name'], writeAttributes: ['name', 'email'] };
  assert.deepEqual(lists({ kept: CODE }, some), [
    ['email', 'name'],
    ['name', 'email'],
  ]);
  assert.deepEqual(lists(some, { ...some, writeAttributes: ['email', 'custom:role'] }), [['email', 'name'], ['email']]);
});
