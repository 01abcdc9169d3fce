import { type Items, listParameters, listPlaceholders, madeOnce } from '../lists.ts';
import { type Placeholders, placeholderOf } from '../placeholder.ts';
import { type Executor, statement } from '../statement.ts';
import { type RowAttribute, type SearchRow, searchRowsOf } from './search-values.ts';

interface Owner {
  readonly poolId: string;
  readonly username: string;
}

const selectRows = statement((db, p: Placeholders<Owner>) =>
  db
    .selectFrom('user_search')
    .select(['attribute', 'value'])
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username),
);

// The attributes first, then their values.
const insertRows = madeOnce((count: number) =>
  statement((db, p: Placeholders<Owner & Items>) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      pool_id: p.poolId,
      attribute: placeholderOf(p, `item${index}`),
      value: placeholderOf(p, `item${count + index}`),
      username: p.username,
    }));
    return db.insertInto('user_search').values(rows);
  }),
);

const deleteRows = madeOnce((count: number) =>
  statement((db, p: Placeholders<Owner & Items>) =>
    db
      .deleteFrom('user_search')
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('attribute', 'in', listPlaceholders(p, count)),
  ),
);

const isIn =
  (rows: readonly { readonly attribute: string; readonly value: string }[]) =>
  ({ attribute, value }: SearchRow): boolean =>
    rows.some((row) => row.attribute === attribute && row.value === value);

async function insert(executor: Executor, owner: Owner, rows: readonly SearchRow[]): Promise<void> {
  if (rows.length === 0) return;
  const items = listParameters([...rows.map((row) => row.attribute), ...rows.map((row) => row.value)]);
  await executor.run(insertRows(rows.length), { ...items, ...owner });
}

/** The values by which users are found, kept in step with their attributes. */
export const searchRows = {
  async insert(executor: Executor, owner: Owner, attributes: Readonly<Record<string, string>>): Promise<void> {
    await insert(executor, owner, searchRowsOf(attributes));
  },

  /** Writes only what is another than before: most changes of attributes are of none that users are searched by. */
  async update(executor: Executor, owner: Owner, attributes: Readonly<Record<string, string>>): Promise<void> {
    const rows = searchRowsOf(attributes);
    const before = (await executor.run(selectRows, owner)).rows as readonly SearchRow[];
    const gone = before.filter((row) => !isIn(rows)(row)).map((row): RowAttribute => row.attribute);
    if (gone.length > 0) await executor.run(deleteRows(gone.length), { ...listParameters(gone), ...owner });
    await insert(
      executor,
      owner,
      rows.filter((row) => !isIn(before)(row)),
    );
  },
};
