import type {
  ClientSessionRecord,
  EndedClientSession,
  LoginReads,
  LoginRecord,
  LoginRepository,
  LoginWithUser,
  Page,
} from '@poolgate/pool/store';
import { sql } from 'kysely';
import type { Placeholders } from '../sql/placeholder.ts';
import { toPage, toRowLimit } from '../sql/row-pages.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement, type Writer } from '../sql/statement.ts';
import {
  continueLoginSession,
  endClientSessions,
  endClientSessionsOfUser,
  moveClientSessions,
  putClientSession,
  selectGrantsOfSession,
} from './client-session-statements.ts';
import { lockUser } from './lock-user.ts';
import { LOGIN_COLUMNS, toLogin } from './login-rows.ts';
import { hasUser, selectUserColumns, toUser } from './user-rows.ts';

const COLUMNS = [
  'id',
  'pool_id as poolId',
  'client_id as clientId',
  'username',
  'auth_time_seconds as authTimeSeconds',
  'refresh_expires_at_ms as refreshExpiresAtMs',
  'generation',
  'rotated_at_ms as rotatedAtMs',
  'revoked_at_ms as revokedAtMs',
  'device_key as deviceKey',
  'source_address as sourceAddress',
  'user_agent as userAgent',
  'scope',
  'audience',
  'session_id as sessionId',
  'methods',
  'level',
  'acr',
  'created_at_ms as createdAtMs',
] as const;

const selectLogin = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('logins').select(COLUMNS).where('id', '=', p.id),
);

const selectLoginWithUser = defineStatement((db, p: Placeholders<{ id: string }>, phrases) =>
  db
    .selectFrom('logins')
    .leftJoin('users', (join) =>
      join.onRef('users.pool_id', '=', 'logins.pool_id').onRef('users.username', '=', 'logins.username'),
    )
    .leftJoin('devices', (join) =>
      join
        .onRef('devices.pool_id', '=', 'logins.pool_id')
        .onRef('devices.username', '=', 'logins.username')
        .onRef('devices.device_key', '=', 'logins.device_key'),
    )
    .select(selectUserColumns(phrases))
    .select(LOGIN_COLUMNS)
    .select('devices.device_key as confirmedDeviceKey')
    .where('logins.id', '=', p.id),
);

const insertLogin = defineStatement((db, p: Placeholders<LoginRecord>) =>
  db.insertInto('logins').values({
    id: p.id,
    pool_id: p.poolId,
    client_id: p.clientId,
    username: p.username,
    auth_time_seconds: p.authTimeSeconds,
    refresh_expires_at_ms: p.refreshExpiresAtMs,
    generation: p.generation,
    rotated_at_ms: p.rotatedAtMs,
    revoked_at_ms: p.revokedAtMs,
    device_key: p.deviceKey,
    source_address: p.sourceAddress,
    user_agent: p.userAgent,
    scope: p.scope,
    audience: p.audience,
    session_id: p.sessionId,
    methods: p.methods,
    level: p.level,
    acr: p.acr,
    created_at_ms: p.createdAtMs,
  }),
);

/** A login's position in the user's list. */
interface Position {
  readonly createdAtMs: number;
  readonly id: string;
}

const selectActive = defineStatement(
  (db, p: Placeholders<Position & { poolId: string; username: string; nowMs: number; limit: number }>) =>
    db
      .selectFrom('logins')
      .select(COLUMNS)
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('created_at_ms', '<=', p.createdAtMs)
      .where((eb) => eb.or([eb('created_at_ms', '<', p.createdAtMs), eb('id', '>', p.id)]))
      .where('revoked_at_ms', 'is', null)
      .where('refresh_expires_at_ms', '>', p.nowMs)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id')
      .limit(p.limit),
);

// Before every login, because no time is later.
const START: Position = { createdAtMs: Number.MAX_SAFE_INTEGER, id: '' };

function toCursor({ createdAtMs, id }: Position): string {
  return `${createdAtMs}:${id}`;
}

function toPosition(cursor: string): Position {
  const [, time, id = ''] = /^(\d{1,15}):(.*)$/s.exec(cursor) ?? [];
  if (time === undefined) throw new RangeError('cursor must come from the page before');
  return { createdAtMs: Number(time), id };
}

