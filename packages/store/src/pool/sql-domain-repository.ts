import type { DomainReads, DomainRecord, DomainRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

type Row = Omit<DomainRecord, 'settings'> & { readonly settings: string };

const COLUMNS = [
  'name',
  'pool_id as poolId',
  'settings',
  'created_at_ms as createdAtMs',
  'modified_at_ms as modifiedAtMs',
] as const;

const selectDomain = defineStatement((db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('domains').select(COLUMNS).where('name', '=', p.name),
);

const selectDomains = defineStatement((db, p: Placeholders<{ poolId: string }>) =>
  db.selectFrom('domains').select(COLUMNS).where('pool_id', '=', p.poolId).orderBy('name'),
);

const insertDomain = defineStatement((db, p: Placeholders<Row>) =>
  db.insertInto('domains').values({
    name: p.name,
    pool_id: p.poolId,
    settings: p.settings,
    created_at_ms: p.createdAtMs,
    modified_at_ms: p.modifiedAtMs,
  }),
);

const updateDomain = defineStatement((db, p: Placeholders<Omit<Row, 'createdAtMs'>>) =>
  db
    .updateTable('domains')
    .set({ settings: p.settings, modified_at_ms: p.modifiedAtMs })
    .where('name', '=', p.name)
    .where('pool_id', '=', p.poolId)
    .returning('name'),
);

const deleteDomain = defineStatement((db, p: Placeholders<Pick<Row, 'poolId' | 'name'>>) =>
  db.deleteFrom('domains').where('name', '=', p.name).where('pool_id', '=', p.poolId).returning('name'),
);

function toDomain(row: Row): DomainRecord {
  return { ...row, settings: JSON.parse(row.settings) as DomainRecord['settings'] };
}

/** Reads the domains of pools. */
export class SqlDomainReads extends SqlRepository implements DomainReads {
  async byName(name: string): Promise<DomainRecord | undefined> {
    return (await this.executor.run(selectDomain, { name })).rows.map(toDomain)[0];
  }

  async listOf(poolId: string): Promise<readonly DomainRecord[]> {
    return (await this.executor.run(selectDomains, { poolId })).rows.map(toDomain);
  }
}

/** Reads and writes the domains of pools. */
export class SqlDomainRepository extends SqlDomainReads implements DomainRepository {
  async insert(domain: DomainRecord): Promise<void> {
    await this.executor.run(insertDomain, { ...domain, settings: JSON.stringify(domain.settings) });
  }

  async update(
    poolId: string,
    name: string,
    { settings, modifiedAtMs }: Pick<DomainRecord, 'settings' | 'modifiedAtMs'>,
  ): Promise<boolean> {
    const change = { poolId, name, settings: JSON.stringify(settings), modifiedAtMs };
    return (await this.executor.run(updateDomain, change)).rows.length === 1;
  }

  async delete(poolId: string, name: string): Promise<boolean> {
    return (await this.executor.run(deleteDomain, { poolId, name })).rows.length === 1;
  }
}
