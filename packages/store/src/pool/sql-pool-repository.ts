import type { Page, PoolChange, PoolRecord, PoolRecordReads, PoolRepository, PoolSettings } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { toPage, toRowLimit } from '../sql/row-pages.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement, LIMIT_ONE, type Writer } from '../sql/statement.ts';

type Row = Omit<PoolRecord, 'settings'> & { readonly settings: string };

const COLUMNS = [
  'id',
  'name',
  'region',
  'settings',
  'secret_sealed as secretEncrypted',
  'created_at_ms as createdAtMs',
  'modified_at_ms as modifiedAtMs',
] as const;

const selectPool = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('pools').select(COLUMNS).where('id', '=', p.id),
);

const selectFirstPool = defineStatement((db) =>
  db.selectFrom('pools').select(COLUMNS).orderBy('created_at_ms').orderBy('id').limit(LIMIT_ONE),
);

const selectPools = defineStatement((db, p: Placeholders<{ after: string; limit: number }>) =>
  db.selectFrom('pools').select(COLUMNS).where('id', '>', p.after).orderBy('id').limit(p.limit),
);

const countPools = defineStatement((db) => db.selectFrom('pools').select((eb) => eb.fn.countAll<number>().as('count')));

const insertPool = defineStatement((db, p: Placeholders<Row>) =>
  db.insertInto('pools').values({
    id: p.id,
    name: p.name,
    region: p.region,
    settings: p.settings,
    secret_sealed: p.secretEncrypted,
    created_at_ms: p.createdAtMs,
    modified_at_ms: p.modifiedAtMs,
  }),
);

const updatePool = defineStatement(
  (db, p: Placeholders<Pick<Row, 'id' | 'settings' | 'modifiedAtMs'> & { name: string | null }>) =>
    db
      .updateTable('pools')
      .set((eb) => ({
        name: eb.fn.coalesce(p.name, 'name'),
        settings: p.settings,
        modified_at_ms: p.modifiedAtMs,
      }))
      .where('id', '=', p.id),
);

const deletePool = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('pools').where('id', '=', p.id).returning('id'),
);

// Guesses at unknown usernames belong to no user, and counters for subjects that may not exist have no owner. Both must be deleted
// explicitly.
const DELETIONS = (['allowances', 'lockouts'] as const).map((table) =>
  defineStatement((db, p: Placeholders<{ id: string }>) => db.deleteFrom(table).where('pool_id', '=', p.id)),
);

const touchPool = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db
    .updateTable('pools')
    .set((eb) => ({ modified_at_ms: eb.ref('modified_at_ms') }))
    .where('id', '=', p.id),
);

// Every login reads settings that rarely change and are never mutated, so equal texts share one object.
const settingsByText = new Map<string, PoolSettings>();
const MOST_SETTINGS = 50;

function parseSettings(text: string): PoolSettings {
  const known = settingsByText.get(text);
  if (known !== undefined) return known;
  if (settingsByText.size >= MOST_SETTINGS) settingsByText.clear();
  const settings = JSON.parse(text) as PoolSettings;
  settingsByText.set(text, settings);
  return settings;
}

function toPool(row: Row): PoolRecord {
  return { ...row, settings: parseSettings(row.settings) };
}

/** Locks a pool: other writes that lock it wait until this one has ended. */
export async function lockPool(writer: Writer, id: string): Promise<void> {
  if (!writer.isExclusive) await writer.run(touchPool, { id });
}

/** Reads user pools. */
export class SqlPoolRecordReads extends SqlRepository implements PoolRecordReads {
  async byId(id: string): Promise<PoolRecord | undefined> {
    return (await this.executor.run(selectPool, { id })).rows.map(toPool)[0];
  }

  async first(): Promise<PoolRecord | undefined> {
    return (await this.executor.run(selectFirstPool, {})).rows.map(toPool)[0];
  }

  async list(limit: number, cursor: string | undefined): Promise<Page<PoolRecord>> {
    // No id sorts before the empty text.
    const { rows } = await this.executor.run(selectPools, { after: cursor ?? '', limit: toRowLimit(limit) });
    return toPage(rows.map(toPool), limit, (pool) => pool.id);
  }
}

/** Reads and writes user pools. */
export class SqlPoolRepository extends SqlPoolRecordReads implements PoolRepository {
  async count(): Promise<number> {
    return this.readCount(countPools, {});
  }

  async insert(pool: PoolRecord): Promise<void> {
    await this.executor.run(insertPool, { ...pool, settings: JSON.stringify(pool.settings) });
  }

  async update(id: string, { name, settings, modifiedAtMs }: PoolChange): Promise<void> {
    await this.executor.run(updatePool, { id, name: name ?? null, modifiedAtMs, settings: JSON.stringify(settings) });
  }

  /** Everything in a pool is deleted with it, except its audit events. */
  async delete(id: string): Promise<boolean> {
    for (const deletion of DELETIONS) await this.executor.run(deletion, { id });
    return (await this.executor.run(deletePool, { id })).rows.length === 1;
  }
}
