import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { VerifiedTokens } from './verified-tokens.ts';

const verified = (name: string) => ({ kid: name, key: createSecretKey(Buffer.alloc(32)), claims: { sub: name } });

test('a token that was verified is known again with and without its holder, and a newer judgement replaces the older', () => {
  const tokens = new VerifiedTokens();
  const held = { accessToken: 'header.claims.signature' };
  const ada = verified('ada');
  tokens.put(held, ada);
  for (const token of [held, { ...held }, held.accessToken]) assert.equal(tokens.get(token), ada);
  assert.equal(tokens.get({ accessToken: 'header.claims.' }), undefined);
  const again = verified('ada');
  tokens.put(held, again);
  for (const token of [held, { ...held }, held.accessToken]) assert.equal(tokens.get(token), again);
});

test('a token is known again by all of it', () => {
  const tokens = new VerifiedTokens();
  const ada = verified('ada');
  tokens.put('header.claims.signature', ada);
  assert.equal(tokens.get('header.claims.signature'), ada);
  for (const other of ['header.claims.signaturf', 'header.claims.', 'header.claims', '']) {
    assert.equal(tokens.get(other), undefined);
  }
});
