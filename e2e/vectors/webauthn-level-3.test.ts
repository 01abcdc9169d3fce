import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { level3Vectors } from './webauthn-level-3.ts';

/** Of each vector as printed in the specification: SHA-256 over everything that the relying party sees, cut to eight bytes. */
const DIGESTS: Readonly<Record<string, string>> = {
  'none.ES256': 'd6ce121cff3ce63e',
  'packed-self.ES256': '727a97f1725b90b8',
  'none.ES256.crossOrigin': '70b020e99f44470b',
  'none.ES256.topOrigin': '4c4401e0827077f3',
  'none.ES256.long-credential-id': '6d93c757a1643b23',
  'packed.ES256': 'd78cc423f0c6ba61',
  'packed.ES384': 'a903b88e8fe77d8e',
  'packed.ES512': '8766203c7a68a5cc',
  'packed.RS256': 'e7cf9d5adebdff93',
  'packed.EdDSA': 'e2668f99183ef1fe',
  'packed.Ed448': '8c64518dd65ee5f6',
  'tpm.ES256': 'ea1977d6108fa7fb',
  'android-key.ES256': '153322a070be5b65',
  'apple.ES256': '5b9453b1876e6a9f',
  'fido-u2f.ES256': 'd6abd4e1c2ad02cb',
};

function digestOf({ credentialId, registration, authentication }: ReturnType<typeof level3Vectors>[number]): string {
  const { challenge, clientDataJSON, attestationObject } = registration;
  const parts = [credentialId, challenge, clientDataJSON, attestationObject, ...Object.values(authentication)];
  return createHash('sha256').update(Buffer.concat(parts)).digest('hex').slice(0, 16);
}

test('the derived vectors match those in the specification bit by bit', () => {
  assert.deepEqual(Object.fromEntries(level3Vectors().map((vector) => [vector.name, digestOf(vector)])), DIGESTS);
});
