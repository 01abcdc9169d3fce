import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateClientId, generatePoolId, generateRandomText, generateUuid } from './identifiers.ts';

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

test("identifiers have Cognito's form", () => {
  assert.match(generateUuid(random), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.match(generatePoolId(random, 'eu-west-3'), /^eu-west-3_[A-Za-z0-9]{9}$/);
  assert.match(generateClientId(random), /^[a-z0-9]{26}$/);
});

test('bytes that would favor some characters are drawn again', () => {
  const drawn = [
    [255, 254, 3],
    [250, 249, 8],
    [7, 1, 1],
  ];
  const text = generateRandomText(() => new Uint8Array(drawn.shift() ?? [0, 0, 0]), '0123456789', 3);
  assert.equal(text, '398');
});
