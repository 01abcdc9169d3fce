import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { createDefaultPoolSettings, DEFAULT_CLIENT_SETTINGS } from '../settings/default-settings.ts';
import type { ClientRecord, PoolRecord, UserRecord } from '../store/records.ts';
import {
  checkAttributes,
  checkRequiredAttributes,
  filterReadableAttributes,
  listMissingAttributes,
  parseAttributes,
  removeEmptyAttributes,
  toAttributeList,
} from './attributes.ts';

const times = { createdAtMs: 0, modifiedAtMs: 0 };
const pool: PoolRecord = {
  id: 'us-east-1_Test00001',
  name: 'test',
  region: 'us-east-1',
  settings: {
    ...createDefaultPoolSettings('https://issuer.example', 'OFF'),
    requiredAttributes: ['email', 'name'],
    customAttributes: {
      'custom:team': { type: 'String', mutable: false, required: false, maxLength: 3 },
      'custom:level': { type: 'Number', mutable: true, required: false, minValue: 1, maxValue: 9 },
    },
  },
  secretEncrypted: '',
  ...times,
};
const client: ClientRecord = {
  poolId: pool.id,
  id: 'client',
  name: 'test',
  settings: DEFAULT_CLIENT_SETTINGS,
  secretsEncrypted: [],
  ...times,
};
const narrow: ClientRecord = {
  ...client,
  settings: { ...client.settings, readAttributes: ['email'], writeAttributes: ['email'] },
};

function refusal(code: string, message?: string) {
  return (error: unknown) =>
    error instanceof ProviderError && error.code === code && (message === undefined || error.message === message);
}

test('attributes that the schema allows are accepted', () => {
  const good = {
    email: 'a@b.cd',
    phone_number: '+15551234567',
    birthdate: '1815-12-10',
    'custom:level': '9',
    name: '',
  };
  checkAttributes(pool, client, good);
});

test("an attribute that is not in the schema is refused in Cognito's words", () => {
  assert.throws(
    () => checkAttributes(pool, 'admin', { 'custom:foo': 'x' }, {}),
    refusal(
      'InvalidParameterException',
      'Invalid user attributes: user.custom:foo: Attribute does not exist in the schema.\n',
    ),
  );
  assert.throws(
    () => checkAttributes(pool, client, { 'custom:foo': 'x', name: 'Ada', first: 'y' }),
    refusal(
      'InvalidParameterException',
      'Attributes did not conform to the schema: custom:foo: Attribute does not exist in the schema.\nfirst: Attribute does not exist in the schema.\n',
    ),
  );
  assert.throws(
    () => checkAttributes(pool, 'admin', parseAttributes(pool, [{ Name: '__proto__', Value: 'x' }])),
    ProviderError,
  );
  assert.equal(({} as { readonly polluted?: unknown }).polluted, undefined);
});

test('bad addresses, numbers and dates are refused', () => {
  const refused = refusal('InvalidParameterException');
  assert.throws(
    () => checkAttributes(pool, client, { email: 'a@evil x' }),
    refusal('InvalidParameterException', 'Invalid email address format.'),
  );
  assert.throws(
    () => checkAttributes(pool, 'admin', { phone_number: '555' }),
    refusal('InvalidParameterException', 'Invalid phone number format.'),
  );
  for (const attributes of [
    { birthdate: '1815-12-32' },
    { 'custom:level': '10' },
    { 'custom:level': '1e1' },
    { 'custom:team': 'four' },
    { name: 'a\u0000' },
    { name: 'a\u001b[31m' },
    { name: '\ud800' },
    { name: 'x'.repeat(2049) },
    { updated_at: '-1' },
    { updated_at: 'NaN' },
  ]) {
    assert.throws(() => checkAttributes(pool, 'admin', attributes), refused, JSON.stringify(attributes));
  }
});

test('users cannot mark a contact as verified or choose their sub', () => {
  for (const name of ['email_verified', 'phone_number_verified', 'sub']) {
    assert.throws(() => checkAttributes(pool, client, { [name]: 'true' }), refusal('NotAuthorizedException'), name);
  }
  checkAttributes(pool, 'admin', { email_verified: 'true' });
  assert.throws(() => checkAttributes(pool, 'admin', { email_verified: 'yes' }), refusal('InvalidParameterException'));
  assert.throws(() => checkAttributes(pool, 'admin', { sub: 'x' }), refusal('InvalidParameterException'));
});

test("a preferred username for signing in can be typed, and is not another user's address or number", () => {
  const naming: PoolRecord = {
    ...pool,
    settings: { ...pool.settings, usernameAttributes: [], aliasAttributes: ['email', 'preferred_username'] },
  };
  const write = (preferred_username: string, owner = naming) => checkAttributes(owner, client, { preferred_username });
  for (const name of ['Countess', '', 'ada@home', '+15551234567']) write(name);
  const wrong = ['eve@example.com', 'Eve@Example.com', 'eve\uff20example.com', 'two words', 'x'.repeat(129)];
  for (const name of wrong) {
    assert.throws(() => write(name), refusal('InvalidParameterException'), name);
    write(name, pool);
  }
});

test('a client writes only the attributes in its list', () => {
  checkAttributes(pool, narrow, { email: 'a@b.cd' });
  assert.throws(
    () => checkAttributes(pool, narrow, { name: 'Ada' }),
    refusal('NotAuthorizedException', 'A client attempted to write unauthorized attribute'),
  );
});

test('an attribute that cannot be changed can be set once', () => {
  checkAttributes(pool, client, { 'custom:team': 'one' }, {});
  assert.throws(
    () => checkAttributes(pool, client, { 'custom:team': 'two' }, { 'custom:team': 'one' }),
    refusal('InvalidParameterException'),
  );
});

test('required attributes that are absent or empty are named', () => {
  assert.deepEqual(listMissingAttributes(pool, { email: '' }), ['email', 'name']);
  assert.throws(
    () => checkRequiredAttributes(pool, { name: 'Ada' }),
    refusal(
      'InvalidParameterException',
      'Attributes did not conform to the schema: email: The attribute is required\n',
    ),
  );
  checkRequiredAttributes(pool, { name: 'Ada', email: 'a@b.cd' });
});

test('a duplicate name is refused', () => {
  const twice = [
    { Name: 'email', Value: 'a@b.cd' },
    { Name: 'email', Value: 'e@f.gh' },
  ];
  assert.throws(() => parseAttributes(pool, twice), refusal('InvalidParameterException'));
});

test('empty attributes are not stored', () => {
  assert.deepEqual(
    removeEmptyAttributes(parseAttributes(pool, [{ Name: 'name' }, { Name: 'email', Value: 'a@b.cd' }])),
    {
      email: 'a@b.cd',
    },
  );
});

test('a client reads only the attributes in its list, and the sub comes first', () => {
  const attributes = { email: 'a@b.cd', name: 'Ada' };
  const user: UserRecord = {
    poolId: pool.id,
    username: 'u',
    sub: 's',
    status: 'CONFIRMED',
    enabled: true,
    attributes,
    mfaMethods: [],
    preferredMfa: null,
    groups: [],
    deletionAtMs: null,
    ...times,
  };
  assert.deepEqual(filterReadableAttributes(client, user), attributes);
  assert.deepEqual(filterReadableAttributes(narrow, user), { email: 'a@b.cd' });
  assert.deepEqual(toAttributeList(user)[0], { Name: 'sub', Value: 's' });
});
