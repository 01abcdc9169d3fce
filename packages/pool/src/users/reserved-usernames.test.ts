import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateUuid } from '../kernel/identifiers.ts';
import {
  createClockPort,
  createMacPorts,
  createTestClientRecord,
  createTestPoolRecord,
  RANDOM_PORT,
} from '../testing/test-ports.ts';
import { isReservedUsername, reserveUsername } from './reserved-usernames.ts';

const ports = { ...createMacPorts(), ...createClockPort(), ...RANDOM_PORT };
const pool = createTestPoolRecord();
const owner = { pool, client: createTestClientRecord(pool, 'one') };
const at = (minutes: number) => ({ ...ports, ...createClockPort(minutes * 60_000) });

test('a reserved identity is a random UUID, and none is issued twice', () => {
  const given = Array.from({ length: 500 }, () => reserveUsername(ports, owner));
  for (const identity of given) {
    assert.match(identity, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.ok(isReservedUsername(ports, owner, identity));
  }
  assert.equal(new Set(given).size, given.length);
});

test('it is known for half an hour, by the pool and the client that issued it', () => {
  for (const start of [0, 29_000_000, 2 ** 24 - 3]) {
    const identity = reserveUsername(at(start), owner);
    assert.ok(isReservedUsername(at(start + 29), owner, identity));
    assert.ok(!isReservedUsername(at(start + 30), owner, identity));
    assert.ok(!isReservedUsername(at(start), { pool, client: createTestClientRecord(pool, 'two') }, identity));
    assert.ok(!isReservedUsername(at(start), { ...owner, pool: createTestPoolRecord() }, identity));
  }
});

test('no other text is a reserved identity', () => {
  const identity = reserveUsername(ports, owner);
  const flipped = [...identity].map((digit, at) => {
    if (digit === '-') return identity;
    return `${identity.slice(0, at)}${((Number.parseInt(digit, 16) ^ 1) & 15).toString(16)}${identity.slice(at + 1)}`;
  });
  const others = [generateUuid(ports.random), identity.toUpperCase(), ` ${identity}`, identity.replaceAll('-', ''), ''];
  for (const text of [...flipped.filter((text) => text !== identity), ...others]) {
    assert.ok(!isReservedUsername(ports, owner, text), text);
  }
});
