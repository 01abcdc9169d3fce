import type { Page, PoolRecord, PoolSettings } from '@poolgate/pool/store';
import { assertLimit, toPage } from '../pages.ts';
import { type Executor, statement } from '../statement.ts';

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

const selectPool = statement((db, p: { id: string }) => db.selectFrom('pools').select(COLUMNS).where('id', '=', p.id));

const selectFirstPool = statement((db) =>
  db.selectFrom('pools').select(COLUMNS).orderBy('created_at_ms').orderBy('id').limit(1),
);

const selectPools = statement((db, p: { after: string; limit: number }) =>
  db.selectFrom('pools').select(COLUMNS).where('id', '>', p.after).orderBy('id').limit(p.limit),
);

const countPools = statement((db) => db.selectFrom('pools').select((eb) => eb.fn.countAll<number>().as('count')));

const insertPool = statement((db, p: Row) =>
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

const updatePool = statement((db, p: Pick<Row, 'id' | 'settings' | 'modifiedAtMs'> & { name: string | null }) =>
  db
    .updateTable('pools')
    .set((eb) => ({
      name: eb.fn.coalesce(eb.val(p.name), 'name'),
      settings: p.settings,
      modified_at_ms: p.modifiedAtMs,
    }))
    .where('id', '=', p.id),
);

const deletePool = statement((db, p: { id: string }) => db.deleteFrom('pools').where('id', '=', p.id).returning('id'));

// Guesses at names that nobody has belong to no user, so nothing takes them along.
const deleteLockouts = statement((db, p: { id: string }) => db.deleteFrom('lockouts').where('pool_id', '=', p.id));

const lockPool = statement((db, p: { id: string }) =>
  db
    .updateTable('pools')
    .set((eb) => ({ modified_at_ms: eb.ref('modified_at_ms') }))
    .where('id', '=', p.id),
);

// Every login reads settings that hardly ever change. Nobody writes to them, so those of the same text are shared.
const settingsByText = new Map<string, PoolSettings>();
const MAX_SETTINGS = 50;

function settingsOf(text: string): PoolSettings {
  const known = settingsByText.get(text);
  if (known !== undefined) return known;
  if (settingsByText.size >= MAX_SETTINGS) settingsByText.clear();
  const settings = JSON.parse(text) as PoolSettings;
  settingsByText.set(text, settings);
  return settings;
}

function toPool(row: Row): PoolRecord {
  return { ...row, settings: settingsOf(row.settings) };
}

/** What of a pool may change. */
export type PoolChange = Pick<PoolRecord, 'settings' | 'modifiedAtMs'> & Partial<Pick<PoolRecord, 'name'>>;

/** User pools. */
export const pools = {
  async get(executor: Executor, id: string): Promise<PoolRecord | undefined> {
    return (await executor.run(selectPool, { id })).rows.map(toPool)[0];
  },

  async first(executor: Executor): Promise<PoolRecord | undefined> {
    return (await executor.run(selectFirstPool, {})).rows.map(toPool)[0];
  },

  async list(executor: Executor, limit: number, cursor: string | undefined): Promise<Page<PoolRecord>> {
    assertLimit(limit);
    // No id sorts before the empty text.
    const { rows } = await executor.run(selectPools, { after: cursor ?? '', limit: limit + 1 });
    return toPage(rows.map(toPool), limit, (pool) => pool.id);
  },

  async count(executor: Executor): Promise<number> {
    return Number((await executor.run(countPools, {})).rows[0]?.count ?? 0);
  },

  async insert(executor: Executor, pool: PoolRecord): Promise<void> {
    await executor.run(insertPool, { ...pool, settings: JSON.stringify(pool.settings) });
  },

  async update(executor: Executor, id: string, { name, settings, modifiedAtMs }: PoolChange): Promise<void> {
    await executor.run(updatePool, { id, name: name ?? null, modifiedAtMs, settings: JSON.stringify(settings) });
  },

  /** Everything that belongs to a pool goes with it; what happened in it stays told. */
  async delete(executor: Executor, id: string): Promise<boolean> {
    await executor.run(deleteLockouts, { id });
    return (await executor.run(deletePool, { id })).rows.length === 1;
  },

  /** Keeps other writes that hold the same pool waiting until this one has ended. */
  async lock(executor: Executor, id: string): Promise<void> {
    await executor.run(lockPool, { id });
  },
};
