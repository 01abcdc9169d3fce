import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { SQLITE_SQL } from '../sqlite/sqlite-dialect-sql.ts';
import type { Placeholders } from './placeholder.ts';
import {
  CompiledStatements,
  defineStatement,
  defineStatementPair,
  type StatementPair,
  setOrUnchanged,
} from './statement.ts';
import type { Tables } from './tables.ts';

interface Named {
  readonly poolId: string;
  readonly isRemembered: boolean;
  readonly limit: number;
}

/** These statements must compile, except where an error is expected. */
const DECLARED = [
  defineStatement((db, p: Placeholders<Named>) =>
    // @ts-expect-error a number is no id
    db.selectFrom('devices').select('name').where('pool_id', '=', p.limit),
  ),
  defineStatement((db, p: Placeholders<Named>) =>
    // @ts-expect-error a flag is no text
    db.updateTable('devices').set({ name: p.isRemembered }),
  ),
  defineStatement((db, p: Placeholders<Named>) =>
    // @ts-expect-error a text is no moment
    db.insertInto('names').values({ pool_id: p.poolId, name: p.limit, username: p.poolId }),
  ),
  defineStatement((db, p: Placeholders<Named>) =>
    // @ts-expect-error text is not counted in rows
    db.selectFrom('devices').select('name').limit(p.poolId),
  ),
  defineStatement((db, p: Placeholders<Named>) =>
    // @ts-expect-error nobody gives this parameter
    db.selectFrom('devices').select('name').where('pool_id', '=', p.userPoolId),
  ),
  defineStatement((db, p: Placeholders<Named>) =>
    db
      .selectFrom('devices')
      .select('name')
      // @ts-expect-error a placeholder is not the value: there is nothing to compute with
      .limit(p.limit + 1),
  ),
  defineStatement((db, p: Placeholders<Named>) =>
    // @ts-expect-error whether a column is set is a flag
    db.updateTable('devices').set({ name: setOrUnchanged(p.limit, p.poolId, 'name') }),
  ),
  // @ts-expect-error a statement is given placeholders, never values
  defineStatement((db, p: Named) => db.selectFrom('devices').select('name').where('pool_id', '=', p.poolId)),
];

const selectNames = defineStatement((db, p: Placeholders<Named>) =>
  db
    .selectFrom('devices')
    .select('name')
    .where('pool_id', '=', p.poolId)
    .where('remembered', '=', p.isRemembered)
    .limit(p.limit),
);

describe('placeholders', () => {
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const statements = new CompiledStatements(kysely, SQLITE_SQL);

  it('mark the values of a statement, which is compiled once', () => {
    const first = statements.bind(selectNames, { poolId: 'one', isRemembered: true, limit: 1 });
    const second = statements.bind(selectNames, { poolId: 'two', isRemembered: false, limit: 2 });
    assert.equal(first.sql, 'select "name" from "devices" where "pool_id" = ? and "remembered" = ? limit ?');
    assert.deepEqual(
      [first.parameters, second.parameters],
      [
        ['one', true, 1],
        ['two', false, 2],
      ],
    );
    assert.equal(first.query, second.query);
  });

  it('let no statement compile whose parameter does not match its column, is not declared, or is computed with', () => {
    assert.equal(DECLARED.length, 8);
  });

  it('work in both of a pair, which is compiled once', () => {
    const pair = defineStatementPair((db, p: Placeholders<{ readonly name: string }>) => [
      db.deleteFrom('locks').where('name', '=', p.name),
      db.deleteFrom('rates').where('name', '=', p.name),
    ]);
    const [first, second] = [statements.bindBoth(pair, { name: 'a' }), statements.bindBoth(pair, { name: 'b' })];
    const texts = ['delete from "locks" where "name" = ?', 'delete from "rates" where "name" = ?'];
    assert.deepEqual(
      [first, second].map((queries) => queries.map(({ sql, parameters }) => [sql, ...parameters])),
      ['a', 'b'].map((name) => texts.map((text) => [text, name])),
    );
    assert.deepEqual(statements.listTexts(pair as unknown as StatementPair<object>), texts);
    for (const [index, { query }] of first.entries()) assert.equal(query, second[index]?.query);
  });

  it('are never bound without a value', () => {
    const incomplete: object = { poolId: 'one', limit: 1 };
    // @ts-expect-error a parameter is missing
    assert.throws(() => statements.bind(selectNames, incomplete), /isRemembered must be given/);
  });
});
