import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  assertionAnswer,
  registrationAnswer,
  toAssertionParts,
  toConveyedRegistrationParts,
  toRegistrationParts,
} from './answers.ts';
import { assertionMutations, registrationMutations } from './mutations.ts';
import { type CognitoApiAnswer, VectorPool } from './vector-pool.ts';
import { level3Vectors, type Vector } from './webauthn-level-3.ts';

/** The policy for a vector: registered as it is, registered without its attestation, or refused. */
const POLICY: Readonly<Record<string, 'good' | 'good without attestation' | 'refused'>> = {
  'none.ES256': 'good',
  'packed-self.ES256': 'good without attestation',
  'none.ES256.crossOrigin': 'refused',
  'none.ES256.topOrigin': 'refused',
  'none.ES256.long-credential-id': 'good',
  'packed.ES256': 'good without attestation',
  'packed.ES384': 'refused',
  'packed.ES512': 'refused',
  'packed.RS256': 'good without attestation',
  'packed.EdDSA': 'refused',
  'packed.Ed448': 'refused',
  'tpm.ES256': 'good without attestation',
  'android-key.ES256': 'good without attestation',
  'apple.ES256': 'good without attestation',
  'fido-u2f.ES256': 'good without attestation',
};

const vectors = level3Vectors();
const allowed = (vector: Vector): boolean => POLICY[vector.name] !== 'refused';

describe('the vectors of WebAuthn Level 3', () => {
  let pool: VectorPool;
  let token: string;
  before(async () => {
    pool = await VectorPool.open();
    token = await pool.accessToken();
  });
  after(() => pool.close());
  beforeEach(() => pool.forget(token));

  const register = (vector: Vector, credential: unknown): Promise<CognitoApiAnswer> =>
    pool.register(token, vector.registration.challenge, credential);
  const logIn = (vector: Vector, credential: unknown): Promise<CognitoApiAnswer> =>
    pool.logIn(vector.authentication.challenge, credential);

  const isRefused = ({ status, body }: CognitoApiAnswer): boolean =>
    status >= 400 && status < 500 && body.AuthenticationResult === undefined;

  it('are complete, each with its policy', () => {
    assert.deepEqual(
      vectors.map(({ name }) => name),
      Object.keys(POLICY),
    );
  });

  for (const vector of vectors) {
    it(`${vector.name}: the registration is ${POLICY[vector.name]}`, async () => {
      const asIs = await register(vector, registrationAnswer(toRegistrationParts(vector)));
      if (POLICY[vector.name] === 'good') {
        assert.deepEqual(asIs, { status: 200, body: {} });
      } else {
        assert.ok(isRefused(asIs), JSON.stringify(asIs));
        assert.deepEqual(await pool.passkeys(), []);
        const conveyed = await register(vector, registrationAnswer(toConveyedRegistrationParts(vector)));
        assert.equal(conveyed.status, allowed(vector) ? 200 : 400, JSON.stringify(conveyed.body));
      }
      const ids = (await pool.passkeys()).map(({ credentialId }) => credentialId);
      assert.deepEqual(ids, allowed(vector) ? [vector.credentialId.toString('base64url')] : []);
    });
  }

  for (const vector of vectors.filter(allowed)) {
    it(`${vector.name}: the authentication gives tokens, once`, async () => {
      await register(vector, registrationAnswer(toConveyedRegistrationParts(vector)));
      const credential = assertionAnswer(toAssertionParts(vector));
      const { status, body } = await logIn(vector, credential);
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok((body.AuthenticationResult as { readonly AccessToken?: string }).AccessToken);
      assert.ok(isRefused(await pool.logIn(Buffer.alloc(32, 1), credential)), 'with another challenge');
    });
  }

  it('six hundred registrations with one error get a 4xx, and none is stored', async () => {
    let tried = 0;
    const passed: string[] = [];
    for (const vector of vectors.filter((one) => allowed(one) && one.key.point !== undefined)) {
      const mutations = registrationMutations(
        toConveyedRegistrationParts(vector),
        vector.registration.authenticatorData,
      );
      for (const { name, credential } of mutations) {
        const answer = await register(vector, credential);
        if (!isRefused(answer)) passed.push(`${vector.name}: ${name}: ${answer.status}`);
        tried += 1;
      }
      assert.deepEqual(await pool.passkeys(), [], vector.name);
    }
    assert.deepEqual(passed, []);
    assert.ok(tried >= 600, `${tried} were tried`);
  });

  it('six hundred logins with one error get a 4xx, and none is recorded', async () => {
    let tried = 0;
    const passed: string[] = [];
    const used: unknown[] = [];
    for (const vector of vectors.filter(allowed)) {
      await register(vector, registrationAnswer(toConveyedRegistrationParts(vector)));
      for (const { name, credential } of assertionMutations(toAssertionParts(vector))) {
        const answer = await logIn(vector, credential);
        if (!isRefused(answer)) passed.push(`${vector.name}: ${name}: ${answer.status}`);
        tried += 1;
      }
      used.push(...(await pool.passkeys()).filter(({ lastUsedAtMs }) => lastUsedAtMs !== null));
      await pool.forget(token);
    }
    assert.deepEqual(passed, []);
    assert.deepEqual(used, []);
    assert.ok(tried >= 600, `${tried} were tried`);
  });
});
