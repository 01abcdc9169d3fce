import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedMap } from '../kernel/bounded-map.ts';
import type { KnownWebSession, WebSessionRecord } from '../records/index.ts';
import { createGuardRecords, createMovableClock, createTestKeyRing, POOL } from '../testing/gateway-deps.ts';
import { type CachedSessionContent, encryptContent } from '../web-sessions/session-content.ts';
import { toDigestHex } from './digest-hex.ts';
import { findStoredSession } from './find-session.ts';
import { removeSession } from './remove-session.ts';

const ID = 'A'.repeat(43);

/** One session, in records in a map. */
function setting() {
  const keyRing = createTestKeyRing();
  const idDigestHex = toDigestHex(ID);
  const content = { accessToken: 'a', idToken: 'i', refreshToken: 'r', csrfToken: 'c', proofs: [] };
  const record: WebSessionRecord = {
    idDigestHex,
    familyId: 'family',
    userPoolId: POOL.userPoolId,
    sub: 'sub',
    originJti: null,
    contentEncrypted: encryptContent({ keyRing }, idDigestHex, content),
    tokensExpireAtMs: 1,
    refreshedAtMs: 0,
    staysSignedIn: false,
    createdAtMs: 0,
    seenAtMs: 0,
    endsAtMs: 1,
    expiresAtMs: 1,
  };
  const rows = new Map([[idDigestHex, record]]);
  const base = createGuardRecords();
  const records = {
    ...base,
    webSessions: {
      ...base.webSessions,
      find: async (digest: string) => rows.get(digest),
      async findKnown({ idDigestHex: digest, refreshedAtMs }: KnownWebSession) {
        const row = rows.get(digest);
        if (row === undefined) return undefined;
        const contentEncrypted = row.refreshedAtMs === refreshedAtMs ? null : row.contentEncrypted;
        return { state: row, contentEncrypted, revocations: [] };
      },
      async end(digest: string) {
        const found = rows.get(digest);
        rows.delete(digest);
        return found;
      },
    },
  };
  const sessionContents = new BoundedMap<string, CachedSessionContent>(4);
  const runtime = { records, keyRing, clock: createMovableClock(), userPoolId: POOL.userPoolId, sessionContents };
  return { runtime, rows, keyRing, known: () => sessionContents.get(idDigestHex), idDigestHex };
}

describe('the decrypted session in a process', () => {
  it('serves the next requests, and disappears when the session is removed', async () => {
    const { runtime, keyRing, known, idDigestHex } = setting();
    await findStoredSession(runtime, ID);
    assert.equal((await findStoredSession(runtime, ID))?.content.accessToken, 'a');
    assert.equal(keyRing.opened, 1);
    assert.ok(known());
    await removeSession(runtime, idDigestHex);
    assert.equal(known(), undefined);
    assert.equal(await findStoredSession(runtime, ID), undefined);
  });

  it('disappears when another replica has ended the session, and its cookie is sent again', async () => {
    const { runtime, rows, known } = setting();
    await findStoredSession(runtime, ID);
    assert.ok(known());
    rows.clear();
    assert.equal(await findStoredSession(runtime, ID), undefined);
    assert.equal(known(), undefined);
  });
});
