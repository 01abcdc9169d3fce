import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LimitClass } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createMovableClock, createTestDeps } from '../testing/gateway-deps.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';

function createLimit(readsPerMinute: number, loginStepsPerMinute: number) {
  const clock = createMovableClock();
  const limit = createRateLimit(
    createTestDeps(
      { clock },
      { rateLimits: { readsPerMinute, loginStepsPerMinute, userStepsPerMinute: 0, clientStepsPerMinute: 0 } },
    ),
  );
  return { clock, limit };
}

function admitted(limit: RateLimit, addresses: readonly string[], limitClass: LimitClass = 'login'): number {
  return addresses.filter((address) => findRefusal(limit, address, limitClass) === undefined).length;
}

function findRefusal(limit: RateLimit, address: string, limitClass: LimitClass = 'login'): GatewayError | undefined {
  try {
    limit.admit(address, limitClass);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    return error;
  }
}

/** After this many clients, the older ones are forgotten. */
const GENERATION = 65_536;

const createAddress = (client: number) => `11.${client >> 16}.${(client >> 8) & 255}.${client & 255}`;

const times = (count: number, address: string) => new Array<string>(count).fill(address);

test("an address may send a minute's requests at once, and no more", () => {
  for (const allowance of [1, 7, 300]) {
    const { limit } = createLimit(0, allowance);
    assert.equal(admitted(limit, times(1000, '203.0.113.5')), allowance);
  }
});

test('a refusal is 429 with the time until one request is allowed again, and then one is', () => {
  const { clock, limit } = createLimit(0, 6);
  admitted(limit, times(6, '203.0.113.5'));
  const refusal = findRefusal(limit, '203.0.113.5');
  assert.equal(refusal?.code, 'too_many_requests');
  assert.equal(refusal?.status, 429);
  assert.equal(refusal?.message, 'Too many requests from this network.');
  assert.equal(refusal?.retryAfterSeconds, 10);
  clock.nowMs += 9_999;
  assert.equal(admitted(limit, times(1, '203.0.113.5')), 0);
  clock.nowMs += 1;
  assert.equal(admitted(limit, times(2, '203.0.113.5')), 1);
});

test('the seconds of a refusal are rounded up, so that a retry then succeeds, for any limit and moment', () => {
  for (const allowance of [1, 7, 13, 61, 300]) {
    for (const passedMs of [0, 1, 499, 501, 999, 9_999]) {
      const { clock, limit } = createLimit(0, allowance);
      admitted(limit, times(allowance, '203.0.113.5'));
      clock.nowMs += passedMs;
      const refusal = findRefusal(limit, '203.0.113.5');
      if (refusal === undefined) continue;
      const { retryAfterSeconds = 0 } = refusal;
      assert.equal(
        retryAfterSeconds,
        Math.max(1, Math.ceil(60 / allowance - passedMs / 1000)),
        `${allowance} ${passedMs}`,
      );
      clock.nowMs += retryAfterSeconds * 1000;
      assert.equal(admitted(limit, times(1, '203.0.113.5')), 1, `${allowance} ${passedMs}`);
    }
  }
});

test('a last second counts as one, and a millisecond more as another', () => {
  const { clock, limit } = createLimit(0, 1);
  admitted(limit, times(1, '203.0.113.5'));
  let passedMs = 0;
  for (const [afterMs, seconds] of [
    [0, 60],
    [49_999, 11],
    [50_000, 10],
    [59_999, 1],
  ] as const) {
    clock.nowMs += afterMs - passedMs;
    passedMs = afterMs;
    assert.equal(findRefusal(limit, '203.0.113.5')?.retryAfterSeconds, seconds, `${afterMs}`);
  }
});

test('setting the clock back blocks no client for longer than a minute', () => {
  const { clock, limit } = createLimit(0, 6);
  admitted(limit, times(6, '203.0.113.5'));
  clock.nowMs -= 3_600_000;
  assert.equal(findRefusal(limit, '203.0.113.5')?.retryAfterSeconds, 10);
  assert.equal(admitted(limit, times(7, '203.0.113.6')), 6);
  clock.nowMs += 60_000;
  assert.equal(admitted(limit, times(7, '203.0.113.5')), 6);
});

test('refused requests do not postpone the next allowed one', () => {
  const { clock, limit } = createLimit(0, 60);
  admitted(limit, times(10_000, '203.0.113.5'));
  clock.nowMs += 60_000;
  assert.equal(admitted(limit, times(100, '203.0.113.5')), 60);
});

test('all hosts of one /64 are one client', () => {
  const { limit } = createLimit(0, 300);
  const hosts = Array.from({ length: 65_536 }, (_, host) => `2001:db8:1:2::${host.toString(16)}`);
  assert.equal(admitted(limit, hosts), 300);
});

test('an IPv4 address and its IPv4-mapped form are one client', () => {
  const { limit } = createLimit(0, 10);
  assert.equal(admitted(limit, [...times(10, '203.0.113.5'), ...times(10, '::ffff:203.0.113.5')]), 10);
});

test('reads and login steps have separate counts, and so do clients', () => {
  const { limit } = createLimit(5, 3);
  assert.equal(admitted(limit, times(9, '203.0.113.5'), 'login'), 3);
  assert.equal(admitted(limit, times(9, '203.0.113.5'), 'read'), 5);
  assert.equal(admitted(limit, times(9, '203.0.113.6'), 'login'), 3);
});

test('everything without an address is one client', () => {
  const { limit } = createLimit(0, 3);
  assert.equal(admitted(limit, ['', 'x', 'y', 'unix:/socket', '']), 3);
});

test('0 turns a limit off', () => {
  const { limit } = createLimit(0, 0);
  assert.equal(admitted(limit, times(5000, '203.0.113.5')), 5000);
});

test('a client is still refused after the next generation began', () => {
  const { clock, limit } = createLimit(0, 60);
  admitted(limit, times(1, '203.0.113.1'));
  clock.nowMs += 59_000;
  admitted(limit, times(60, '203.0.113.5'));
  clock.nowMs += 1_000;
  assert.equal(admitted(limit, times(60, '203.0.113.5')), 1);
});

test('many clients do not use unlimited memory', () => {
  const { limit } = createLimit(0, 1);
  // A client is remembered until two generations of other clients came after it.
  limit.admit('203.0.113.5', 'login');
  for (let client = 0; client < 2 * GENERATION - 2; client += 1) limit.admit(createAddress(client), 'login');
  assert.equal(admitted(limit, ['203.0.113.5']), 0);
  limit.admit(createAddress(2 * GENERATION), 'login');
  assert.equal(admitted(limit, ['203.0.113.5']), 1);
});

test('each minute starts a generation, so earlier clients do not make others forgotten sooner', () => {
  const { clock, limit } = createLimit(0, 1);
  for (let client = 0; client < GENERATION - 1; client += 1) limit.admit(createAddress(client), 'login');
  clock.nowMs += 60_000;
  limit.admit('203.0.113.5', 'login');
  for (let client = 0; client <= GENERATION; client += 1) limit.admit(createAddress(GENERATION + client), 'login');
  assert.equal(admitted(limit, ['203.0.113.5']), 0);
});
