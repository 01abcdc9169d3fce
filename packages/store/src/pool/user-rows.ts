import type { MfaMethod, UserGroup, UserRecord, UserStatus } from '@poolgate/pool/store';
import { type AliasedRawBuilder, sql } from 'kysely';
import type { DialectSql } from '../sql/statement.ts';

/** A user as selected. */
export interface UserRow {
  readonly poolId: string;
  readonly username: string;
  readonly sub: string;
  readonly status: string;
  readonly enabled: boolean | 0 | 1;
  readonly attributes: string;
  readonly mfaMethods: string;
  readonly preferredMfa: string | null;
  readonly deletionAtMs: number | null;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  /** JSON; null for none. */
  readonly groups: string | null;
}

/** A row of an outer join. */
export type Nullable<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

/** Whether the outer join found a user, whose `sub` is never null. */
export function hasUser<Row extends Nullable<UserRow>>(row: Row): row is Row & UserRow {
  return row.sub !== null;
}

const COLUMNS = [
  'users.pool_id as poolId',
  'users.username',
  'users.sub',
  'users.status',
  'users.enabled',
  'users.attributes',
  'users.mfa_methods as mfaMethods',
  'users.preferred_mfa as preferredMfa',
  'users.deletion_at_ms as deletionAtMs',
  'users.created_at_ms as createdAtMs',
  'users.modified_at_ms as modifiedAtMs',
] as const;

// Selected together with the user, because a login reads its user once. Most users are in no group, and checking that first costs a tenth
// of building an empty list.
function selectUserGroups({ jsonArrayOf, jsonObject }: DialectSql): AliasedRawBuilder<string | null, 'groups'> {
  const ofUser = sql`memberships.pool_id = users.pool_id and memberships.username = users.username`;
  const group = sql`${jsonObject}('name', groups.name, 'precedence', groups.precedence, 'roleArn', groups.role_arn)`;
  const order = sql`groups.precedence is null, groups.precedence, groups.name`;
  const list = sql`select cast(${jsonArrayOf}(${group} order by ${order}) as text)
    from memberships join groups on groups.pool_id = memberships.pool_id and groups.name = memberships.group_name
    where ${ofUser}`;
  const guarded = sql<string | null>`case when exists (select 1 from memberships where ${ofUser}) then (${list}) end`;
  return guarded.as('groups');
}

/** The columns of a {@link UserRow}, in a query of `users`. */
export function selectUserColumns(phrases: DialectSql) {
  return [...COLUMNS, selectUserGroups(phrases)] as const;
}

function parseList<Item>(json: string | null): Item[] {
  return json === null ? [] : (JSON.parse(json) as Item[]);
}

/** Creates the record from a row, which may have additional columns. */
export function toUser(row: UserRow): UserRecord {
  return {
    poolId: row.poolId,
    username: row.username,
    sub: row.sub,
    status: row.status as UserStatus,
    enabled: Boolean(row.enabled),
    attributes: JSON.parse(row.attributes) as Record<string, string>,
    mfaMethods: parseList<MfaMethod>(row.mfaMethods),
    preferredMfa: row.preferredMfa as MfaMethod | null,
    groups: parseList<UserGroup>(row.groups),
    deletionAtMs: row.deletionAtMs,
    createdAtMs: row.createdAtMs,
    modifiedAtMs: row.modifiedAtMs,
  };
}
