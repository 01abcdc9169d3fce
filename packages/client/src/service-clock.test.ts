import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServiceClock } from './service-clock.ts';

const NOON_MS = Date.UTC(2026, 4, 7, 12);

test("corrects a wrong clock by the service's clock, and leaves a correct one alone", () => {
  const clock = createServiceClock(() => NOON_MS);
  clock.onDate(null);
  clock.onDate('no date');
  clock.onDate(new Date(NOON_MS + 20_000).toUTCString());
  assert.equal(clock.now(), NOON_MS);
  clock.onDate(new Date(NOON_MS + 3_600_000).toUTCString());
  assert.equal(clock.now(), NOON_MS + 3_600_000);
  clock.onDate(new Date(NOON_MS).toUTCString());
  assert.equal(clock.now(), NOON_MS);
});
