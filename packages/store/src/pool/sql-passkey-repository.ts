import type { PasskeyReads, PasskeyRecord, PasskeyRepository, PasskeyUse } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineChange, defineStatement, type Writer } from '../sql/statement.ts';
import { lockUser } from './lock-user.ts';
import { selectNearestKey } from './nearest-key.ts';

const COLUMNS = [
  'pool_id as poolId',
  'credential_id as credentialId',
  'username',
  'public_key as publicKey',
  'counter',
  'transports',
  'attachment',
  'aaguid',
  'name',
  'relying_party_id as relyingPartyId',
  'is_backup_eligible as isBackupEligible',
  'is_backed_up as isBackedUp',
  'created_at_ms as createdAtMs',
  'last_used_at_ms as lastUsedAtMs',
] as const;

/** A passkey in the form of its row. */
type Row = Omit<PasskeyRecord, 'transports' | 'attachment' | 'isBackupEligible' | 'isBackedUp'> & {
  readonly transports: string;
  readonly attachment: string | null;
  readonly isBackupEligible: boolean | 0 | 1;
  readonly isBackedUp: boolean | 0 | 1;
};

const selectPasskey = defineStatement((db, p: Placeholders<{ poolId: string; credentialId: string }>) =>
  db.selectFrom('passkeys').select(COLUMNS).where('pool_id', '=', p.poolId).where('credential_id', '=', p.credentialId),
);

// For a user without passkeys, another user's are read and discarded, so that it takes as long.
const selectPasskeys = defineStatement((db, p: Placeholders<{ poolId: string; username: string }>) =>
  db
    .selectFrom('passkeys')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where(
      'username',
      '=',
      selectNearestKey({ table: 'passkeys', column: 'username' }, { poolId: p.poolId, key: p.username }),
    )
    .orderBy('created_at_ms')
    .orderBy('credential_id'),
);

const insertPasskey = defineStatement((db, p: Placeholders<Row & { isBackupEligible: boolean; isBackedUp: boolean }>) =>
  db.insertInto('passkeys').values({
    pool_id: p.poolId,
    credential_id: p.credentialId,
    username: p.username,
    public_key: p.publicKey,
    counter: p.counter,
    transports: p.transports,
    attachment: p.attachment,
    aaguid: p.aaguid,
    name: p.name,
    relying_party_id: p.relyingPartyId,
    is_backup_eligible: p.isBackupEligible,
    is_backed_up: p.isBackedUp,
    created_at_ms: p.createdAtMs,
    last_used_at_ms: p.lastUsedAtMs,
  }),
);

const usePasskey = defineChange((db, p: Placeholders<{ poolId: string; credentialId: string } & PasskeyUse>) =>
  db
    .updateTable('passkeys')
    .set({ counter: p.counter, is_backed_up: p.isBackedUp, last_used_at_ms: p.lastUsedAtMs })
    .where('pool_id', '=', p.poolId)
    .where('credential_id', '=', p.credentialId)
    .where('username', '=', p.username)
    .where('public_key', '=', p.publicKey)
    .where('counter', '=', p.fromCounter)
    .returning('credential_id'),
);

const deletePasskey = defineStatement(
  (db, p: Placeholders<{ poolId: string; username: string; credentialId: string }>) =>
    db
      .deleteFrom('passkeys')
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('credential_id', '=', p.credentialId)
      .returning('credential_id'),
);

function toPasskey(row: Row): PasskeyRecord {
  return {
    ...row,
    transports: JSON.parse(row.transports) as string[],
    attachment: row.attachment as PasskeyRecord['attachment'],
    isBackupEligible: Boolean(row.isBackupEligible),
    isBackedUp: Boolean(row.isBackedUp),
  };
}

/** Reads passkeys of users. */
export class SqlPasskeyReads extends SqlRepository implements PasskeyReads {
  async byCredentialId(poolId: string, credentialId: string): Promise<PasskeyRecord | undefined> {
    return (await this.executor.run(selectPasskey, { poolId, credentialId })).rows.map(toPasskey)[0];
  }

  async listOf(poolId: string, username: string): Promise<readonly PasskeyRecord[]> {
    const nearest = (await this.executor.run(selectPasskeys, { poolId, username })).rows.map(toPasskey);
    return nearest.filter((passkey) => passkey.username === username);
  }
}

/** Reads and writes passkeys of users. */
export class SqlPasskeyRepository extends SqlPasskeyReads implements PasskeyRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  /** Until this write ends, no other write that listed the passkeys can add one, so a limit holds. */
  async lockAndListOf(poolId: string, username: string): Promise<readonly PasskeyRecord[]> {
    await lockUser(this.executor, poolId, username);
    return this.listOf(poolId, username);
  }

  async insert(passkey: PasskeyRecord): Promise<void> {
    await this.executor.run(insertPasskey, { ...passkey, transports: JSON.stringify(passkey.transports) });
  }

  /** An authenticator without a counter stays at 0. Its uses are single-use only through their challenges. */
  async use(poolId: string, credentialId: string, use: PasskeyUse): Promise<void> {
    void this.executor.enqueueChange(usePasskey, { poolId, credentialId, ...use });
  }

  async delete(poolId: string, username: string, credentialId: string): Promise<boolean> {
    return (await this.executor.run(deletePasskey, { poolId, username, credentialId })).rows.length === 1;
  }
}
