import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock, createTestDeps, START_MS } from '../testing/gateway-deps.ts';
import { requireRecentLogin } from './recent-login.ts';

const authTimeSeconds = START_MS / 1000;

test('a login is recent up to its limit, to the second', () => {
  const clock = createMovableClock();
  const deps = createTestDeps({ clock }, { recentLoginSeconds: 900 });
  clock.nowMs = START_MS + 900_999;
  assert.doesNotThrow(() => requireRecentLogin(deps, { authTimeSeconds }));
  clock.nowMs = START_MS + 901_000;
  assert.throws(() => requireRecentLogin(deps, { authTimeSeconds }), {
    code: 'reauthentication_required',
    status: 403,
  });
});

test('the limit is a setting', () => {
  const clock = createMovableClock(START_MS + 61_000);
  for (const [recentLoginSeconds, isFresh] of [
    [60, false],
    [61, true],
  ] as const) {
    const check = () => requireRecentLogin(createTestDeps({ clock }, { recentLoginSeconds }), { authTimeSeconds });
    if (isFresh) assert.doesNotThrow(check);
    else assert.throws(check, { code: 'reauthentication_required' });
  }
});
