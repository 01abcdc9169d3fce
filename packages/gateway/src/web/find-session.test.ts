import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallContext } from '@poolgate/provider';
import type { KnownWebSession, WebSessionRecord } from '../records/index.ts';
import { createAccessToken, TOKEN_KEY } from '../testing/access-token.ts';
import {
  createGuardRecords,
  createMovableClock,
  createTestKeyRing,
  createTestProvider,
  createTestRuntime,
  POOL,
  START_MS,
} from '../testing/gateway-deps.ts';
import { encryptContent } from '../web-sessions/session-content.ts';
import { Browser } from './browser.ts';
import { toDigestHex } from './digest-hex.ts';
import { findStoredSession, findWebSession, findWebSessionByFamily } from './find-session.ts';
import { showSession } from './show-session.ts';

const CALL: CallContext = { requestId: 'test', sourceAddress: '127.0.0.1' };
const ID = 'A'.repeat(43);
const DIGEST = toDigestHex(ID);
const HOUR_MS = 3_600_000;
const CONTENT = { accessToken: createAccessToken('ada'), idToken: 'i', refreshToken: 'r', csrfToken: 'c', proofs: [] };

/** One session, in records that record their calls. */
function setting(record: Partial<WebSessionRecord> = {}, idleSeconds = 3600, keys = () => [TOKEN_KEY]) {
  const keyRing = createTestKeyRing();
  const encrypted = (more: object = {}) => encryptContent({ keyRing }, DIGEST, { ...CONTENT, ...more });
  const row: WebSessionRecord = {
    idDigestHex: DIGEST,
    familyId: 'family',
    userPoolId: POOL.userPoolId,
    sub: 'ada',
    originJti: null,
    contentEncrypted: encrypted(),
    tokensExpireAtMs: START_MS + HOUR_MS,
    refreshedAtMs: START_MS,
    staysSignedIn: false,
    createdAtMs: START_MS,
    seenAtMs: START_MS,
    endsAtMs: START_MS + 24 * HOUR_MS,
    expiresAtMs: START_MS + HOUR_MS,
    ...record,
  };
  const kept = { row: row as WebSessionRecord | undefined };
  const asked: unknown[][] = [];
  const base = createGuardRecords();
  const records = {
    ...base,
    webSessions: {
      ...base.webSessions,
      async find(...given: unknown[]) {
        asked.push(['find', ...given]);
        return kept.row;
      },
      findByFamily: async () => kept.row,
      async findKnown({ refreshedAtMs }: KnownWebSession) {
        if (kept.row === undefined) return undefined;
        const { contentEncrypted, ...state } = kept.row;
        const isSame = state.refreshedAtMs === refreshedAtMs;
        return { state, contentEncrypted: isSame ? null : contentEncrypted, revocations: [] };
      },
      async touch(...given: unknown[]) {
        asked.push(['touch', ...given]);
      },
      async end(...given: unknown[]) {
        asked.push(['end', ...given]);
        return kept.row;
      },
    },
  };
  const clock = createMovableClock();
  const browserSessions = { idleSeconds, longestSeconds: 86_400, staySeconds: 0 };
  const runtime = createTestRuntime(
    { records, keyRing, clock, provider: createTestProvider(keys) },
    { browserSessions },
  );
  return { runtime, clock, kept, row, keyRing, asked, encrypted };
}

