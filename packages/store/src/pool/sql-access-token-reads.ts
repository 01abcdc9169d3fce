import type { AccessTokenFacts, AccessTokenQuery, AccessTokenReads } from '@poolgate/pool/store';
import { sql } from 'kysely';
import { selectRevokedAtMs } from '../gateway/revocation-records.ts';
import { createListPlaceholders, type ListParameters, memoizeByKey, toListParameters } from '../sql/list-parameters.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';
import { LOGIN_COLUMNS, type LoginRow, toLogin } from './login-rows.ts';
import { hasUser, type Nullable, selectUserColumns, toUser, type UserRow } from './user-rows.ts';

type FactsQuery = Omit<AccessTokenQuery, 'subjects'> & ListParameters & { readonly nowMs: number };

// The token's signature was verified before, so timing may reveal whether the user exists. As with browser sessions, each subject has a
// column.
const selectFacts = memoizeByKey((subjects: number) =>
  defineStatement((db, p: Placeholders<FactsQuery>, phrases) =>
    db
      .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('token'))
      .leftJoin('logins', (join) => join.on('logins.id', '=', p.loginId))
      .leftJoin('users', (join) => join.on('users.pool_id', '=', p.poolId).on('users.username', '=', p.username))
      .leftJoin('signing_keys', (join) =>
        join
          .on('signing_keys.pool_id', '=', p.poolId)
          .on('signing_keys.kid', '=', p.kid)
          .on('signing_keys.purpose', '=', sql.lit('access')),
      )
      .select(selectUserColumns(phrases))
      .select(LOGIN_COLUMNS)
      .select(['signing_keys.kid', 'signing_keys.retired_at_ms as retiredAtMs'])
      .select(
        createListPlaceholders(p, subjects).map((subject, index) =>
          selectRevokedAtMs(db, { userPoolId: p.poolId, subject, nowMs: p.nowMs }).as(`revoked${index}`),
        ),
      ),
  ),
);

type KeyRow = { readonly kid: string; readonly retiredAtMs: number | null };
type RevocationColumns = Readonly<Record<`revoked${number}`, number | null>>;
type FactsRow = Nullable<UserRow & LoginRow & KeyRow> & RevocationColumns;

/** Whether the outer join found a row, whose key is never null. */
function hasLogin(row: FactsRow): row is FactsRow & LoginRow {
  return row.loginId !== null;
}

function toFacts(row: FactsRow, subjects: readonly string[]): AccessTokenFacts {
  return {
    login: hasLogin(row) ? toLogin(row) : undefined,
    user: hasUser(row) ? toUser(row) : undefined,
    key: row.kid === null ? undefined : { retiredAtMs: row.retiredAtMs },
    revocations: subjects.flatMap((subject, index) => {
      const endedAtMs = row[`revoked${index}`] ?? null;
      return endedAtMs === null ? [] : [{ subject, endedAtMs }];
    }),
  };
}

/** Reads the facts that decide whether access tokens are valid. */
export class SqlAccessTokenReads extends SqlRepository implements AccessTokenReads {
  async findFacts({ subjects, ...query }: AccessTokenQuery, nowMs: number): Promise<AccessTokenFacts> {
    const parameters = { ...query, ...toListParameters(subjects), nowMs };
    const { rows } = await this.executor.run(selectFacts(subjects.length), parameters);
    const [row] = rows;
    if (row === undefined) throw new TypeError('a statement without a condition gives one row');
    return toFacts(row, subjects);
  }
}
