import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClockPort, createTestClientRecord, createTestPoolRecord } from '../testing/test-ports.ts';
import { createUserRecord } from '../users/create-user-record.ts';
import { requestAddedClaims } from './added-claims.ts';
import { overrideClaims } from './override-claims.ts';
import { isProtectedClaim } from './protected-claims.ts';

/**
 * The claims on which resource servers and client libraries rely, from the documents that define them and not from the pool's own list.
 * @see https://www.rfc-editor.org/rfc/rfc7519#section-4.1
 * @see https://openid.net/specs/openid-connect-core-1_0.html#IDToken
 * @see https://www.rfc-editor.org/rfc/rfc9068#section-2.2
 * @see https://www.rfc-editor.org/rfc/rfc7800#section-3.1
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'RFC 7519': ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  'OpenID Connect Core': ['auth_time', 'nonce', 'acr', 'amr', 'azp', 'at_hash', 'c_hash'],
  'RFC 9068': ['client_id', 'scope'],
  'RFC 7800': ['cnf'],
  Cognito: ['token_use', 'event_id', 'origin_jti', 'device_key', 'username', 'version', 'identities'],
  'prefixes of Cognito': [
    'cognito:',
    'cognito:groups',
    'cognito:roles',
    'cognito:preferred_role',
    'cognito:username',
    'cognito:anything_later',
    'dev:',
    'dev:custom:x',
  ],
};

/** Names that look protected, but that a trigger may use. */
const FREE = [
  'email',
  'name',
  'custom:role',
  'Sub',
  'sub2',
  'subject',
  'scopes',
  'cognito',
  'dev',
  'xcognito:groups',
  '',
];

const pool = createTestPoolRecord();
const client = createTestClientRecord(pool);
const named = { username: 'ada', sub: '7', attributes: {} };
const user = createUserRecord(createClockPort(), pool, named, 'CONFIRMED');

const addedBy = (claims: Readonly<Record<string, unknown>>) =>
  requestAddedClaims({ addClaims: () => ({ access: claims, id: claims }) }, { pool, client, user });

describe('a claim that programs rely on', () => {
  for (const [source, names] of Object.entries(NAMES)) {
    for (const name of names) {
      it(`is written only by the pool: ${name} (${source})`, async () => {
        assert.equal(isProtectedClaim(name), true);
        const forged = { [name]: 'forged' };
        assert.deepEqual(overrideClaims({ [name]: 'own' }, { set: forged, suppress: [name] }), { [name]: 'own' });
        assert.deepEqual(overrideClaims({}, { set: forged, suppress: [] }), {}, 'not even where the pool wrote none');
        assert.deepEqual(await addedBy(forged), { access: {}, id: {} });
      });
    }
  }
});

describe('any other claim', () => {
  for (const name of FREE) {
    it(`is what the trigger or the hook sets: ${JSON.stringify(name)}`, async () => {
      assert.equal(isProtectedClaim(name), false);
      const given = { [name]: 'given' };
      assert.deepEqual(overrideClaims({ [name]: 'own' }, { set: given, suppress: [] }), given);
      assert.deepEqual(overrideClaims({ [name]: 'own' }, { set: {}, suppress: [name] }), {});
      assert.deepEqual(overrideClaims({ [name]: 'own' }, { set: { [name]: null }, suppress: [] }), { [name]: 'own' });
      assert.deepEqual(await addedBy(given), { access: given, id: given });
    });
  }
});
