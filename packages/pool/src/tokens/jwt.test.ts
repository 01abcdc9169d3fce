import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { encodeTokenPart } from '../testing/test-tokens.ts';
import { createJwtSigner, signJwts } from './jwt.ts';

test('tokens are signed together and returned in order, also by a slow signer', async () => {
  const [one, other] = ['one', 'other'].map((kid) => createJwtSigner(kid, createSecretKey(Buffer.from(kid))));
  assert.ok(one && other);
  const asked: (readonly string[])[] = [];
  const tokens = await signJwts(
    async (texts) => {
      asked.push(texts.map(({ key }) => key.export().toString()));
      return texts.map((_, index) => `signature-${index}`);
    },
    [
      { signer: one, claims: { sub: 'ada' } },
      { signer: other, claims: { sub: 'bob' } },
    ],
  );
  assert.deepEqual(asked, [['one', 'other']]);
  assert.deepEqual(tokens, [
    `${encodeTokenPart({ kid: 'one', alg: 'RS256' })}.${encodeTokenPart({ sub: 'ada' })}.signature-0`,
    `${encodeTokenPart({ kid: 'other', alg: 'RS256' })}.${encodeTokenPart({ sub: 'bob' })}.signature-1`,
  ]);
});
