import type { PoolRecord, PoolSettings } from '@poolgate/pool/store';
import { type Executor, statement } from '../statement.ts';

type Row = Omit<PoolRecord, 'settings'> & { readonly settings: string };

const COLUMNS = [
  'id',
  'name',
  'region',
  'settings',
  'secret_sealed as secretSealed',
  'created_at_ms as createdAtMs',
  'modified_at_ms as modifiedAtMs',
] as const;

const selectPool = statement((db, p: { id: string }) => db.selectFrom('pools').select(COLUMNS).where('id', '=', p.id));

const selectFirstPool = statement((db) =>
  db.selectFrom('pools').select(COLUMNS).orderBy('created_at_ms').orderBy('id').limit(1),
);

const insertPool = statement((db, p: Row) =>
  db.insertInto('pools').values({
    id: p.id,
    name: p.name,
    region: p.region,
    settings: p.settings,
    secret_sealed: p.secretSealed,
    created_at_ms: p.createdAtMs,
    modified_at_ms: p.modifiedAtMs,
  }),
);

const updatePool = statement((db, p: Pick<Row, 'id' | 'settings' | 'modifiedAtMs'>) =>
  db.updateTable('pools').set({ settings: p.settings, modified_at_ms: p.modifiedAtMs }).where('id', '=', p.id),
);

const holdPool = statement((db, p: { id: string }) =>
  db
    .updateTable('pools')
    .set((eb) => ({ modified_at_ms: eb.ref('modified_at_ms') }))
    .where('id', '=', p.id),
);

function toPool(row: Row | undefined): PoolRecord | undefined {
  return row && { ...row, settings: JSON.parse(row.settings) as PoolSettings };
}

/** User pools. */
export const pools = {
  async get(executor: Executor, id: string): Promise<PoolRecord | undefined> {
    return toPool((await executor.run(selectPool, { id })).rows[0]);
  },

  async first(executor: Executor): Promise<PoolRecord | undefined> {
    return toPool((await executor.run(selectFirstPool, {})).rows[0]);
  },

  async insert(executor: Executor, pool: PoolRecord): Promise<void> {
    await executor.run(insertPool, { ...pool, settings: JSON.stringify(pool.settings) });
  },

  async update(executor: Executor, id: string, change: Pick<PoolRecord, 'settings' | 'modifiedAtMs'>): Promise<void> {
    await executor.run(updatePool, { id, ...change, settings: JSON.stringify(change.settings) });
  },

  /** Keeps other writes that hold the same pool waiting until this one has ended. */
  async hold(executor: Executor, id: string): Promise<void> {
    await executor.run(holdPool, { id });
  },
};
