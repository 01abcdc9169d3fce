import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { DEFAULT_CLIENT_SETTINGS } from '../settings/default-settings.ts';
import { createMacPorts, createTestPoolRecord } from '../testing/test-ports.ts';
import { createRefreshToken, hasRefreshTokenFormat, verifyRefreshToken } from './refresh-token.ts';
import { classifyRefreshToken } from './token-refresh.ts';

const ports = createMacPorts();
const pool = createTestPoolRecord();
const loginId = '11111111-2222-4333-8444-555555555555';
const token = createRefreshToken(ports, pool, loginId, 7);

test('a refresh token is always the same text, in characters that Cognito allows', () => {
  assert.equal(createRefreshToken(ports, pool, loginId, 7), token);
  assert.match(token, /^[A-Za-z0-9\-_=.]+$/);
  assert.deepEqual(verifyRefreshToken(ports, pool, token), { loginId, generation: 7 });
});

test('a refresh token is a login, its generation, and a MAC of both with a dedicated key of the pool', () => {
  const secret = Buffer.alloc(32, 7);
  const secretEncrypted = ports.keyRing.encrypt('pool-secret', secret, pool.id);
  const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const content = `${loginId}.7`;
  const expected = `${content}.${mac(mac(secret, 'refresh-token'), content).toString('base64url')}`;
  assert.equal(createRefreshToken(ports, { ...pool, secretEncrypted }, loginId, 7), expected);
});

test('no change of a single character gives another valid token', () => {
  for (let index = 0; index < token.length; index++) {
    for (let code = 32; code < 127; code++) {
      const character = String.fromCharCode(code);
      if (character === token[index]) continue;
      const edited = token.slice(0, index) + character + token.slice(index + 1);
      assert.equal(verifyRefreshToken(ports, pool, edited), undefined, edited);
    }
  }
});

test('truncated, extended and rearranged tokens are invalid', () => {
  const [id, generation, mac] = token.split('.');
  for (const forged of [
    '',
    token.slice(0, -1),
    `${token}=`,
    `${token} `,
    `${token}\n`,
    ` ${token}`,
    token.toUpperCase(),
    `${id}.07.${mac}`,
    `${id}.7e0.${mac}`,
    `${id}.-7.${mac}`,
    `${id}.99999999999999999999.${mac}`,
    `${mac}.${generation}.${id}`,
    token.repeat(2),
  ]) {
    assert.equal(verifyRefreshToken(ports, pool, forged), undefined, forged);
  }
});

test('a token of another pool is invalid, but looks valid', () => {
  const foreign = createRefreshToken(ports, createTestPoolRecord(), loginId, 7);
  assert.equal(verifyRefreshToken(ports, pool, foreign), undefined);
  assert.equal(hasRefreshTokenFormat(foreign), true);
  assert.equal(hasRefreshTokenFormat('eyJhbGciOiJSUzI1NiJ9.e30.c2ln'), false);
});

test('a token is verified with the generation of its login', () => {
  const grace = DEFAULT_CLIENT_SETTINGS.refreshRotation?.graceSeconds ?? 0;
  const login = { generation: 3, rotatedAtMs: 1_000_000 };
  const rows = [
    [4, 1_000_000, 'unknown'],
    [3, 9_000_000, 'current'],
    [2, 1_000_000, 'within_grace'],
    [2, 1_009_999, 'within_grace'],
    [2, 1_010_000, 'reused'],
    [2, 990_001, 'within_grace'],
    [2, 990_000, 'reused'],
    [1, 1_000_000, 'reused'],
    [0, 1_000_000, 'reused'],
  ] as const;
  for (const [generation, nowMs, expected] of rows) {
    assert.equal(classifyRefreshToken(login, { generation }, grace, nowMs), expected, `${generation} at ${nowMs}`);
  }
  assert.equal(classifyRefreshToken(login, { generation: 2 }, 0, 1_000_000), 'reused');
  const neverRotated = { generation: 3, rotatedAtMs: null };
  assert.equal(classifyRefreshToken(neverRotated, { generation: 2 }, grace, 10_000), 'reused');
});
