import type { IdentityProviderReads, IdentityProviderRecord, IdentityProviderRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

type Row = Omit<IdentityProviderRecord, 'settings'> & { readonly settings: string };
type ProviderKey = Pick<IdentityProviderRecord, 'poolId' | 'name'>;

const COLUMNS = [
  'pool_id as poolId',
  'name',
  'settings',
  'secret_sealed as secretEncrypted',
  'created_at_ms as createdAtMs',
  'modified_at_ms as modifiedAtMs',
] as const;

const selectProvider = defineStatement((db, p: Placeholders<ProviderKey>) =>
  db.selectFrom('identity_providers').select(COLUMNS).where('pool_id', '=', p.poolId).where('name', '=', p.name),
);

const selectProviders = defineStatement((db, p: Placeholders<{ poolId: string }>) =>
  db.selectFrom('identity_providers').select(COLUMNS).where('pool_id', '=', p.poolId).orderBy('name'),
);

const insertProvider = defineStatement((db, p: Placeholders<Row>) =>
  db.insertInto('identity_providers').values({
    pool_id: p.poolId,
    name: p.name,
    settings: p.settings,
    secret_sealed: p.secretEncrypted,
    created_at_ms: p.createdAtMs,
    modified_at_ms: p.modifiedAtMs,
  }),
);

const updateProvider = defineStatement((db, p: Placeholders<Omit<Row, 'createdAtMs'>>) =>
  db
    .updateTable('identity_providers')
    .set({ settings: p.settings, secret_sealed: p.secretEncrypted, modified_at_ms: p.modifiedAtMs })
    .where('pool_id', '=', p.poolId)
    .where('name', '=', p.name)
    .returning('name'),
);

const deleteProvider = defineStatement((db, p: Placeholders<ProviderKey>) =>
  db.deleteFrom('identity_providers').where('pool_id', '=', p.poolId).where('name', '=', p.name).returning('name'),
);

function toProvider(row: Row): IdentityProviderRecord {
  return { ...row, settings: JSON.parse(row.settings) as IdentityProviderRecord['settings'] };
}

/** Reads identity providers. */
export class SqlIdentityProviderReads extends SqlRepository implements IdentityProviderReads {
  async byName(poolId: string, name: string): Promise<IdentityProviderRecord | undefined> {
    return (await this.executor.run(selectProvider, { poolId, name })).rows.map(toProvider)[0];
  }

  async listOf(poolId: string): Promise<readonly IdentityProviderRecord[]> {
    return (await this.executor.run(selectProviders, { poolId })).rows.map(toProvider);
  }
}

/** Reads and writes identity providers. */
export class SqlIdentityProviderRepository extends SqlIdentityProviderReads implements IdentityProviderRepository {
  async insert(provider: IdentityProviderRecord): Promise<void> {
    await this.executor.run(insertProvider, { ...provider, settings: JSON.stringify(provider.settings) });
  }

  async update(
    poolId: string,
    name: string,
    {
      settings,
      secretEncrypted,
      modifiedAtMs,
    }: Pick<IdentityProviderRecord, 'settings' | 'secretEncrypted' | 'modifiedAtMs'>,
  ): Promise<boolean> {
    const change = { poolId, name, settings: JSON.stringify(settings), secretEncrypted, modifiedAtMs };
    return (await this.executor.run(updateProvider, change)).rows.length === 1;
  }

  async delete(poolId: string, name: string): Promise<boolean> {
    return (await this.executor.run(deleteProvider, { poolId, name })).rows.length === 1;
  }
}
