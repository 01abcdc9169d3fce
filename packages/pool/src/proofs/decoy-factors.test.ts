import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FactorCensus } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';
import { createClockPort, createMacPorts, createTestPoolRecord } from '../testing/test-ports.ts';
import {
  addFactorCensus,
  CENSUS_INTERVAL_MS,
  computeFactorCensus,
  deriveDecoyFactors,
  formatFactorSet,
} from './decoy-factors.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 4, 7);
const pool = createTestPoolRecord();
const ids = Array.from({ length: 4_000 }, () => crypto.randomUUID());

const PASSWORDS = 'PASSWORD EMAIL_OTP';
const PASSKEYS = 'PASSWORD EMAIL_OTP WEB_AUTHN';

function census(passkeys: number, takenAtMs: number): FactorCensus {
  const made = computeFactorCensus(
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
  [...deriveDecoyFactors({ ...createMacPorts(), ...createClockPort(nowMs) }, at, id)].join(' ');

/** The factors of a decoy whose digest starts a life of four weeks at this time and selects this part. */
function drawn(part: number, at: PoolRecord = pool, nowMs = NOW_MS, bornMs = 0): string {
  const digest = Buffer.alloc(32);
  digest.writeUIntBE(bornMs, 0, 6);
  digest.writeUInt32BE(part * 2 ** 32, 6);
  const ports = { ...createMacPorts(), ...createClockPort(nowMs) };
  const engine = { ...ports.engine, hmacSha256: () => digest };
  return [...deriveDecoyFactors({ ...ports, engine }, at, 'somebody')].join(' ');
}

describe('the first factors of a decoy user', () => {
  it('are those of a user who signed up, before any census, except for a rare part', () => {
    const rare = 1 / 128;
    // Of 128 times 18 parts, 18 are rare.
    const parts = Array.from({ length: 2_304 }, (_, part) => drawn((part + 0.5) / 2_304));
    assert.deepEqual(
      [...Map.groupBy(parts, (held) => held)].map(([held, all]) => [held, all.length]),
      [
        ['PASSWORD', 2],
        [PASSWORDS, 2_286 + 8],
        ['PASSWORD EMAIL_OTP SMS_OTP', 2],
        ['PASSWORD EMAIL_OTP SMS_OTP WEB_AUTHN', 1],
        [PASSKEYS, 3],
        ['PASSWORD SMS_OTP', 1],
        ['PASSWORD WEB_AUTHN', 1],
      ],
    );
    const [border, before, after] = [(2 / 18) * rare, 'PASSWORD', PASSWORDS];
    assert.deepEqual([drawn(border - 2 ** -31), drawn(border + 2 ** -31)], [before, after]);
    assert.deepEqual([drawn(0), drawn(1 - 2 ** -32)], ['PASSWORD', 'PASSWORD WEB_AUTHN']);
    for (const [change, held] of [
      [
        { usernameAttributes: ['phone_number'], autoVerifiedAttributes: [], requiredAttributes: [] },
        'PASSWORD SMS_OTP',
      ],
      [{ usernameAttributes: [], autoVerifiedAttributes: [], requiredAttributes: [] }, 'PASSWORD'],
      [{ requiredAttributes: ['email', 'phone_number'] }, 'PASSWORD EMAIL_OTP SMS_OTP'],
    ] as const) {
      assert.equal(drawn(0.5, { ...pool, settings: { ...pool.settings, ...change } }), held);
    }
  });

  it('follow a census from the moment at which their four weeks start again', () => {
    const shares = { '': 256 };
    const other = { PASSWORD: 256 };
    const [bornMs, everyMs] = [5 * DAY_MS + 3, 28 * DAY_MS];
    const renewedMs = 10 * everyMs + bornMs;
    const known = holding([
      { takenAtMs: renewedMs - everyMs, shares: other },
      { takenAtMs: renewedMs, shares },
    ]);
    const at = (nowMs: number, of = known) => drawn(0.5, of, nowMs, bornMs + 3 * everyMs);
    assert.deepEqual([at(renewedMs - 1), at(renewedMs)], ['PASSWORD', '']);
    const late = holding([
      { takenAtMs: renewedMs + 1, shares: other },
      { takenAtMs: renewedMs + 2, shares },
    ]);
    assert.deepEqual([at(renewedMs + everyMs - 1, late), at(renewedMs + everyMs, late)], ['PASSWORD', '']);
  });

  it('are counted in parts of 256, from twenty users on', () => {
    const held = [...Array.from({ length: 15 }, () => PASSWORDS), ...Array.from({ length: 5 }, () => PASSKEYS)];
    assert.deepEqual(computeFactorCensus(held, 7), { takenAtMs: 7, shares: { [PASSWORDS]: 192, [PASSKEYS]: 64 } });
    assert.deepEqual(addFactorCensus([], { takenAtMs: 7, shares: {} }), [{ takenAtMs: 7, shares: {} }]);
    assert.equal(formatFactorSet(['PASSWORD', 'SMS_OTP']), 'PASSWORD SMS_OTP');
  });

  it('stay the same while fewer than five users have something else', () => {
    const held = (passkeys: number, users: number) =>
      Array.from({ length: users }, (_, at) => (at < passkeys ? PASSKEYS : PASSWORDS));
    for (const users of [20, 100, 256]) {
      const last = computeFactorCensus(held(8, users), 7);
      for (const [moved, isSeen] of [
        [1, false],
        [4, false],
        [6, true],
        [-4, false],
        [-6, true],
      ] as const) {
        const now = computeFactorCensus(held(8 + moved, users), 9, last);
        assert.equal(now?.takenAtMs, 9);
        assert.equal(now?.shares !== last?.shares, isSeen, `${moved} of ${users}`);
      }
    }
  });

  it('depend on a digest of the name with the pool’s secret, so that each name has its own', () => {
    const seen: string[] = [];
    const ports = { ...createMacPorts(), ...createClockPort(NOW_MS) };
    const hmacSha256 = (key: Uint8Array, ...parts: readonly Uint8Array[]) => {
      seen.push(Buffer.concat(parts).toString());
      return ports.engine.hmacSha256(key, ...parts);
    };
    deriveDecoyFactors({ ...ports, engine: { ...ports.engine, hmacSha256 } }, pool, 'somebody');
    assert.deepEqual(seen, ['mask-factors', 'somebody']);
  });

  it('have the shares of the pool’s users, and almost none has what no user has', () => {
    // Both are six standard deviations within the bounds.
    for (const passkeys of [10, 40]) {
      const told = ids.map((id) => heldBy(id, holding([census(passkeys, 0)]), NOW_MS));
      const share = told.filter((held) => held.includes('WEB_AUTHN')).length / ids.length;
      assert.ok(Math.abs(share - passkeys / 100) < 0.05, `${passkeys}: ${share}`);
      const never = told.filter((held) => held !== PASSWORDS && held !== PASSKEYS).length / ids.length;
      assert.ok(never < 0.02, `lists that no user has: ${never}`);
    }
  });

  it('are stable while there is no new census', () => {
    const known = holding([census(30, 0)]);
    for (const id of ids.slice(0, 200)) {
      const told = new Set(Array.from({ length: 60 }, (_, day) => heldBy(id, known, NOW_MS + day * DAY_MS)));
      assert.equal(told.size, 1);
    }
  });

  it('change after another census at their own time, once, and only by what it changed', () => {
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

  it('reveal nothing about a few users, and use as few censuses as needed', () => {
    assert.equal(
      computeFactorCensus(
        Array.from({ length: 19 }, () => PASSKEYS),
        NOW_MS,
      ),
      undefined,
    );
    let known: readonly FactorCensus[] = [];
    for (let at = 0; at < 100; at += 1) known = addFactorCensus(known, census(50, at * CENSUS_INTERVAL_MS));
    assert.equal(known.length, 9);
    assert.equal(CENSUS_INTERVAL_MS, 4 * DAY_MS);
    const first = known[0]?.takenAtMs ?? 0;
    assert.ok(first < 99 * CENSUS_INTERVAL_MS - 28 * DAY_MS);
  });
});
