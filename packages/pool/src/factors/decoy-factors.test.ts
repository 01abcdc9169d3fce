import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FactorCensus } from '../settings.ts';
import type { PoolRecord } from '../store/records.ts';
import { runtimeWithoutStore, testPool } from '../testing/test-runtime.ts';
import { CENSUS_EVERY_MS, censusOf, decoyFactors, withCensus } from './decoy-factors.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 4, 7);
const pool = testPool(runtimeWithoutStore());
const ids = Array.from({ length: 4_000 }, () => crypto.randomUUID());

const PASSWORDS = 'PASSWORD EMAIL_OTP';
const PASSKEYS = 'PASSWORD EMAIL_OTP WEB_AUTHN';

function census(passkeys: number, takenAtMs: number): FactorCensus {
  const made = censusOf(
    Array.from({ length: 100 }, (_, at) => (at < passkeys ? PASSKEYS : PASSWORDS)),
    takenAtMs,
  );
  assert.ok(made);
  return made;
}

const holding = (factorCensuses: readonly FactorCensus[]): PoolRecord => ({
  ...pool,
  settings: { ...pool.settings, factorCensuses },
});

const heldBy = (id: string, at: PoolRecord, nowMs: number): string =>
  [...decoyFactors(runtimeWithoutStore(nowMs), at, id)].join(' ');

describe('the first factors of an invented user', () => {
  it('A11: have the shares that the pool’s users have, and all that users may have comes up', () => {
    // Either is five standard deviations within the bounds; the assumed part draws a share of 60 to within four.
    for (const passkeys of [10, 40]) {
      const told = ids.map((id) => heldBy(id, holding([census(passkeys, 0)]), NOW_MS));
      const share = told.filter((held) => held.includes('WEB_AUTHN')).length / ids.length;
      assert.ok(Math.abs(share - passkeys / 100) < 0.05, `${passkeys}: ${share}`);
      assert.ok(told.some((held) => held === 'PASSWORD WEB_AUTHN'));
    }
  });

  it('A11: are the same each time while nobody counts users anew', () => {
    const known = holding([census(30, 0)]);
    for (const id of ids.slice(0, 200)) {
      const told = new Set(Array.from({ length: 60 }, (_, day) => heldBy(id, known, NOW_MS + day * DAY_MS)));
      assert.equal(told.size, 1);
    }
  });

  it('A11: change by another census at a time of each one’s own, once, and of no more than it moved', () => {
    const [old, now] = [census(20, 0), census(50, NOW_MS)];
    const changes = ids.slice(0, 1_000).map((id) => {
      const told = Array.from({ length: 40 }, (_, day) => heldBy(id, holding([old, now]), NOW_MS + day * DAY_MS));
      return told.flatMap((held, day) => (day > 0 && held !== told[day - 1] ? [day] : []));
    });
    assert.ok(changes.every((days) => days.length <= 1));
    const days = changes.flat();
    assert.ok(days.length > 200 && days.length < 400, String(days.length));
    for (let day = 1; day <= 28; day += 1) assert.ok(days.filter((on) => on === day).length < 30, String(day));
    assert.ok(days.every((day) => day <= 28));
  });

  it('tell nothing of a few users, and rest on no more censuses than they need', () => {
    assert.equal(
      censusOf(
        Array.from({ length: 19 }, () => PASSKEYS),
        NOW_MS,
      ),
      undefined,
    );
    let known: readonly FactorCensus[] = [];
    for (let at = 0; at < 100; at += 1) known = withCensus(known, census(50, at * CENSUS_EVERY_MS));
    assert.ok(known.length < 12);
    const first = known[0]?.takenAtMs ?? 0;
    assert.ok(first < 99 * CENSUS_EVERY_MS - 28 * DAY_MS);
  });
});
