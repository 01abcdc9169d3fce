import type {
  CachedWebSession,
  WebSessionRecord,
  WebSessionRecords,
  WebSessionState,
  WebSessionTokens,
  WebSessionUpdate,
} from '@poolgate/gateway/records';
import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import { createListPlaceholders, type ListParameters, memoizeByKey, toListParameters } from '../sql/list-parameters.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';
import { selectRevokedAtMs } from './revocation-records.ts';

const STATE = [
  'id_digest_hex as idDigestHex',
  'family_id as familyId',
  'user_pool_id as userPoolId',
  'sub',
  'origin_jti as originJti',
  'stays_signed_in as staysSignedIn',
  'created_at_ms as createdAtMs',
  'seen_at_ms as seenAtMs',
  'ends_at_ms as endsAtMs',
  'expires_at_ms as expiresAtMs',
  'tokens_expire_at_ms as tokensExpireAtMs',
  'refreshed_at_ms as refreshedAtMs',
] as const;
const COLUMNS = [...STATE, 'content_sealed as contentEncrypted'] as const;

const insertSession = defineStatement((db, p: Placeholders<WebSessionRecord>) =>
  db.insertInto('web_sessions').values({
    id_digest_hex: p.idDigestHex,
    family_id: p.familyId,
    user_pool_id: p.userPoolId,
    sub: p.sub,
    origin_jti: p.originJti,
    content_sealed: p.contentEncrypted,
    stays_signed_in: p.staysSignedIn,
    created_at_ms: p.createdAtMs,
    seen_at_ms: p.seenAtMs,
    ends_at_ms: p.endsAtMs,
    expires_at_ms: p.expiresAtMs,
    tokens_expire_at_ms: p.tokensExpireAtMs,
    refreshed_at_ms: p.refreshedAtMs,
    lease_id: null,
    lease_until_ms: 0,
  }),
);

const selectSession = defineStatement((db, p: Placeholders<{ idDigestHex: string; nowMs: number }>) =>
  db
    .selectFrom('web_sessions')
    .select(COLUMNS)
    .where('id_digest_hex', '=', p.idDigestHex)
    .where('expires_at_ms', '>', p.nowMs),
);

type CachedSessionQuery = Omit<CachedWebSession, 'subjects'> & ListParameters & { readonly nowMs: number };
type RevocationColumns = Readonly<Record<`revoked${number}`, number | null>>;

// Saves three thousand characters for each unchanged session, and one of two statements.
const selectKnown = memoizeByKey((subjects: number) =>
  defineStatement((db, p: Placeholders<CachedSessionQuery>) =>
    db
      .selectFrom('web_sessions')
      .select(STATE)
      .select((eb) => [
        eb
          .case()
          .when('refreshed_at_ms', '=', p.refreshedAtMs)
          .then(sql<string | null>`null`)
          .else(eb.ref('content_sealed'))
          .end()
          .as('contentEncrypted'),
        ...createListPlaceholders(p, subjects).map((subject, index) =>
          selectRevokedAtMs(db, { userPoolId: p.userPoolId, subject, nowMs: p.nowMs }).as(`revoked${index}`),
        ),
      ])
      .where('id_digest_hex', '=', p.idDigestHex)
      .where('expires_at_ms', '>', p.nowMs),
  ),
);

const selectByFamily = defineStatement((db, p: Placeholders<{ familyId: string; nowMs: number }>) =>
  db
    .selectFrom('web_sessions')
    .select(COLUMNS)
    .where('family_id', '=', p.familyId)
    .where('expires_at_ms', '>', p.nowMs),
);

const touchSession = defineStatement(
  (db, p: Placeholders<{ idDigestHex: string; seenAtMs: number; expiresAtMs: number }>) =>
    db
      .updateTable('web_sessions')
      .set({ seen_at_ms: p.seenAtMs, expires_at_ms: p.expiresAtMs })
      .where('id_digest_hex', '=', p.idDigestHex)
      .where('seen_at_ms', '<', p.seenAtMs),
);

interface SessionLeaseKey {
  readonly idDigestHex: string;
  readonly leaseId: string;
}

// The time of the tokens tells a late caller that the refresh is already done.
const leaseSession = defineStatement(
  (
    db,
    p: Placeholders<
      SessionLeaseKey & { readonly refreshedAtMs: number; readonly untilMs: number; readonly nowMs: number }
    >,
  ) =>
    db
      .updateTable('web_sessions')
      .set({ lease_id: p.leaseId, lease_until_ms: p.untilMs })
      .where('id_digest_hex', '=', p.idDigestHex)
      .where('refreshed_at_ms', '=', p.refreshedAtMs)
      .where('lease_until_ms', '<=', p.nowMs)
      .returning('id_digest_hex'),
);

