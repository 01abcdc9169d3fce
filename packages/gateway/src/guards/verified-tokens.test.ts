import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { VerifiedTokens } from './verified-tokens.ts';

const verified = (name: string) => ({ kid: name, key: createSecretKey(Buffer.alloc(32)), claims: { sub: name } });

test('a token is known again by all of it', () => {
  const tokens = new VerifiedTokens();
  const ada = verified('ada');
  tokens.put('header.claims.signature', ada);
  assert.equal(tokens.get('header.claims.signature'), ada);
  for (const other of ['header.claims.signaturf', 'header.claims.', 'header.claims', '']) {
    assert.equal(tokens.get(other), undefined);
  }
});

test('of too many the one is forgotten that was not asked for longest', () => {
  const tokens = new VerifiedTokens(2);
  for (const name of ['a', 'b']) tokens.put(name, verified(name));
  tokens.get('a');
  tokens.put('c', verified('c'));
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => tokens.get(name)?.kid),
    ['a', undefined, 'c'],
  );
  tokens.put('c', verified('again'));
  assert.deepEqual(
    ['a', 'c'].map((name) => tokens.get(name)?.kid),
    ['a', 'again'],
  );
});
