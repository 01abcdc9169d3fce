import type { ClientChange, ClientReads, ClientRecord, ClientRepository, ClientSettings } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

type Row = Omit<ClientRecord, 'settings' | 'secretsEncrypted'> & {
  readonly settings: string;
  readonly secretsEncrypted: string;
};

const COLUMNS = [
  'pool_id as poolId',
  'id',
  'name',
  'settings',
  'secrets_sealed as secretsEncrypted',
  'created_at_ms as createdAtMs',
  'modified_at_ms as modifiedAtMs',
] as const;

const selectClient = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('clients').select(COLUMNS).where('id', '=', p.id),
);

const selectClients = defineStatement((db, p: Placeholders<{ poolId: string }>) =>
  db.selectFrom('clients').select(COLUMNS).where('pool_id', '=', p.poolId).orderBy('created_at_ms').orderBy('id'),
);

const insertClient = defineStatement((db, p: Placeholders<Row>) =>
  db.insertInto('clients').values({
    pool_id: p.poolId,
    id: p.id,
    name: p.name,
    settings: p.settings,
    secrets_sealed: p.secretsEncrypted,
    created_at_ms: p.createdAtMs,
    modified_at_ms: p.modifiedAtMs,
  }),
);

type ChangeRow = Pick<Row, 'id' | 'settings' | 'secretsEncrypted' | 'modifiedAtMs'> & { readonly name: string | null };

const updateClient = defineStatement((db, p: Placeholders<ChangeRow>) =>
  db
    .updateTable('clients')
    .set((eb) => ({
      name: eb.fn.coalesce(p.name, 'name'),
      settings: p.settings,
      secrets_sealed: p.secretsEncrypted,
      modified_at_ms: p.modifiedAtMs,
    }))
    .where('id', '=', p.id),
);

interface ClientId {
  readonly poolId: string;
  readonly id: string;
}

const deleteClient = defineStatement((db, p: Placeholders<ClientId>) =>
  db.deleteFrom('clients').where('pool_id', '=', p.poolId).where('id', '=', p.id).returning('id'),
);

// A client that is later created with the same id must not inherit anything.
const deleteLogins = defineStatement((db, p: Placeholders<ClientId>) =>
  db.deleteFrom('logins').where('pool_id', '=', p.poolId).where('client_id', '=', p.id),
);

const deleteCeremonies = defineStatement((db, p: Placeholders<ClientId>) =>
  db.deleteFrom('passkey_ceremonies').where('pool_id', '=', p.poolId).where('client_id', '=', p.id),
);

const deleteBrandings = defineStatement((db, p: Placeholders<ClientId>) =>
  db.deleteFrom('brandings').where('pool_id', '=', p.poolId).where('client_id', '=', p.id),
);

function toClient(row: Row): ClientRecord {
  return {
    ...row,
    settings: JSON.parse(row.settings) as ClientSettings,
    secretsEncrypted: JSON.parse(row.secretsEncrypted) as string[],
  };
}

function toRow<Change extends ClientChange>(change: Change) {
  return {
    ...change,
    settings: JSON.stringify(change.settings),
    secretsEncrypted: JSON.stringify(change.secretsEncrypted),
  };
}

/** Reads app clients. */
export class SqlClientReads extends SqlRepository implements ClientReads {
  async byId(id: string): Promise<ClientRecord | undefined> {
    return (await this.executor.run(selectClient, { id })).rows.map(toClient)[0];
  }

  async listOf(poolId: string): Promise<readonly ClientRecord[]> {
    return (await this.executor.run(selectClients, { poolId })).rows.map(toClient);
  }
}

/** Reads and writes app clients. */
export class SqlClientRepository extends SqlClientReads implements ClientRepository {
  async insert(client: ClientRecord): Promise<void> {
    await this.executor.run(insertClient, toRow(client));
  }

  async update(id: string, change: ClientChange): Promise<void> {
    await this.executor.run(updateClient, { ...toRow(change), id, name: change.name ?? null });
  }

  /** Its logins and its branding are deleted with it. */
  async delete(poolId: string, id: string): Promise<boolean> {
    const isDeleted = (await this.executor.run(deleteClient, { poolId, id })).rows.length === 1;
    if (isDeleted) {
      await this.executor.run(deleteLogins, { poolId, id });
      await this.executor.run(deleteCeremonies, { poolId, id });
      await this.executor.run(deleteBrandings, { poolId, id });
    }
    return isDeleted;
  }
}
