import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema } from './check-schema.ts';
import { assertedCredential, createdCredential } from './credential-schemas.ts';
import { ROUTES } from './route-table.ts';
import type { Schema } from './schema.ts';

const SHARED = { id: 'AQID', rawId: 'AQID', type: 'public-key', clientExtensionResults: { credProps: { rk: true } } };
const CREATED = { ...SHARED, response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] } };
const ASSERTED = {
  ...SHARED,
  authenticatorAttachment: 'platform',
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'MEQ', userHandle: 'dQ' },
};

const faults = (schema: Schema, value: unknown): readonly string[] =>
  checkSchema(schema, value).map(({ field, code }) => `${field} ${code}`);

test('accepts what a browser sends, including unknown members', () => {
  assert.deepEqual(faults(createdCredential, CREATED), []);
  assert.deepEqual(faults(createdCredential, { ...CREATED, authenticatorAttachment: null, hints: [] }), []);
  assert.deepEqual(faults(createdCredential, { ...CREATED, response: { ...CREATED.response, publicKey: 'AA' } }), []);
  assert.deepEqual(faults(assertedCredential, ASSERTED), []);
  assert.deepEqual(
    faults(assertedCredential, { ...ASSERTED, response: { ...ASSERTED.response, userHandle: null } }),
    [],
  );
});

test('names the path of a member that is missing, padded, empty, too long or of the wrong type', () => {
  const { response, ...rest } = ASSERTED;
  assert.deepEqual(faults(assertedCredential, rest), ['response required']);
  assert.deepEqual(faults(assertedCredential, { ...ASSERTED, type: 'password' }), ['type not_allowed']);
  for (const [id, code] of [
    ['', 'too_short'],
    ['AQI=', 'format'],
    ['A+/B', 'format'],
    ['A'.repeat(1365), 'too_long'],
    [7, 'type'],
  ] as const) {
    assert.deepEqual(faults(assertedCredential, { ...ASSERTED, id }), [`id ${code}`]);
  }
  assert.deepEqual(faults(assertedCredential, { ...ASSERTED, response: { ...response, signature: '*' } }), [
    'response.signature format',
  ]);
  assert.deepEqual(faults(createdCredential, { ...CREATED, response: { clientDataJSON: 'e30' } }), [
    'response.attestationObject required',
  ]);
});

test('accepts a registered credential as an object or as text, and names a missing member', () => {
  const { body } = ROUTES.passkeyComplete;
  assert.deepEqual(faults(body, { credential: CREATED }), []);
  assert.deepEqual(faults(body, { credential: JSON.stringify(CREATED) }), []);
  assert.deepEqual(faults(body, { credential: { ...CREATED, id: '' } }), ['credential.id too_short']);
  for (const credential of [undefined, null, 5, true, []]) {
    assert.deepEqual(faults(body, { credential }), ['credential type']);
  }
  assert.deepEqual(faults(body, {}), ['credential required']);
});

test('accepts text members and passkey objects in a challenge response', () => {
  const { body } = ROUTES.loginAnswer;
  const answer = { challenge_name: 'WEB_AUTHN', session: 's' };
  assert.deepEqual(faults(body, { ...answer, challenge_value: ASSERTED }), []);
  assert.deepEqual(faults(body, { ...answer, challenge_value: { ...ASSERTED, authenticatorAttachment: null } }), []);
  for (const member of [5, true, []]) {
    assert.deepEqual(faults(body, { ...answer, challenge_value: { A: member } }), ['challenge_value.A type']);
  }
});
