import { createListPlaceholders, type ListParameters, memoizeByKey, toListParameters } from '../sql/list-parameters.ts';
import { type Placeholders, requirePlaceholder } from '../sql/placeholder.ts';
import { defineStatement, type Executor } from '../sql/statement.ts';
import { type IndexedAttribute, toSearchRows, type UserSearchRow } from './user-search-values.ts';

interface Owner {
  readonly poolId: string;
  readonly username: string;
}

const selectRows = defineStatement((db, p: Placeholders<Owner>) =>
  db
    .selectFrom('user_search')
    .select(['attribute', 'value'])
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username),
);

// The attributes first, then their values.
const insertRows = memoizeByKey((count: number) =>
  defineStatement((db, p: Placeholders<Owner & ListParameters>) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      pool_id: p.poolId,
      attribute: requirePlaceholder(p, `item${index}`),
      value: requirePlaceholder(p, `item${count + index}`),
      username: p.username,
    }));
    return db.insertInto('user_search').values(rows);
  }),
);

const deleteRows = memoizeByKey((count: number) =>
  defineStatement((db, p: Placeholders<Owner & ListParameters>) =>
    db
      .deleteFrom('user_search')
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('attribute', 'in', createListPlaceholders(p, count)),
  ),
);

const isIn =
  (rows: readonly { readonly attribute: string; readonly value: string }[]) =>
  ({ attribute, value }: UserSearchRow): boolean =>
    rows.some((row) => row.attribute === attribute && row.value === value);

async function insertSearchRows(executor: Executor, owner: Owner, rows: readonly UserSearchRow[]): Promise<void> {
  if (rows.length === 0) return;
  const items = toListParameters([...rows.map((row) => row.attribute), ...rows.map((row) => row.value)]);
  await executor.run(insertRows(rows.length), { ...items, ...owner });
}

/** Maintains the search values of users, in step with their attributes. */
export const userSearchWriter = {
  async insert(executor: Executor, owner: Owner, attributes: Readonly<Record<string, string>>): Promise<void> {
    await insertSearchRows(executor, owner, toSearchRows(attributes));
  },

  /** Writes only changed values, because most attribute changes do not concern the search. */
  async update(executor: Executor, owner: Owner, attributes: Readonly<Record<string, string>>): Promise<void> {
    const rows = toSearchRows(attributes);
    const before = (await executor.run(selectRows, owner)).rows as readonly UserSearchRow[];
    const gone = before.filter((row) => !isIn(rows)(row)).map((row): IndexedAttribute => row.attribute);
    if (gone.length > 0) await executor.run(deleteRows(gone.length), { ...toListParameters(gone), ...owner });
    await insertSearchRows(
      executor,
      owner,
      rows.filter((row) => !isIn(before)(row)),
    );
  },
};