describe('the session of a cookie', () => {
  it('is looked up only if the cookie can be one of ours', async () => {
    const { runtime, asked } = setting();
    for (const id of [undefined, '', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}.`]) {
      assert.equal(await findStoredSession(runtime, id), undefined, `${id}`);
    }
    assert.deepEqual(asked, []);
    assert.equal((await findStoredSession(runtime, ID))?.content.csrfToken, 'c');
    assert.deepEqual(asked, [['find', DIGEST, START_MS]]);
  });

  it('is refused if it is of another pool, or encrypted with a lost secret', async () => {
    for (const record of [{ userPoolId: 'us-east-1_Other0000' }, { contentEncrypted: 'A'.repeat(80) }]) {
      const { runtime } = setting(record);
      assert.equal(await findStoredSession(runtime, ID), undefined);
      assert.equal(runtime.sessionContents.get(DIGEST), undefined);
    }
  });

  it('is decrypted once, and again after another process has refreshed it', async () => {
    const { runtime, kept, row, keyRing, encrypted } = setting();
    assert.equal((await findStoredSession(runtime, ID))?.revocations, undefined);
    const again = await findStoredSession(runtime, ID);
    assert.deepEqual([again?.content, again?.revocations, keyRing.opened], [CONTENT, [], 1]);
    const byFamily = await findWebSessionByFamily(runtime, 'family', CALL);
    assert.deepEqual([byFamily?.caller.sub, keyRing.opened], ['ada', 1]);
    kept.row = { ...row, refreshedAtMs: START_MS + 1, contentEncrypted: encrypted({ csrfToken: 'new' }) };
    const refreshed = await findStoredSession(runtime, ID);
    assert.deepEqual([refreshed?.content.csrfToken, refreshed?.revocations, keyRing.opened], ['new', undefined, 2]);
    kept.row = { ...row, refreshedAtMs: START_MS + 2, contentEncrypted: encrypted({ csrfToken: 'newer' }) };
    const { content } = (await findWebSessionByFamily(runtime, 'family', CALL)) ?? assert.fail();
    assert.deepEqual([content.csrfToken, keyRing.opened], ['newer', 3]);
  });

  it('is recorded as used once a minute, or four times during its idle limit', async () => {
    for (const [idleSeconds, everyMs] of [
      [3600, 60_000],
      [60, 15_000],
    ] as const) {
      const { runtime, clock, asked, row } = setting({}, idleSeconds);
      clock.nowMs += everyMs - 1;
      assert.equal((await findWebSession(runtime, ID, CALL))?.record.seenAtMs, START_MS);
      clock.nowMs += 1;
      const expiresAtMs = START_MS + everyMs + idleSeconds * 1000;
      const session = await findWebSession(runtime, ID, CALL);
      assert.deepEqual(asked.slice(1), [['touch', DIGEST, START_MS + everyMs, expiresAtMs]]);
      assert.deepEqual([session?.record.seenAtMs, session?.record.expiresAtMs], [clock.nowMs, expiresAtMs]);
      assert.equal(session?.record.endsAtMs, row.endsAtMs);
    }
    const soon = setting({ endsAtMs: START_MS + 60_001 });
    soon.clock.nowMs += 60_000;
    assert.equal((await findWebSession(soon.runtime, ID, CALL))?.record.expiresAtMs, START_MS + 60_001);
  });

  it('is kept if its tokens cannot be checked now, and removed if they are invalid', async () => {
    const { runtime, asked } = setting({}, 3600, () => assert.fail('asks no key'));
    const away = createTestProvider(() => []);
    const unsure = createTestRuntime({ ...runtime, provider: { ...away, signingKeys: async () => undefined } });
    await assert.rejects(findWebSession(unsure, ID, CALL), { code: 'unavailable' });
    assert.ok(!asked.some(([name]) => name === 'end'));
    const defect = Object.assign(new Error('x'), { code: 'unauthenticated' });
    const broken = createTestRuntime({
      ...runtime,
      provider: { ...away, signingKeys: async () => Promise.reject(defect) },
    });
    await assert.rejects(findWebSession(broken, ID, CALL), defect);
    assert.ok(!asked.some(([name]) => name === 'end'));
    const unknown = createTestRuntime({ ...runtime, provider: away });
    assert.equal(await findWebSession(unknown, ID, CALL), undefined);
    assert.deepEqual(asked.at(-1), ['end', DIGEST]);
  });

  it('is returned as the same object while it is unchanged', async () => {
    const { runtime, clock } = setting();
    const ask = async () => {
      const browser = new Browser(runtime, { cookie: `__Host-poolgate=${ID}` }, false);
      const request = { browser, query: {}, call: CALL } as unknown as Parameters<typeof showSession>[1];
      return (await showSession(runtime, request)).body;
    };
    const first = await ask();
    assert.equal(await ask(), first);
    clock.nowMs += 60_000;
    const later = await ask();
    assert.equal(first.expires_at, new Date(START_MS + HOUR_MS).toISOString());
    assert.equal(later.expires_at, new Date(START_MS + HOUR_MS + 60_000).toISOString());
  });
});
