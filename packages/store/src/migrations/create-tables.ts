import type { CreateTableBuilder, Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

// This code created the tables of existing databases. A migration that needs different tables gets its own code.

type ColumnKind = 'text' | 'integer' | 'flag';
type Column = ColumnKind | `${ColumnKind}?`;

/** A table to create. */
export interface TableShape {
  readonly columns: Readonly<Record<string, Column>>;
  readonly key: readonly string[];
  readonly unique?: readonly string[];
  /** The owner: its table, and the matching columns of both tables. Rows are deleted with their owner. */
  readonly owner?: { readonly table: string; readonly columns: readonly string[]; readonly key: readonly string[] };
  readonly indexes?: readonly (readonly string[])[];
}

/** Rows that are deleted with their pool. */
export const POOL_OWNER = { table: 'pools', columns: ['pool_id'], key: ['id'] };

/** Rows that are deleted with their user. */
export const USER_OWNER = { table: 'users', columns: ['pool_id', 'username'], key: ['pool_id', 'username'] };

type Builder = CreateTableBuilder<string, string>;

function addColumns(table: Builder, shape: TableShape, types: ColumnTypes): Builder {
  return Object.entries(shape.columns).reduce((builder, [name, column]) => {
    const kind = column.replace('?', '') as ColumnKind;
    return builder.addColumn(name, types[kind].$castTo<never>(), (definition) =>
      column.endsWith('?') ? definition : definition.notNull(),
    );
  }, table);
}

function addConstraints(table: Builder, name: string, shape: TableShape): Builder {
  const keyed = table.addPrimaryKeyConstraint(`${name}_key`, [...shape.key]);
  const unique = shape.unique ? keyed.addUniqueConstraint(`${name}_unique`, [...shape.unique]) : keyed;
  const { owner } = shape;
  if (owner === undefined) return unique;
  return unique.addForeignKeyConstraint(
    `${name}_owner`,
    [...owner.columns],
    owner.table,
    [...owner.key],
    (constraint) => constraint.onDelete('cascade'),
  );
}

async function createTable(
  database: Kysely<unknown>,
  name: string,
  shape: TableShape,
  types: ColumnTypes,
): Promise<void> {
  const table = addColumns(database.schema.createTable(name), shape, types);
  await addConstraints(table, name, shape).modifyEnd(types.tableOptions).execute();
  for (const columns of shape.indexes ?? []) {
    const index = `${name}_by_${columns.join('_')}`;
    await database.schema
      .createIndex(index)
      .on(name)
      .columns([...columns])
      .execute();
  }
}

/** Creates tables by name, owners before the tables that reference them. */
export async function createTables(
  database: Kysely<unknown>,
  tables: Readonly<Record<string, TableShape>>,
  types: ColumnTypes,
): Promise<void> {
  for (const [name, shape] of Object.entries(tables)) await createTable(database, name, shape, types);
}
