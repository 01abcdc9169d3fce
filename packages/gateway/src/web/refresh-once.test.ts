import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CallContext, ProviderError, type ProviderOperations } from '@poolgate/provider';
import type { Timer } from '../kernel/deps.ts';
import type { WebSessionRecord } from '../records/index.ts';
import { createAccessToken, TOKEN_KEY } from '../testing/access-token.ts';
import {
  createGuardRecords,
  createMovableClock,
  createTestProvider,
  createTestRuntime,
  POOL,
  START_MS,
} from '../testing/gateway-deps.ts';
import { decryptContent, encryptContent } from '../web-sessions/session-content.ts';
import type { StoredSession } from '../web-sessions/web-session.ts';
import { isRefreshDue, refreshTokensIfDue } from './refresh-session-tokens.ts';

const CALL: CallContext = { requestId: 'test', sourceAddress: '127.0.0.1' };
const HOUR_MS = 3_600_000;
const NEW_TOKEN = createAccessToken('ada');
const CONTENT = { accessToken: 'a.e30.s', idToken: 'i', refreshToken: 'r', csrfToken: 'c', proofs: [] };
const EXCHANGED = { AccessToken: NEW_TOKEN, IdToken: 'new id', RefreshToken: 'new refresh', ExpiresIn: 3600 };

const LIVING: WebSessionRecord = {
  idDigestHex: 'digest',
  familyId: 'family',
  userPoolId: POOL.userPoolId,
  sub: 'ada',
  originJti: null,
  contentEncrypted: '',
  tokensExpireAtMs: START_MS,
  refreshedAtMs: START_MS - HOUR_MS,
  staysSignedIn: false,
  createdAtMs: 0,
  seenAtMs: 0,
  endsAtMs: START_MS + HOUR_MS,
  expiresAtMs: START_MS + HOUR_MS,
};

type Exchange = ProviderOperations['getTokensFromRefreshToken'];

/** A session with expired tokens, in records that record their calls. */
function setting(record: Partial<WebSessionRecord> = {}, accessTokenOf = CONTENT.accessToken) {
  const log: string[] = [];
  const asked: unknown[][] = [];
  const answers = {
    lease: async () => true,
    renew: async () => true,
    find: async (): Promise<WebSessionRecord | undefined> => row,
    exchange: (async () => ({ AuthenticationResult: EXCHANGED })) as Exchange,
  };
  const noted =
    <Result>(name: string, answer: () => Promise<Result>) =>
    async (...given: unknown[]): Promise<Result> => {
      log.push(name);
      asked.push(given);
      return answer();
    };
  const timer: Timer = {
    after(delayMs, run) {
      log.push(`${delayMs} ms`);
      setImmediate(() => {
        log.push('goes on');
        run();
      });
      return () => {};
    },
  };
  const base = createGuardRecords();
  const records = {
    ...base,
    webSessions: {
      ...base.webSessions,
      lease: noted('lease', () => answers.lease()),
      renew: noted('renew', () => answers.renew()),
      release: noted('release', async () => {}),
      end: noted('end', async () => undefined),
      find: noted('find', () => answers.find()),
    },
  };
  const provider = createTestProvider(() => [TOKEN_KEY], {
    getTokensFromRefreshToken: (...input) => answers.exchange(...input),
  });
  const clock = createMovableClock();
  const runtime = createTestRuntime({ records, provider, clock, timer });
  const content = { ...CONTENT, accessToken: accessTokenOf };
  const encrypted = (more: object = {}) => encryptContent(runtime, 'digest', { ...content, ...more });
  const row: WebSessionRecord = { ...LIVING, contentEncrypted: encrypted(), ...record };
  const session: StoredSession = { record: row, content };
  return { runtime, clock, row, session, answers, log, asked, encrypted };
}