const renewSession = defineStatement((db, p: Placeholders<SessionLeaseKey & WebSessionTokens>) =>
  db
    .updateTable('web_sessions')
    .set({
      content_sealed: p.contentEncrypted,
      tokens_expire_at_ms: p.tokensExpireAtMs,
      refreshed_at_ms: p.refreshedAtMs,
      lease_id: null,
      lease_until_ms: 0,
    })
    .where('id_digest_hex', '=', p.idDigestHex)
    .where('lease_id', '=', p.leaseId)
    .returning('id_digest_hex'),
);

const releaseSession = defineStatement((db, p: Placeholders<SessionLeaseKey>) =>
  db
    .updateTable('web_sessions')
    .set({ lease_id: null, lease_until_ms: 0 })
    .where('id_digest_hex', '=', p.idDigestHex)
    .where('lease_id', '=', p.leaseId),
);

const deleteSession = defineStatement((db, p: Placeholders<{ idDigestHex: string }>) =>
  db.deleteFrom('web_sessions').where('id_digest_hex', '=', p.idDigestHex).returning(COLUMNS),
);

const deleteLivingSession = defineStatement((db, p: Placeholders<{ idDigestHex: string; nowMs: number }>) =>
  db
    .deleteFrom('web_sessions')
    .where('id_digest_hex', '=', p.idDigestHex)
    .where('expires_at_ms', '>', p.nowMs)
    .returning('id_digest_hex'),
);

type Row<State> = Omit<State, 'staysSignedIn'> & { readonly staysSignedIn: boolean | 0 | 1 };

function toWebSession(row: Row<WebSessionRecord> | undefined): WebSessionRecord | undefined {
  return row && { ...row, staysSignedIn: Boolean(row.staysSignedIn) };
}

function toWebSessionState(row: Row<WebSessionState>): WebSessionState {
  const { idDigestHex, familyId, userPoolId, sub, originJti, staysSignedIn, createdAtMs, seenAtMs, endsAtMs } = row;
  const { expiresAtMs, tokensExpireAtMs, refreshedAtMs } = row;
  return {
    idDigestHex,
    familyId,
    userPoolId,
    sub,
    originJti,
    staysSignedIn: Boolean(staysSignedIn),
    createdAtMs,
    seenAtMs,
    endsAtMs,
    expiresAtMs,
    tokensExpireAtMs,
    refreshedAtMs,
  };
}

function toRevocations(row: RevocationColumns, subjects: readonly string[]): WebSessionUpdate['revocations'] {
  return subjects.flatMap((subject, index) => {
    const endedAtMs = row[`revoked${index}`] ?? null;
    return endedAtMs === null ? [] : [{ subject, endedAtMs }];
  });
}

/** Stores browser sessions. */
export function createWebSessionRecords({
  reads,
  writes,
  write,
}: Pick<Database, 'reads' | 'writes' | 'write'>): WebSessionRecords {
  return {
    async insert(session) {
      await writes.run(insertSession, session);
    },
    replace: (idDigestHex, session, nowMs) =>
      write(async (writer) => {
        const isThere = (await writer.run(deleteLivingSession, { idDigestHex, nowMs })).rows.length === 1;
        if (isThere) await writer.run(insertSession, session);
        return isThere;
      }),
    async find(idDigestHex, nowMs) {
      return toWebSession((await reads.run(selectSession, { idDigestHex, nowMs })).rows[0]);
    },
    async findKnown({ subjects, ...known }, nowMs) {
      const { rows } = await reads.run(selectKnown(subjects.length), {
        ...known,
        ...toListParameters(subjects),
        nowMs,
      });
      const [row] = rows;
      if (row === undefined) return undefined;
      const { contentEncrypted } = row;
      return { state: toWebSessionState(row), contentEncrypted, revocations: toRevocations(row, subjects) };
    },
    async findByFamily(familyId, nowMs) {
      return toWebSession((await reads.run(selectByFamily, { familyId, nowMs })).rows[0]);
    },
    async touch(idDigestHex, seenAtMs, expiresAtMs) {
      await writes.run(touchSession, { idDigestHex, seenAtMs, expiresAtMs });
    },
    async lease(idDigestHex, refreshedAtMs, { id: leaseId, untilMs }, nowMs) {
      const leased = await writes.run(leaseSession, { idDigestHex, refreshedAtMs, leaseId, untilMs, nowMs });
      return leased.rows.length === 1;
    },
    async renew(idDigestHex, leaseId, tokens) {
      return (await writes.run(renewSession, { ...tokens, idDigestHex, leaseId })).rows.length === 1;
    },
    async release(idDigestHex, leaseId) {
      await writes.run(releaseSession, { idDigestHex, leaseId });
    },
    async end(idDigestHex) {
      return toWebSession((await writes.run(deleteSession, { idDigestHex })).rows[0]);
    },
  };
}