const rotateLogin = defineStatement((db, p: Placeholders<{ id: string; fromGeneration: number; nowMs: number }>) =>
  db
    .updateTable('logins')
    .set((eb) => ({ generation: eb('generation', '+', 1), rotated_at_ms: p.nowMs }))
    .where('id', '=', p.id)
    .where('generation', '=', p.fromGeneration)
    .where('revoked_at_ms', 'is', null)
    .where('refresh_expires_at_ms', '>', p.nowMs)
    .returning('id'),
);

const revokeLogin = defineStatement((db, p: Placeholders<{ id: string; nowMs: number }>) =>
  db
    .updateTable('logins')
    .set({ revoked_at_ms: p.nowMs })
    .where('id', '=', p.id)
    .where('revoked_at_ms', 'is', null)
    .returning('id'),
);

const revokeLoginsOfUser = defineStatement((db, p: Placeholders<{ poolId: string; username: string; nowMs: number }>) =>
  db
    .updateTable('logins')
    .set({ revoked_at_ms: p.nowMs })
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('revoked_at_ms', 'is', null),
);

/** The maximum number of logins that one statement ends. */
const MOST_AT_ONCE = 100;

// Most users have fewer logins than the limit. Counting them needs only the index, while sorting them reads each row. If the limit is 0,
// neither database reads a row.
const selectExcess = defineStatement(
  (db, p: Placeholders<{ poolId: string; username: string; most: number; nowMs: number }>) =>
    db
      .selectFrom('logins')
      .select('id')
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('revoked_at_ms', 'is', null)
      .where('refresh_expires_at_ms', '>', p.nowMs)
      .orderBy((order) => order.fn.coalesce('rotated_at_ms', 'created_at_ms'), 'desc')
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit((eb) =>
        eb
          .case()
          .when(
            eb
              .selectFrom('logins')
              .select((all) => all.fn.countAll<number>().as('total'))
              .where('pool_id', '=', p.poolId)
              .where('username', '=', p.username)
              .where('revoked_at_ms', 'is', null),
            '>',
            p.most,
          )
          .then(sql.lit(MOST_AT_ONCE))
          .else(sql.lit(0))
          .end(),
      )
      .offset(p.most),
);

// Skips a login that another write has locked. Otherwise simultaneous logins of one user would wait for each other's rows, in the order of
// each plan, until the database aborts one. The next login ends what is left. It ends one login at a time, because SQLite creates a
// temporary table for each list, and two of those took a tenth of a login (`prove -- side-by-side`).
const revokeUnlessLocked = defineStatement((db, p: Placeholders<{ id: string; nowMs: number }>, phrases) =>
  db
    .updateTable('logins')
    .set({ revoked_at_ms: p.nowMs })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('logins')
        .select('id')
        .where('id', '=', p.id)
        // Another login may have ended it in between.
        .where('revoked_at_ms', 'is', null)
        .modifyEnd(phrases.lockSkippingLocked),
    )
    .returning(['id', 'client_id as clientId']),
);

const detachLogin = defineStatement((db, p: Placeholders<{ id: string; nowMs: number }>) =>
  db.updateTable('logins').set({ device_key: null, refresh_expires_at_ms: p.nowMs }).where('id', '=', p.id),
);

const revokeLoginsOfDevice = defineStatement(
  (db, p: Placeholders<{ poolId: string; username: string; deviceKey: string; nowMs: number }>) =>
    db
      .updateTable('logins')
      .set({ revoked_at_ms: p.nowMs })
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('device_key', '=', p.deviceKey)
      .where('revoked_at_ms', 'is', null)
      .returning('id'),
);

/** Reads logins. */
export class SqlLoginReads extends SqlRepository implements LoginReads {
  async byId(id: string): Promise<LoginRecord | undefined> {
    return (await this.executor.run(selectLogin, { id })).rows[0];
  }

  async byIdWithUser(id: string): Promise<LoginWithUser | undefined> {
    const [row] = (await this.executor.run(selectLoginWithUser, { id })).rows;
    if (row === undefined) return undefined;
    const hasConfirmedDevice = row.confirmedDeviceKey !== null;
    return { login: toLogin(row), user: hasUser(row) ? toUser(row) : undefined, hasConfirmedDevice };
  }

