import type { ClientSessionRecord } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';

/** Stores a client's session. A session that has ended stays unchanged. */
export const putClientSession = defineStatement((db, p: Placeholders<ClientSessionRecord>) =>
  db
    .insertInto('client_sessions')
    .values({
      client_id: p.clientId,
      session_id: p.sessionId,
      pool_id: p.poolId,
      username: p.username,
      sub: p.sub,
      session_login_id: p.sessionLoginId,
      ends_grants: p.endsGrants,
      expires_at_ms: p.expiresAtMs,
      ended_at_ms: p.endedAtMs,
      tries: p.tries,
      next_try_at_ms: p.nextTryAtMs,
      leased_until_ms: p.leasedUntilMs,
      last_failure: p.lastFailure,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'session_id'])
        .doUpdateSet((eb) => ({
          session_login_id: eb.ref('excluded.session_login_id'),
          ends_grants: eb.ref('excluded.ends_grants'),
          expires_at_ms: eb.ref('excluded.expires_at_ms'),
        }))
        .where('client_sessions.ended_at_ms', 'is', null),
    ),
);

interface Ending {
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** Ends the sessions that belong to a login. */
export const endClientSessions = defineStatement((db, p: Placeholders<Ending & { loginId: string }>) =>
  db
    .updateTable('client_sessions')
    .set({ ended_at_ms: p.nowMs, next_try_at_ms: p.nowMs, expires_at_ms: p.expiresAtMs })
    .where('session_login_id', '=', p.loginId)
    .where('ended_at_ms', 'is', null)
    .returning(['client_id as clientId', 'session_id as sessionId', 'ends_grants as endsGrants']),
);

/** Ends all sessions of a user. */
export const endClientSessionsOfUser = defineStatement(
  (db, p: Placeholders<Ending & { poolId: string; username: string }>) =>
    db
      .updateTable('client_sessions')
      .set({ ended_at_ms: p.nowMs, next_try_at_ms: p.nowMs, expires_at_ms: p.expiresAtMs })
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('ended_at_ms', 'is', null),
);

/** Finds a client's active logins of a session. */
export const selectGrantsOfSession = defineStatement((db, p: Placeholders<{ clientId: string; sessionId: string }>) =>
  db
    .selectFrom('logins')
    .select('id')
    .where('session_id', '=', p.sessionId)
    .where('client_id', '=', p.clientId)
    .where('revoked_at_ms', 'is', null)
    .where('scope', 'is not', null),
);

interface Continuation {
  readonly fromId: string;
  readonly toId: string;
}

/** Lets a login take over the session of another login of the same user. */
export const continueLoginSession = defineStatement((db, p: Placeholders<Continuation>) =>
  db
    .updateTable('logins')
    .set((eb) => ({
      session_id: eb
        .selectFrom('logins as before')
        .select((before) => before.fn.coalesce('before.session_id', 'before.id').as('session'))
        .where('before.id', '=', p.fromId)
        .whereRef('before.pool_id', '=', 'logins.pool_id')
        .whereRef('before.username', '=', 'logins.username'),
    }))
    .where('id', '=', p.toId)
    .where('scope', 'is', null)
    .returning('session_id as sessionId'),
);

/** Moves client sessions to another login of the same user. */
export const moveClientSessions = defineStatement((db, p: Placeholders<Continuation & { sessionId: string }>) =>
  db
    .updateTable('client_sessions')
    .set({ session_login_id: p.toId })
    .where('session_login_id', '=', p.fromId)
    .where('session_id', '=', p.sessionId)
    .where('ended_at_ms', 'is', null),
);
