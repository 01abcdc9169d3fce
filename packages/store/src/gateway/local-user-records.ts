import type { LocalUserIdentity, LocalUserRecord, LocalUserRecords } from '@poolgate/gateway/records';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement, type Executor } from '../sql/statement.ts';

const COLUMNS = [
  'user_pool_id as userPoolId',
  'sub',
  'username',
  'password_reset_required as passwordResetRequired',
  'is_webauthn_enabled as isWebauthnEnabled',
  'created_at_ms as createdAtMs',
  'updated_at_ms as updatedAtMs',
] as const;

const selectUser = defineStatement((db, p: Placeholders<{ userPoolId: string; sub: string }>) =>
  db.selectFrom('local_users').select(COLUMNS).where('user_pool_id', '=', p.userPoolId).where('sub', '=', p.sub),
);

const upsertUser = defineStatement((db, p: Placeholders<LocalUserIdentity & { nowMs: number }>) =>
  db
    .insertInto('local_users')
    .values({
      user_pool_id: p.userPoolId,
      sub: p.sub,
      username: p.username,
      password_reset_required: false,
      is_webauthn_enabled: false,
      created_at_ms: p.nowMs,
      updated_at_ms: p.nowMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_pool_id', 'sub']).doUpdateSet((eb) => ({
        username: eb.ref('excluded.username'),
        updated_at_ms: eb
          .case()
          .when('local_users.username', '=', eb.ref('excluded.username'))
          .then(eb.ref('local_users.updated_at_ms'))
          .else(eb.ref('excluded.updated_at_ms'))
          .end(),
      })),
    )
    .returning(COLUMNS),
);

// If the flag already has the value, the record and its time stay unchanged.
const updateFlag = defineStatement(
  (db, p: Placeholders<{ userPoolId: string; sub: string; isEnabled: boolean; nowMs: number }>) =>
    db
      .updateTable('local_users')
      .set({ is_webauthn_enabled: p.isEnabled, updated_at_ms: p.nowMs })
      .where('user_pool_id', '=', p.userPoolId)
      .where('sub', '=', p.sub)
      .where('is_webauthn_enabled', '!=', p.isEnabled),
);

const upsertReset = defineStatement((db, p: Placeholders<LocalUserIdentity & { isRequired: boolean; nowMs: number }>) =>
  db
    .insertInto('local_users')
    .values({
      user_pool_id: p.userPoolId,
      sub: p.sub,
      username: p.username,
      password_reset_required: p.isRequired,
      is_webauthn_enabled: false,
      created_at_ms: p.nowMs,
      updated_at_ms: p.nowMs,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_pool_id', 'sub'])
        .doUpdateSet((eb) => ({
          password_reset_required: eb.ref('excluded.password_reset_required'),
          updated_at_ms: eb.ref('excluded.updated_at_ms'),
        }))
        .whereRef('local_users.password_reset_required', '!=', 'excluded.password_reset_required' as never),
    ),
);

const createDeletion = (table: 'local_users' | 'local_devices' | 'local_passkeys') =>
  defineStatement((db, p: Placeholders<{ userPoolId: string; sub: string }>) =>
    db.deleteFrom(table).where('user_pool_id', '=', p.userPoolId).where('sub', '=', p.sub),
  );

const FACTOR_DELETIONS = [createDeletion('local_devices'), createDeletion('local_passkeys')];
const DELETIONS = [createDeletion('local_users'), ...FACTOR_DELETIONS];

type Row = Omit<LocalUserRecord, 'passwordResetRequired' | 'isWebauthnEnabled'> & {
  readonly passwordResetRequired: boolean | 0 | 1;
  readonly isWebauthnEnabled: boolean | 0 | 1;
};

function toLocalUser(row: Row): LocalUserRecord {
  return {
    ...row,
    passwordResetRequired: Boolean(row.passwordResetRequired),
    isWebauthnEnabled: Boolean(row.isWebauthnEnabled),
  };
}

/**
 * Within a write of the pool: deletes the gateway's records of a user's devices and passkeys, whose names another person may have chosen.
 */
export async function deleteLocalFactors(
  executor: Executor,
  userPoolId: string,
  sub: string,
  nowMs: number,
): Promise<void> {
  for (const deletion of FACTOR_DELETIONS) await executor.run(deletion, { userPoolId, sub });
  await executor.run(updateFlag, { userPoolId, sub, isEnabled: false, nowMs });
}

/** In one write: deletes the gateway's records of a user, including devices and passkeys. */
export async function deleteLocalUser(executor: Executor, userPoolId: string, sub: string): Promise<void> {
  for (const deletion of DELETIONS) await executor.run(deletion, { userPoolId, sub });
}

/** Stores the gateway's data about users. */
export function createLocalUserRecords({
  reads,
  writes,
  write,
}: Pick<Database, 'reads' | 'writes' | 'write'>): LocalUserRecords {
  const find = async (userPoolId: string, sub: string) =>
    (await reads.run(selectUser, { userPoolId, sub })).rows.map(toLocalUser)[0];
  return {
    find,
    async upsert({ userPoolId, sub, username }, nowMs) {
      // Almost always the user is already known under this name, which saves a write and a disk flush.
      const known = await find(userPoolId, sub);
      if (known?.username === username) return known;
      const [row] = (await writes.run(upsertUser, { userPoolId, sub, username, nowMs })).rows;
      if (row === undefined) throw new TypeError('an upsert gave no row back');
      return toLocalUser(row);
    },
    async setWebauthnEnabled(userPoolId, sub, isEnabled, nowMs) {
      await writes.run(updateFlag, { userPoolId, sub, isEnabled, nowMs });
    },
    async setPasswordResetRequired({ userPoolId, sub, username }, isRequired, nowMs) {
      await writes.run(upsertReset, { userPoolId, sub, username, isRequired, nowMs });
    },
    delete: (userPoolId, sub) => write((writer) => deleteLocalUser(writer, userPoolId, sub)),
  };
}
