import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { VerifiedTokens } from './verified-tokens.ts';

const verified = (name: string) => ({ kid: name, key: createSecretKey(Buffer.alloc(32)), claims: { sub: name } });

test('a verified token is recognized with and without its holder, and a newer result replaces the older one', () => {
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

test('the tokens of four thousand clients are cached, and those of a holder while it exists', () => {
  const tokens = new VerifiedTokens();
  const ada = verified('ada');
  const eve = verified('eve');
  const kept = { accessToken: 'kept' };
  const found = { accessToken: 'found' };
  tokens.put(kept, ada);
  tokens.put('found', eve);
  assert.equal(tokens.get(found), eve);
  const others = (from: number, to: number) => {
    for (let number = from; number < to; number += 1) tokens.put(`${number}`, ada);
  };
  others(0, 4094);
  assert.equal(tokens.get('kept'), ada);
  assert.equal(tokens.get('found'), eve);
  tokens.put('one more', ada);
  assert.deepEqual([tokens.get('0'), tokens.get('1')], [undefined, ada]);
  others(0, 4096);
  assert.deepEqual([tokens.get('kept'), tokens.get('found')], [undefined, undefined]);
  assert.deepEqual([tokens.get(kept), tokens.get(found)], [ada, eve]);
});

test('a token is recognized only by all of its text', () => {
  const tokens = new VerifiedTokens();
  const ada = verified('ada');
  tokens.put('header.claims.signature', ada);
  assert.equal(tokens.get('header.claims.signature'), ada);
  for (const other of ['header.claims.signaturf', 'header.claims.', 'header.claims', '']) {
    assert.equal(tokens.get(other), undefined);
  }
});
