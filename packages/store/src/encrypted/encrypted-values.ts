import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement, type Executor, type Statement } from '../sql/statement.ts';
import {
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  type EncryptedColumnFormat,
  type EncryptedColumnInfo,
} from './encrypted-columns.ts';

/** The encrypted text of a row, as stored. */
export interface EncryptedValue {
  /** The values of the primary key. */
  readonly key: readonly string[];
  /** The text that the encryption is bound to. */
  readonly boundTo: string;
  /** One text, or several if the column contains a list. */
  readonly ciphertext: readonly string[];
}

/** A value and its replacement. */
export interface EncryptedChange {
  readonly from: EncryptedValue;
  readonly ciphertext: readonly string[];
}

/** How many texts of a column use a key. */
export interface EncryptedCount {
  readonly column: EncryptedColumn;
  /** The prefix of a text before the `.`. */
  readonly keyId: string;
  readonly count: number;
}

/** All encrypted values of a database, whatever they mean. Used to replace the encryption key. */
export interface EncryptedValues {
  readonly columns: readonly EncryptedColumn[];
  /**
   * Returns the next rows of a column in the order of their keys, except those that use one key.
   * @param without the id of that key
   * @param after the key of the last row of the previous page; undefined for the first page
   */
  page(
    column: EncryptedColumn,
    without: string,
    after: readonly string[] | undefined,
    limit: number,
  ): Promise<readonly EncryptedValue[]>;
  /** Replaces each old value that is still unchanged, in one atomic write. Returns the number of replaced values. */
  replace(column: EncryptedColumn, changes: readonly EncryptedChange[]): Promise<number>;
  /** Counts the values by column and key. */
  count(): Promise<readonly EncryptedCount[]>;
}

/** How a format is read and written. */
interface Codec {
  read(value: string): readonly string[];
  write(ciphertext: readonly string[]): string;
}

const CODECS: Readonly<Record<EncryptedColumnFormat, Codec>> = {
  text: { read: (value) => [value], write: ([text = '']) => text },
  list: { read: (value) => JSON.parse(value) as readonly string[], write: (texts) => JSON.stringify(texts) },
  hex: {
    read: (value) => [Buffer.from(value, 'hex').toString('utf8')],
    write: ([text = '']) => Buffer.from(text, 'utf8').toString('hex'),
  },
};

/** The number of characters at the start of an encrypted text that name the key. */
const KEY_ID_CHARACTERS = 9;

const ROWS_PER_PAGE = 500;

type Keys = Readonly<Record<`key${number}`, string>>;

const toKeyParameters = (key: readonly string[]): Keys =>
  Object.fromEntries(key.map((text, index) => [`key${index}`, text]));

/** A row: its key and its binding as `key0`, `bound0` and so on, and its value. */
type Row = Readonly<Record<string, string>>;

interface CountRow {
  readonly keyId: string;
  readonly count: number | string;
}

interface Statements {
  readonly page: Statement<Keys & { readonly without: string; readonly limit: number }, Row>;
  readonly replace: Statement<Keys & { readonly from: string; readonly to: string }, unknown>;
  readonly count: Statement<object, CountRow>;
}

function selectAliased(columns: readonly string[], prefix: string): RawBuilder<unknown> {
  return sql.join(columns.map((column, index) => sql`${sql.ref(column)} as ${sql.ref(`${prefix}${index}`)}`));
}

function buildStatements<Parameters extends object, Result>(
  make: (parameters: Placeholders<Parameters>) => RawBuilder<Result>,
): Statement<Parameters, Result> {
  return defineStatement((db, parameters) => ({ compile: () => make(parameters).compile(db) }));
}

