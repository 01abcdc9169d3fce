import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createTombstone,
  loginRevocation,
  parseTombstoneSubject,
  type RevocableToken,
  type RevocationRecord,
  revocationSubjects,
  type TokenState,
  tokenState,
  tombstoneSubject,
  userRevocation,
} from './revocation-records.ts';

const POOL_ID = 'us-east-1_Abc123xyz';
const DAY_MS = 86_400_000;
const SECOND = 1_790_000_000;
const TOKEN: RevocableToken = { sub: 'ada', originJti: 'login-1', issuedAtSeconds: SECOND };
const atMs = (offsetMs: number): number => SECOND * 1000 + offsetMs;

describe('the state of a token', () => {
  it('is active while nothing was revoked', () => {
    assert.equal(tokenState(TOKEN, []), 'active');
  });

  it('is revoked with its login, whenever the token was issued', () => {
    for (const offsetMs of [-DAY_MS, -1, 0, 999, 1000, DAY_MS]) {
      const rows = [loginRevocation(POOL_ID, 'login-1', atMs(offsetMs))];
      assert.equal(tokenState(TOKEN, rows), 'revoked', String(offsetMs));
    }
  });

  it('is revoked with its deleted user, whenever the token was issued', () => {
    for (const offsetMs of [-DAY_MS, -1, 0, 999, 1000, DAY_MS]) {
      assert.equal(tokenState(TOKEN, [createTombstone(POOL_ID, 'ada', atMs(offsetMs))]), 'revoked', String(offsetMs));
    }
  });

  it('compares seconds after every login of its user was revoked, and is unsure within the second of issue', () => {
    for (const [offsetMs, state] of [
      [-DAY_MS, 'active'],
      [-1, 'active'],
      [0, 'unsure'],
      [1, 'unsure'],
      [999, 'unsure'],
      [1000, 'revoked'],
      [DAY_MS, 'revoked'],
    ] satisfies [number, TokenState][]) {
      assert.equal(tokenState(TOKEN, [userRevocation(POOL_ID, 'ada', atMs(offsetMs))]), state, String(offsetMs));
    }
  });

  it("is revoked by a login or a tombstone, whatever the user's row says and in any order", () => {
    const user = userRevocation(POOL_ID, 'ada', atMs(-DAY_MS));
    for (const other of [loginRevocation(POOL_ID, 'login-1', atMs(0)), createTombstone(POOL_ID, 'ada', atMs(0))]) {
      assert.equal(tokenState(TOKEN, [user, other]), 'revoked');
      assert.equal(tokenState(TOKEN, [other, user]), 'revoked');
    }
  });

  it('never becomes active again when its user is revoked later', () => {
    const order: readonly TokenState[] = ['active', 'unsure', 'revoked'];
    const states = [-2000, -1000, -1, 0, 500, 999, 1000, 2000].map((offsetMs) =>
      order.indexOf(tokenState(TOKEN, [userRevocation(POOL_ID, 'ada', atMs(offsetMs))])),
    );
    assert.deepEqual(states, states.toSorted());
    assert.deepEqual(new Set(states), new Set([0, 1, 2]));
  });
});

describe('the rows that a token depends on', () => {
  const subjectsOf = (rows: readonly RevocationRecord[]) => rows.map(({ subject }) => subject).toSorted();

  it("are those of its user, of the user's deletion and of its login, under the subjects that are written", () => {
    const written = [
      userRevocation(POOL_ID, 'ada', atMs(0)),
      createTombstone(POOL_ID, 'ada', atMs(0)),
      loginRevocation(POOL_ID, 'login-1', atMs(0)),
    ];
    assert.deepEqual(revocationSubjects(TOKEN).toSorted(), subjectsOf(written));
    assert.deepEqual(subjectsOf(written), ['gone:ada', 'login:login-1', 'user:ada']);
  });

  it('exclude the login if the token does not name one', () => {
    assert.deepEqual(revocationSubjects({ sub: 'ada', originJti: undefined }), ['user:ada', 'gone:ada']);
  });

  it('distinguish a deleted user from a login and from a revoked user', () => {
    assert.equal(parseTombstoneSubject(createTombstone(POOL_ID, 'ada', atMs(0))), 'ada');
    assert.equal(tombstoneSubject('ada'), 'gone:ada');
    assert.equal(parseTombstoneSubject(userRevocation(POOL_ID, 'ada', atMs(0))), undefined);
    assert.equal(parseTombstoneSubject(loginRevocation(POOL_ID, 'gone', atMs(0))), undefined);
  });
});

describe('a revocation', () => {
  it('is kept until the tokens that it refuses have expired', () => {
    const nowMs = atMs(0);
    for (const [row, days] of [
      [userRevocation(POOL_ID, 'ada', nowMs), 1],
      [loginRevocation(POOL_ID, 'login-1', nowMs), 1],
      [loginRevocation(POOL_ID, 'login-1', nowMs, true), 3650],
      [createTombstone(POOL_ID, 'ada', nowMs), 3650],
    ] as const) {
      const { userPoolId, endedAtMs, expiresAtMs } = row;
      assert.deepEqual([userPoolId, endedAtMs, expiresAtMs], [POOL_ID, nowMs, nowMs + days * DAY_MS], row.subject);
    }
  });
});
