import type { DatabaseTarget } from '../../packages/store/src/sql/database-url.ts';
import { parseDatabaseUrl } from '../../packages/store/src/sql/database-url.ts';
import { execute } from '../../packages/store/src/testing/execute.ts';

type Kind = Exclude<DatabaseTarget['kind'], 'memory'>;

/** How each dialect counts rows from one number to another, and writes a number as eight digits. */
const COUNTED: Readonly<Record<Kind, (first: number, last: number) => string>> = {
  file: (first, last) =>
    `(with recursive counted(i) as (select ${first} union all select i + 1 from counted where i < ${last - 1}) select i from counted) as n`,
  postgres: (first, last) => `generate_series(${first}::bigint, ${last - 1}::bigint) as n(i)`,
};
const SPREAD: Readonly<Record<Kind, string>> = {
  file: `printf('%08x', (i * 2654435761) % 4294967296)`,
  postgres: `lpad(to_hex((i * 2654435761) % 4294967296), 8, '0')`,
};
const PADDED: Readonly<Record<Kind, string>> = { file: `printf('%010d', i)`, postgres: `lpad(i::text, 10, '0')` };
const AFTERWARDS: Readonly<Record<Kind, string>> = {
  file: 'pragma wal_checkpoint(truncate); analyze',
  postgres: 'analyze',
};

/** The differences between a row and its copy: columns by name, as expressions. Other columns are unchanged. */
export type ColumnExpressions = Readonly<Record<string, string>>;

/** Copies of one row of a table that differ from it and from each other. */
export interface BallastTable {
  readonly table: string;
  readonly columns: readonly string[];
  /** Selects the row to copy. */
  readonly where: string;
  /** `{key}` is replaced with a different text for each copy, spread over the alphabet; `{number}` with ten consecutive digits. */
  readonly changes: ColumnExpressions;
}

/** Adds copies by number, from the first up to the last, exclusive. */
export async function addBallast(
  url: string,
  ballast: readonly BallastTable[],
  first: number,
  last: number,
): Promise<void> {
  const { kind } = parseDatabaseUrl(url);
  if (kind === 'memory') throw new TypeError('a database in memory cannot be reached');
  const texts = ballast.map(({ table, columns, where, changes }) => {
    const values = columns.map((column) =>
      column in changes
        ? (changes[column] ?? '')
            .replaceAll('{key}', `(${SPREAD[kind]} || '-' || i)`)
            .replaceAll('{number}', PADDED[kind])
        : `t.${column}`,
    );
    return `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from (select * from ${table} where ${where} limit 1) as t, ${COUNTED[kind](first, last)}`;
  });
  await execute(url, kind === 'file' ? `begin; ${texts.join('; ')}; commit` : texts.join('; '));
  await execute(url, AFTERWARDS[kind]);
}