function createColumnStatements({ table: tableName, name, key, boundTo }: EncryptedColumnInfo): Statements {
  const table = sql.table(tableName);
  const value = sql.ref(name);
  const keyId = sql`substr(${value}, 1, ${sql.lit(KEY_ID_CHARACTERS)})`;
  const keyColumns = sql.join(key.map((column) => sql.ref(column)));
  const keySlots = (p: Placeholders<Keys>): RawBuilder<unknown> => sql.join(key.map((_, index) => p[`key${index}`]));
  return {
    // Lists and hexadecimal digits never start with a key id, so all rows are returned.
    page: buildStatements(
      (
        p,
      ) => sql<Row>`select ${selectAliased(key, 'key')}, ${selectAliased(boundTo, 'bound')}, ${value} as value from ${table}
        where ${value} is not null and (${keyColumns}) > (${keySlots(p)}) and ${keyId} <> ${p.without}
        order by ${keyColumns} limit ${p.limit}`,
    ),
    replace: buildStatements(
      (p) =>
        sql`update ${table} set ${value} = ${p.to} where (${keyColumns}) = (${keySlots(p)}) and ${value} = ${p.from}`,
    ),
    count: buildStatements(
      () => sql<CountRow>`select ${keyId} as ${sql.ref('keyId')}, count(*) as count from ${table}
        where ${value} is not null group by ${keyId} order by ${keyId}`,
    ),
  };
}

const COLUMNS_BY_NAME = new Map(
  ENCRYPTED_COLUMNS.map((info) => [info.column, { info, statements: createColumnStatements(info) }]),
);

function requireColumnInfo(column: EncryptedColumn) {
  const found = COLUMNS_BY_NAME.get(column);
  if (found === undefined) throw new RangeError(`${column} is no column with encrypted text`);
  return found;
}

function readTexts(row: Row, prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => row[`${prefix}${index}`] ?? '');
}

/** Creates the access to the encrypted values of a database. */
export function createEncryptedValues({ reads, write }: Pick<Database, 'reads' | 'write'>): EncryptedValues {
  const page: EncryptedValues['page'] = async (column, without, after, limit) => {
    const { info, statements } = requireColumnInfo(column);
    const { key, boundTo, form } = info;
    const from = toKeyParameters(after ?? key.map(() => ''));
    const { rows } = await reads.run(statements.page, { ...from, without, limit });
    return rows.map((row) => ({
      key: readTexts(row, 'key', key.length),
      boundTo: readTexts(row, 'bound', boundTo.length).join('/'),
      ciphertext: CODECS[form].read(row.value ?? ''),
    }));
  };
  return {
    columns: ENCRYPTED_COLUMNS.map(({ column }) => column),
    page,
    replace(column, changes) {
      const { info, statements } = requireColumnInfo(column);
      const { write: asValue } = CODECS[info.form];
      return write(async (executor) => {
        let replaced = 0;
        for (const { from, ciphertext } of changes) {
          const values = { ...toKeyParameters(from.key), from: asValue(from.ciphertext), to: asValue(ciphertext) };
          replaced += (await executor.run(statements.replace, values)).changes;
        }
        return replaced;
      });
    },
    async count() {
      const counts: EncryptedCount[] = [];
      for (const { column, form } of ENCRYPTED_COLUMNS) {
        const found = form === 'text' ? await countColumn(reads, column) : await countColumnByRow(page, column);
        for (const [keyId, count] of found) counts.push({ column, keyId, count });
      }
      return counts;
    },
  };
}

async function countColumn(reads: Executor, column: EncryptedColumn): Promise<readonly (readonly [string, number])[]> {
  const { rows } = await reads.run(requireColumnInfo(column).statements.count, {});
  return rows.map(({ keyId, count }) => [keyId, Number(count)] as const);
}

/** For formats that the database cannot search. */
async function countColumnByRow(
  page: EncryptedValues['page'],
  column: EncryptedColumn,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  let after: readonly string[] | undefined;
  while (true) {
    const rows = await page(column, '', after, ROWS_PER_PAGE);
    for (const text of rows.flatMap((row) => row.ciphertext)) {
      const keyId = text.slice(0, KEY_ID_CHARACTERS);
      counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
    }
    if (rows.length < ROWS_PER_PAGE) return counts;
    after = rows.at(-1)?.key;
  }
}
