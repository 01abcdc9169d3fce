import type {
  BrandingKey,
  BrandingOwner,
  BrandingReads,
  BrandingRecord,
  BrandingRepository,
} from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

type Row = Omit<BrandingRecord, 'content'> & { readonly content: string };
type RowWithoutContent = Omit<BrandingRecord, 'content'>;

const COLUMNS = [
  'pool_id as poolId',
  'client_id as clientId',
  'kind',
  'id',
  'created_at_ms as createdAtMs',
  'modified_at_ms as modifiedAtMs',
] as const;

const selectByKey = defineStatement((db, p: Placeholders<BrandingKey>) =>
  db
    .selectFrom('brandings')
    .select([...COLUMNS, 'content'])
    .where('pool_id', '=', p.poolId)
    .where('client_id', '=', p.clientId)
    .where('kind', '=', p.kind),
);

const selectById = defineStatement((db, p: Placeholders<{ poolId: string; id: string }>) =>
  db
    .selectFrom('brandings')
    .select([...COLUMNS, 'content'])
    .where('pool_id', '=', p.poolId)
    .where('id', '=', p.id),
);

const selectOfOwner = defineStatement((db, p: Placeholders<BrandingOwner>) =>
  db
    .selectFrom('brandings')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where('client_id', '=', p.clientId)
    .orderBy('kind'),
);

const insertBranding = defineStatement((db, p: Placeholders<Row>) =>
  db.insertInto('brandings').values({
    pool_id: p.poolId,
    client_id: p.clientId,
    kind: p.kind,
    id: p.id,
    content: p.content,
    created_at_ms: p.createdAtMs,
    modified_at_ms: p.modifiedAtMs,
  }),
);

const updateBranding = defineStatement((db, p: Placeholders<BrandingKey & Pick<Row, 'content' | 'modifiedAtMs'>>) =>
  db
    .updateTable('brandings')
    .set({ content: p.content, modified_at_ms: p.modifiedAtMs })
    .where('pool_id', '=', p.poolId)
    .where('client_id', '=', p.clientId)
    .where('kind', '=', p.kind)
    .returning('id'),
);

const deleteBranding = defineStatement((db, p: Placeholders<BrandingKey>) =>
  db
    .deleteFrom('brandings')
    .where('pool_id', '=', p.poolId)
    .where('client_id', '=', p.clientId)
    .where('kind', '=', p.kind)
    .returning('id'),
);

function toBranding(row: Row): BrandingRecord {
  return { ...row, content: JSON.parse(row.content) as BrandingRecord['content'] };
}

/** Reads brandings. */
export class SqlBrandingReads extends SqlRepository implements BrandingReads {
  async byKey({ poolId, clientId, kind }: BrandingKey): Promise<BrandingRecord | undefined> {
    return (await this.executor.run(selectByKey, { poolId, clientId, kind })).rows.map((row) =>
      toBranding(row as Row),
    )[0];
  }

  async byId(poolId: string, id: string): Promise<BrandingRecord | undefined> {
    return (await this.executor.run(selectById, { poolId, id })).rows.map((row) => toBranding(row as Row))[0];
  }

  async listOf({ poolId, clientId }: BrandingOwner): Promise<readonly RowWithoutContent[]> {
    return (await this.executor.run(selectOfOwner, { poolId, clientId })).rows as readonly RowWithoutContent[];
  }
}

/** Reads and writes brandings. */
export class SqlBrandingRepository extends SqlBrandingReads implements BrandingRepository {
  async insert(branding: BrandingRecord): Promise<void> {
    await this.executor.run(insertBranding, { ...branding, content: JSON.stringify(branding.content) });
  }

  async update(
    { poolId, clientId, kind }: BrandingKey,
    { content, modifiedAtMs }: Pick<BrandingRecord, 'content' | 'modifiedAtMs'>,
  ): Promise<boolean> {
    const change = { poolId, clientId, kind, content: JSON.stringify(content), modifiedAtMs };
    return (await this.executor.run(updateBranding, change)).rows.length === 1;
  }

  async delete({ poolId, clientId, kind }: BrandingKey): Promise<boolean> {
    return (await this.executor.run(deleteBranding, { poolId, clientId, kind })).rows.length === 1;
  }
}