  /** @throws RangeError for a limit below 1 or an invalid cursor */
  async listActive(
    poolId: string,
    username: string,
    nowMs: number,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<LoginRecord>> {
    const rowLimit = toRowLimit(limit);
    const after = cursor === undefined ? START : toPosition(cursor);
    const { rows } = await this.executor.run(selectActive, { poolId, username, nowMs, ...after, limit: rowLimit });
    return toPage(rows, limit, toCursor);
  }
}

/** Reads and writes logins, which are families of tokens. */
export class SqlLoginRepository extends SqlLoginReads implements LoginRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  async insert(login: LoginRecord): Promise<void> {
    void this.executor.enqueue(insertLogin, login);
  }

  /** True for exactly one caller. False if the login is revoked, expired, unknown or already rotated. */
  async rotate(id: string, fromGeneration: number, nowMs: number): Promise<boolean> {
    return (await this.executor.run(rotateLogin, { id, fromGeneration, nowMs })).rows.length === 1;
  }

  async revoke(id: string, nowMs: number): Promise<boolean> {
    return (await this.executor.run(revokeLogin, { id, nowMs })).rows.length === 1;
  }

  async revokeAllOf(poolId: string, username: string, nowMs: number): Promise<void> {
    // A write that has already read the user may still create a login, which is then revoked too.
    await lockUser(this.executor, poolId, username);
    await this.executor.run(revokeLoginsOfUser, { poolId, username, nowMs });
  }

  async revokeExcess(
    poolId: string,
    username: string,
    most: number,
    nowMs: number,
    keptId = '',
    known?: readonly string[],
  ): Promise<readonly Pick<LoginRecord, 'id' | 'clientId'>[]> {
    const excess = known ?? (await this.listExcess(poolId, username, most, nowMs));
    const revoked: Pick<LoginRecord, 'id' | 'clientId'>[] = [];
    for (const id of excess) {
      if (id !== keptId) revoked.push(...(await this.executor.run(revokeUnlessLocked, { id, nowMs })).rows);
    }
    return revoked;
  }

  async listExcess(poolId: string, username: string, most: number, nowMs: number): Promise<readonly string[]> {
    const { rows } = await this.executor.run(selectExcess, { poolId, username, most, nowMs });
    return rows.map(({ id }) => id);
  }

  async detachDevice(id: string, nowMs: number): Promise<void> {
    await this.executor.run(detachLogin, { id, nowMs });
  }

  async revokeAllOfDevice(
    poolId: string,
    username: string,
    deviceKey: string,
    nowMs: number,
  ): Promise<readonly LoginRecord['id'][]> {
    const { rows } = await this.executor.run(revokeLoginsOfDevice, { poolId, username, deviceKey, nowMs });
    return rows.map(({ id }) => id);
  }

  async putClientSession(session: ClientSessionRecord): Promise<void> {
    void this.executor.enqueue(putClientSession, session);
  }

  async endClientSessions(loginId: string, nowMs: number, expiresAtMs: number): Promise<readonly EndedClientSession[]> {
    const { rows } = await this.executor.run(endClientSessions, { loginId, nowMs, expiresAtMs });
    return rows.map((row) => ({ ...row, endsGrants: Boolean(row.endsGrants) }));
  }

  async endClientSessionsOf(poolId: string, username: string, nowMs: number, expiresAtMs: number): Promise<void> {
    await this.executor.run(endClientSessionsOfUser, { poolId, username, nowMs, expiresAtMs });
  }

  async listGrantsOfSession({
    clientId,
    sessionId,
  }: Pick<EndedClientSession, 'clientId' | 'sessionId'>): Promise<readonly string[]> {
    return (await this.executor.run(selectGrantsOfSession, { clientId, sessionId })).rows.map(({ id }) => id);
  }

  async continueSession(fromId: string, toId: string): Promise<void> {
    const [row] = (await this.executor.run(continueLoginSession, { fromId, toId })).rows;
    const sessionId = row?.sessionId ?? undefined;
    if (sessionId !== undefined) await this.executor.run(moveClientSessions, { fromId, toId, sessionId });
  }
}
