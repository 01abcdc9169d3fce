import type { RegistrationReads, RegistrationRecord, RegistrationRepository } from '@poolgate/pool/store';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement, type Executor } from '../sql/statement.ts';
import type { Sweep } from '../sql/sweep.ts';
import type { Tables } from '../sql/tables.ts';

const COLUMNS = [
  'pool_id as poolId',
  'username',
  'name',
  'is_aside as isAside',
  'is_contested as isContested',
  'created_at_ms as createdAtMs',
  'expires_at_ms as expiresAtMs',
] as const;

const upsert = defineStatement((db, p: Placeholders<RegistrationRecord>) =>
  db
    .insertInto('registrations')
    .values({
      pool_id: p.poolId,
      username: p.username,
      name: p.name,
      is_aside: p.isAside,
      is_contested: p.isContested,
      created_at_ms: p.createdAtMs,
      expires_at_ms: p.expiresAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'username']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        is_aside: eb.ref('excluded.is_aside'),
        is_contested: eb.ref('excluded.is_contested'),
        expires_at_ms: eb.ref('excluded.expires_at_ms'),
      })),
    ),
);

type UserKey = Pick<RegistrationRecord, 'poolId' | 'username'>;

const selectOne = defineStatement((db, p: Placeholders<UserKey>) =>
  db.selectFrom('registrations').select(COLUMNS).where('pool_id', '=', p.poolId).where('username', '=', p.username),
);

type Named = Pick<RegistrationRecord, 'poolId' | 'name'>;

// If asked for the rows themselves by name, SQLite would scan all registrations of a pool instead of using the index of names.
const hasName = (eb: ExpressionBuilder<Tables, 'registrations'>, p: Placeholders<Named>) =>
  eb.and([
    eb('pool_id', '=', p.poolId),
    eb('name', '=', p.name),
    eb('username', 'in', (query) =>
      query.selectFrom('registrations').select('username').where('pool_id', '=', p.poolId).where('name', '=', p.name),
    ),
  ]);

const selectNamed = defineStatement((db, p: Placeholders<Named & { limit: number }>) =>
  db
    .selectFrom('registrations')
    .select(COLUMNS)
    .where((eb) => hasName(eb, p))
    .orderBy('expires_at_ms', 'desc')
    .orderBy('username')
    .limit(p.limit),
);

const contestNamed = defineStatement((db, p: Placeholders<Named & { isContested: boolean }>) =>
  db
    .updateTable('registrations')
    .set({ is_contested: p.isContested })
    .where((eb) => hasName(eb, p)),
);

const deleteOne = defineStatement((db, p: Placeholders<UserKey>) =>
  db.deleteFrom('registrations').where('pool_id', '=', p.poolId).where('username', '=', p.username),
);

// If the user was confirmed while this statement waited for the row, it is no longer a registration. PostgreSQL checks the row again, but
// not the inner query.
const UNCONFIRMED = 'UNCONFIRMED';

const deleteUsersNamed = defineStatement(
  (db, p: Placeholders<{ poolId: string; name: string; exceptUsername: string }>) =>
    db
      .deleteFrom('users')
      .where('pool_id', '=', p.poolId)
      .where('status', '=', UNCONFIRMED)
      .where('username', 'in', (eb) =>
        eb
          .selectFrom('registrations')
          .select('username')
          .where('pool_id', '=', p.poolId)
          .where('name', '=', p.name)
          .where('username', '<>', p.exceptUsername),
      ),
);

/** Selects users who can be found by their name, which excludes competing registrations. */
export const IS_FOUND_BY_NAME = sql<boolean>`not exists (select 1 from registrations
  where registrations.pool_id = users.pool_id and registrations.username = users.username and registrations.is_aside)`;

/** Deletes users whose registration has expired. */
export const sweepRegistrations: Sweep = defineStatement((db, p) => {
  const query = sql`delete from users where status = ${sql.lit('UNCONFIRMED')} and (pool_id, username) in
    (select pool_id, username from registrations where expires_at_ms <= cast(${p.nowMs} as bigint) limit ${p.limit})`;
  return { compile: () => query.compile(db) };
});

interface Row extends Omit<RegistrationRecord, 'isAside' | 'isContested'> {
  readonly isAside: boolean | 0 | 1;
  readonly isContested: boolean | 0 | 1;
}

function toRegistration(row: Row): RegistrationRecord {
  return { ...row, isAside: Boolean(row.isAside), isContested: Boolean(row.isContested) };
}

/** Deletes the registration of a confirmed user. */
export async function deleteRegistration(executor: Executor, poolId: string, username: string): Promise<void> {
  await executor.run(deleteOne, { poolId, username });
}

/** Reads registrations of unconfirmed users. */
export class SqlRegistrationReads extends SqlRepository implements RegistrationReads {
  async byUsername(poolId: string, username: string): Promise<RegistrationRecord | undefined> {
    return (await this.executor.run(selectOne, { poolId, username })).rows.map(toRegistration)[0];
  }

  async listByName(poolId: string, name: string, limit: number): Promise<readonly RegistrationRecord[]> {
    return (await this.executor.run(selectNamed, { poolId, name, limit })).rows.map(toRegistration);
  }
}

/** Reads and writes registrations of unconfirmed users. */
export class SqlRegistrationRepository extends SqlRegistrationReads implements RegistrationRepository {
  async put(registration: RegistrationRecord): Promise<void> {
    await this.executor.run(upsert, registration);
  }

  async contest(poolId: string, name: string): Promise<void> {
    await this.executor.run(contestNamed, { poolId, name, isContested: true });
  }

  async deleteOthers(poolId: string, name: string, exceptUsername: string): Promise<void> {
    await this.executor.run(deleteUsersNamed, { poolId, name, exceptUsername });
  }
}
