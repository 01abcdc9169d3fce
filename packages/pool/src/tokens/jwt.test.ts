import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { encoded } from '../testing/tokens.ts';
import { createSigner, signTokensWith } from './jwt.ts';

test('tokens are signed together and given in their order, also by who takes time for it', async () => {
  const [one, other] = ['one', 'other'].map((kid) => createSigner(kid, createSecretKey(Buffer.from(kid))));
  assert.ok(one && other);
  const asked: (readonly string[])[] = [];
  const tokens = await signTokensWith(
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
    `${encoded({ kid: 'one', alg: 'RS256' })}.${encoded({ sub: 'ada' })}.signature-0`,
    `${encoded({ kid: 'other', alg: 'RS256' })}.${encoded({ sub: 'bob' })}.signature-1`,
  ]);
});
