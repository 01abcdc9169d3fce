import type { Page, SearchableAttribute, UserRecord, UserSearch } from '@poolgate/pool/store';
import { sql } from 'kysely';
import { memoizeByKey } from '../sql/list-parameters.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { toPage, toRowLimit } from '../sql/row-pages.ts';
import { defineStatement, type Executor } from '../sql/statement.ts';
import { IS_FOUND_BY_NAME } from './sql-registration-repository.ts';
import { selectUserColumns, toUser } from './user-rows.ts';
import { findPrefixEnd, foldCase, foldSearchValue, toExactSearchValue } from './user-search-values.ts';

/** A value in the form of its column. */
type SearchKey = string | boolean;

/** The range of values to find. `end` is the first one after them. */
type SearchRange =
  | { readonly kind: 'equals'; readonly key: SearchKey }
  | { readonly kind: 'between'; readonly key: string; readonly end: string }
  | { readonly kind: 'from'; readonly key: SearchKey };

interface SearchSource {
  /** The column of the values, which are sorted; rows of `user_search` are joined to their users. */
  readonly column: 'user_search.value' | 'users.username' | 'users.sub' | 'users.status' | 'users.enabled';
  /** The range to find; undefined if nothing can match. */
  range(match: UserSearch['match'], value: string): SearchRange | undefined;
  /** Returns the value of a user. */
  keyOf(user: UserRecord): SearchKey;
  /** Parses the value in a cursor. */
  parse(text: string): SearchKey;
}

interface SearchParameters {
  readonly poolId: string;
  readonly attribute: SearchableAttribute;
  readonly key: SearchKey;
  readonly end: string;
  readonly afterKey: SearchKey;
  readonly afterUsername: string;
  readonly limit: number;
}

function toTextRange(match: UserSearch['match'], key: string): SearchRange {
  if (match === 'equals') return { kind: 'equals', key };
  const end = findPrefixEnd(key);
  return end === undefined ? { kind: 'from', key } : { kind: 'between', key, end };
}

const identity = (text: string) => text;

function createColumnSource(
  name: SearchSource['column'],
  asKept: (value: string) => string,
  keyOf: SearchSource['keyOf'],
): SearchSource {
  return { column: name, range: (match, value) => toTextRange(match, asKept(value)), keyOf, parse: identity };
}

function createAttributeSource(name: string): SearchSource {
  return createColumnSource('user_search.value', foldSearchValue, (user) => foldCase(user.attributes[name] ?? ''));
}

// In the order of the flag: false, true.
const FLAG_NAMES = ['Disabled', 'Enabled'];

function toFlagRange(match: UserSearch['match'], value: string): SearchRange | undefined {
  const meant = FLAG_NAMES.filter((name) => (match === 'equals' ? name === value : name.startsWith(value)));
  if (meant.length === FLAG_NAMES.length) return { kind: 'from', key: false };
  return meant[0] === undefined ? undefined : { kind: 'equals', key: meant[0] === 'Enabled' };
}

const SOURCES: Readonly<Record<SearchableAttribute, SearchSource>> = {
  username: createColumnSource('users.username', toExactSearchValue, (user) => user.username),
  // A sub or status has only one case.
  sub: createColumnSource(
    'users.sub',
    (value) => toExactSearchValue(value).toLowerCase(),
    (user) => user.sub,
  ),
  'cognito:user_status': createColumnSource(
    'users.status',
    (value) => toExactSearchValue(value).toUpperCase(),
    (user) => user.status,
  ),
  status: {
    column: 'users.enabled',
    range: toFlagRange,
    keyOf: (user) => user.enabled,
    parse: (text) => text === 'true',
  },
  email: createAttributeSource('email'),
  phone_number: createAttributeSource('phone_number'),
  name: createAttributeSource('name'),
  given_name: createAttributeSource('given_name'),
  family_name: createAttributeSource('family_name'),
  preferred_username: createAttributeSource('preferred_username'),
};

function buildCondition(
  kind: SearchRange['kind'],
  value: SearchSource['column'],
  username: string,
  p: Placeholders<SearchParameters>,
) {
  const [key, name] = [sql.ref(value), sql.ref(username)];
  // For one value, the username alone decides the order, so it is an index order however the database handles row values.
  if (kind === 'equals') return sql<boolean>`${key} = ${p.key} and ${name} > ${p.afterUsername}`;
  const after = sql<boolean>`(${key}, ${name}) > (${p.afterKey}, ${p.afterUsername})`;
  return kind === 'from' ? after : sql<boolean>`${key} < ${p.end} and ${after}`;
}

function selectFound(value: SearchSource['column'], kind: SearchRange['kind']) {
  const isRow = value === 'user_search.value';
  const username = isRow ? 'user_search.username' : 'users.username';
  const order = kind === 'equals' ? sql.ref(username) : sql`${sql.ref(value)}, ${sql.ref(username)}`;
  return defineStatement((db, p: Placeholders<SearchParameters>, phrases) => {
    const found = buildCondition(kind, value, username, p);
    if (!isRow) {
      return db
        .selectFrom('users')
        .select(selectUserColumns(phrases))
        .where('users.pool_id', '=', p.poolId)
        .where(found)
        .where(IS_FOUND_BY_NAME)
        .orderBy(order)
        .limit(p.limit);
    }
    return db
      .selectFrom('user_search')
      .innerJoin('users', (join) =>
        join.onRef('users.pool_id', '=', 'user_search.pool_id').onRef('users.username', '=', 'user_search.username'),
      )
      .select(selectUserColumns(phrases))
      .where('user_search.pool_id', '=', p.poolId)
      .where('user_search.attribute', '=', p.attribute)
      .where(found)
      .where(IS_FOUND_BY_NAME)
      .orderBy(order)
      .limit(p.limit);
  });
}

const findSearchStatement = memoizeByKey((value: SearchSource['column']) =>
  memoizeByKey((kind: SearchRange['kind']) => selectFound(value, kind)),
);

interface Position {
  readonly afterKey: SearchKey;
  readonly afterUsername: string;
}

function toCursor(key: SearchKey, username: string): string {
  const text = String(key);
  return `${text.length}:${text}${username}`;
}

function toPosition(cursor: string, source: SearchSource): Position {
  const [, length, rest = ''] = /^(\d{1,6}):(.*)$/s.exec(cursor) ?? [];
  if (length === undefined) throw new RangeError('cursor must come from the page before');
  return { afterKey: source.parse(rest.slice(0, Number(length))), afterUsername: rest.slice(Number(length)) };
}

const NOBODY: Page<UserRecord> = { rows: [], nextCursor: undefined };

/**
 * Finds users that meet a condition, sorted by the value, then by username. Each page is one range of one index.
 * @throws RangeError for a limit below 1, an invalid cursor, or a value that is longer than any Cognito filter
 */
export async function searchUsers(
  executor: Executor,
  poolId: string,
  search: UserSearch,
  limit: number,
  cursor: string | undefined,
): Promise<Page<UserRecord>> {
  const rowLimit = toRowLimit(limit);
  const source = SOURCES[search.attribute];
  const range = source.range(search.match, search.value);
  if (range === undefined) return NOBODY;
  const start: Position = { afterKey: range.key, afterUsername: '' };
  const { rows } = await executor.run(findSearchStatement(source.column)(range.kind), {
    poolId,
    attribute: search.attribute,
    key: range.key,
    end: range.kind === 'between' ? range.end : '',
    ...(cursor === undefined ? start : toPosition(cursor, source)),
    limit: rowLimit,
  });
  return toPage(rows.map(toUser), limit, (user) => toCursor(source.keyOf(user), user.username));
}