describe('the tokens of a session', () => {
  it('are due a minute before they expire, or ten seconds after the last refresh on request', () => {
    const rows: readonly (readonly [expireInMs: number, ageMs: number, isAsked: boolean, due: boolean])[] = [
      [60_001, 1, false, false],
      [60_000, 1, false, true],
      [60_000, 0, false, false],
      [0, -1, false, false],
      [-1, 1, false, true],
      [HOUR_MS, 9_999, true, false],
      [HOUR_MS, 10_000, true, true],
      [HOUR_MS, -9_999, true, false],
      [HOUR_MS, -10_000, true, true],
      [HOUR_MS, 10_000, false, false],
    ];
    for (const [expireInMs, ageMs, isAsked, due] of rows) {
      const times = { tokensExpireAtMs: START_MS + expireInMs, refreshedAtMs: START_MS - ageMs };
      const { runtime, session } = setting(times);
      assert.equal(isRefreshDue(runtime, session, isAsked), due, `${expireInMs} ${ageMs} ${isAsked}`);
    }
  });

  it('are refreshed by the holder of a lease of twenty seconds, once for all callers', async () => {
    const { runtime, session, row, log, asked, encrypted } = setting();
    const [one, two] = await Promise.all([
      refreshTokensIfDue(runtime, session, CALL),
      refreshTokensIfDue(runtime, session, CALL),
    ]);
    assert.deepEqual(log, ['lease', 'renew']);
    assert.equal(one, two);
    const [digest, refreshedAtMs, lease, nowMs] = asked[0] ?? [];
    assert.deepEqual([digest, refreshedAtMs, nowMs], ['digest', row.refreshedAtMs, START_MS]);
    const { id, untilMs } = lease as { id: string; untilMs: number };
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.equal(untilMs, START_MS + 20_000);
    const [renewed, leaseId, written] = asked[1] ?? [];
    assert.deepEqual([renewed, leaseId], ['digest', id]);
    const { contentEncrypted, ...times } = written as WebSessionRecord;
    assert.deepEqual(times, { tokensExpireAtMs: START_MS + HOUR_MS, refreshedAtMs: START_MS });
    const tokens = { accessToken: NEW_TOKEN, idToken: 'new id', refreshToken: 'new refresh' };
    const content = { ...session.content, ...tokens };
    assert.deepEqual(decryptContent(runtime, 'digest', contentEncrypted), content);
    assert.deepEqual(one, { record: { ...row, ...times, contentEncrypted }, content });
    assert.notEqual(contentEncrypted, encrypted());
    assert.equal(runtime.sessionRefreshes.size, 0);
  });

  it('are left alone if they are not due', async () => {
    const { runtime, session, log } = setting({ tokensExpireAtMs: START_MS + HOUR_MS });
    assert.equal(await refreshTokensIfDue(runtime, session, CALL), session);
    assert.deepEqual(log, []);
  });

  it('have a later time than those before, even if the clock was set back', async () => {
    const { runtime, session } = setting({ refreshedAtMs: START_MS + 10_000 });
    const fresh = await refreshTokensIfDue(runtime, session, CALL, true);
    assert.equal(fresh?.record.refreshedAtMs, START_MS + 10_001);
  });

  it('are discarded if the lease was lost meanwhile', async () => {
    const { runtime, session, answers } = setting();
    answers.renew = async () => false;
    assert.equal(await refreshTokensIfDue(runtime, session, CALL), undefined);
  });

  it('are requested with the device that they name', async () => {
    const named = `a.${Buffer.from(JSON.stringify({ device_key: 'phone' })).toString('base64url')}.s`;
    const odd = `a.${Buffer.from(JSON.stringify({ device_key: 5 })).toString('base64url')}.s`;
    for (const [token, more] of [
      [named, { DeviceKey: 'phone' }],
      [odd, {}],
      [CONTENT.accessToken, {}],
    ] as const) {
      const { runtime, session, answers } = setting({}, token);
      const inputs: object[] = [];
      answers.exchange = async (input) => {
        inputs.push(input);
        return { AuthenticationResult: EXCHANGED };
      };
      await refreshTokensIfDue(runtime, session, CALL);
      assert.deepEqual(inputs, [{ ClientId: runtime.clientId, RefreshToken: 'r', ...more }]);
    }
  });
});

describe('while another process refreshes, a session', () => {
  it('is checked every 25 milliseconds for five seconds, and then the browser must retry', async () => {
    const { runtime, session, answers, log } = setting();
    answers.lease = async () => false;
    await assert.rejects(refreshTokensIfDue(runtime, session, CALL), { code: 'unavailable', retryAfterSeconds: 1 });
    const look = ['lease', 'find', '25 ms', 'goes on'];
    assert.deepEqual(log, Array.from({ length: 200 }, () => look).flat());
    assert.equal(runtime.sessionRefreshes.size, 0);
  });

  it('is used with the previous tokens while they are valid', async () => {
    const { runtime, session, answers, log } = setting({ tokensExpireAtMs: START_MS + 1 });
    answers.lease = async () => false;
    assert.deepEqual(await refreshTokensIfDue(runtime, session, CALL), session);
    assert.deepEqual(log, ['lease', 'find']);
  });

  it('is used with the tokens of the other process, and has ended if it is gone or unreadable', async () => {
    const { runtime, session, row, answers, log, encrypted } = setting();
    answers.lease = async () => false;
    const written = { ...row, refreshedAtMs: START_MS, contentEncrypted: encrypted({ accessToken: 'other' }) };
    const rows: readonly (readonly [found: WebSessionRecord | undefined, accessToken: string | undefined])[] = [
      [written, 'other'],
      [undefined, undefined],
      [{ ...written, contentEncrypted: 'A'.repeat(80) }, undefined],
    ];
    for (const [found, token] of rows) {
      log.length = 0;
      answers.find = async () => found;
      const fresh = await refreshTokensIfDue(runtime, session, CALL);
      assert.equal(fresh?.content.accessToken, token);
      assert.equal(fresh?.record, token === undefined ? undefined : found);
      assert.deepEqual(log, ['lease', 'find']);
    }
  });
});

describe('a refresh that fails', () => {
  const away = new ProviderError('InternalErrorException', 'away');

  it('leaves a session its tokens while they are valid, and returns the lease', async () => {
    const { runtime, session, answers, clock, log, asked } = setting({ tokensExpireAtMs: START_MS + 1 });
    answers.exchange = async () => Promise.reject(away);
    assert.equal(await refreshTokensIfDue(runtime, session, CALL), session);
    assert.deepEqual(log, ['lease', 'release']);
    const [[, , lease] = []] = asked;
    assert.deepEqual(asked[1], ['digest', (lease as { id: string }).id]);
    clock.nowMs += 1;
    await assert.rejects(refreshTokensIfDue(runtime, session, CALL), { code: 'unavailable' });
    assert.ok(!log.includes('end'), 'nobody is signed out by that');
  });

  it('ends the session only if the provider refuses', async () => {
    const { runtime, session, answers, log, asked } = setting();
    answers.exchange = async () => Promise.reject(new ProviderError('NotAuthorizedException', 'no'));
    assert.equal(await refreshTokensIfDue(runtime, session, CALL), undefined);
    assert.deepEqual([log, asked[1]], [['lease', 'end'], ['digest']]);
    // What only looks like a refusal is an internal error.
    const defect = Object.assign(new Error('x'), { code: 'invalid_grant' });
    answers.exchange = async () => Promise.reject(defect);
    await assert.rejects(refreshTokensIfDue(runtime, session, CALL), defect);
    assert.equal(log.filter((name) => name === 'end').length, 1);
  });
});
