import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_CLIENT_SETTINGS } from '../pools/default-settings.ts';
import { newClient } from '../pools/new-pool.ts';
import { portsWithoutStore, testPool } from '../testing/test-ports.ts';
import { uuid } from './identifiers.ts';
import { isReservedIdentity, reserveIdentity } from './reserved-identities.ts';

const ports = portsWithoutStore();
const pool = testPool(ports);
const clientNamed = (id: string) =>
  newClient(ports, { poolId: pool.id, id, name: 'test', settings: DEFAULT_CLIENT_SETTINGS });
const owner = { pool, client: clientNamed('one') };
const at = (minutes: number) => ({ ...ports, clock: { now: () => minutes * 60_000 } });

test('a reserved identity is a random UUID by its form, and none is given twice', () => {
  const given = Array.from({ length: 500 }, () => reserveIdentity(ports, owner));
  for (const identity of given) {
    assert.match(identity, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.ok(isReservedIdentity(ports, owner, identity));
  }
  assert.equal(new Set(given).size, given.length);
});

test('it is known for half an hour, by the pool and the client that gave it', () => {
  for (const start of [0, 29_000_000, 2 ** 24 - 3]) {
    const identity = reserveIdentity(at(start), owner);
    assert.ok(isReservedIdentity(at(start + 29), owner, identity));
    assert.ok(!isReservedIdentity(at(start + 30), owner, identity));
    assert.ok(!isReservedIdentity(at(start), { pool, client: clientNamed('two') }, identity));
    assert.ok(!isReservedIdentity(at(start), { ...owner, pool: testPool(ports) }, identity));
  }
});

test('no other text is a reserved identity', () => {
  const identity = reserveIdentity(ports, owner);
  const flipped = [...identity].map((digit, at) => {
    if (digit === '-') return identity;
    return `${identity.slice(0, at)}${((Number.parseInt(digit, 16) ^ 1) & 15).toString(16)}${identity.slice(at + 1)}`;
  });
  const others = [uuid(ports.random), identity.toUpperCase(), ` ${identity}`, identity.replaceAll('-', ''), ''];
  for (const text of [...flipped.filter((text) => text !== identity), ...others]) {
    assert.ok(!isReservedIdentity(ports, owner, text), text);
  }
});
