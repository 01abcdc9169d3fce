import type { LocalPasskeyRecord, LocalPasskeyRecords } from '@poolgate/gateway/records';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';

const upsertPasskey = defineStatement((db, p: Placeholders<LocalPasskeyRecord>) =>
  db
    .insertInto('local_passkeys')
    .values({
      user_pool_id: p.userPoolId,
      sub: p.sub,
      credential_id: p.credentialId,
      name: p.name,
      updated_at_ms: p.updatedAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_pool_id', 'sub', 'credential_id']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        updated_at_ms: eb.ref('excluded.updated_at_ms'),
      })),
    ),
);

const selectPasskeys = defineStatement((db, p: Placeholders<{ userPoolId: string; sub: string }>) =>
  db
    .selectFrom('local_passkeys')
    .select([
      'user_pool_id as userPoolId',
      'sub',
      'credential_id as credentialId',
      'name',
      'updated_at_ms as updatedAtMs',
    ])
    .where('user_pool_id', '=', p.userPoolId)
    .where('sub', '=', p.sub)
    .orderBy('credential_id'),
);

const deletePasskey = defineStatement(
  (db, p: Placeholders<{ userPoolId: string; sub: string; credentialId: string }>) =>
    db
      .deleteFrom('local_passkeys')
      .where('user_pool_id', '=', p.userPoolId)
      .where('sub', '=', p.sub)
      .where('credential_id', '=', p.credentialId)
      .returning('credential_id'),
);

/** Stores the names that users gave to passkeys. */
export function createLocalPasskeyRecords({ reads, writes }: Pick<Database, 'reads' | 'writes'>): LocalPasskeyRecords {
  return {
    async put(passkey) {
      await writes.run(upsertPasskey, passkey);
    },
    async list(userPoolId, sub) {
      return (await reads.run(selectPasskeys, { userPoolId, sub })).rows;
    },
    async delete(userPoolId, sub, credentialId) {
      return (await writes.run(deletePasskey, { userPoolId, sub, credentialId })).rows.length === 1;
    },
  };
}
