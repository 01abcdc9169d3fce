import type { Page, SearchableAttribute, UserRecord, UserSearch } from '@poolgate/pool/store';
import { sql } from 'kysely';
import { madeOnce } from '../lists.ts';
import { rowsForPage, toPage } from '../pages.ts';
import type { Placeholders } from '../placeholder.ts';
import { type Executor, statement } from '../statement.ts';
import { isListed } from './registrations.ts';
import { endOfPrefix, exactSearch, folded, foldedSearch } from './search-values.ts';
import { toUser, userColumns } from './user-rows.ts';

/** A value as its column holds it. */
type Key = string | boolean;

/** Which values are asked for. `end` is the first one after them. */
type Range =
  | { readonly kind: 'equals'; readonly key: Key }
  | { readonly kind: 'between'; readonly key: string; readonly end: string }
  | { readonly kind: 'from'; readonly key: Key };

interface SearchSource {
  /** Where the values are, in their order; the rows of `user_search` are joined to their users. */
  readonly column: 'user_search.value' | 'users.username' | 'users.sub' | 'users.status' | 'users.enabled';
  /** What is asked for; undefined where nothing can be found. */
  range(match: UserSearch['match'], value: string): Range | undefined;
  /** The value of a user. */
  keyOf(user: UserRecord): Key;
  /** The value in a cursor. */
  parse(text: string): Key;
}

interface SearchParameters {
  readonly poolId: string;
  readonly attribute: SearchableAttribute;
  readonly key: Key;
  readonly end: string;
  readonly afterKey: Key;
  readonly afterUsername: string;
  readonly limit: number;
}

function textRange(match: UserSearch['match'], key: string): Range {
  if (match === 'equals') return { kind: 'equals', key };
  const end = endOfPrefix(key);
  return end === undefined ? { kind: 'from', key } : { kind: 'between', key, end };
}

const identity = (text: string) => text;

function column(
  name: SearchSource['column'],
  asKept: (value: string) => string,
  keyOf: SearchSource['keyOf'],
): SearchSource {
  return { column: name, range: (match, value) => textRange(match, asKept(value)), keyOf, parse: identity };
}

function attribute(name: string): SearchSource {
  return column('user_search.value', foldedSearch, (user) => folded(user.attributes[name] ?? ''));
}

// In the order of the flag: false, true.
const FLAG_NAMES = ['Disabled', 'Enabled'];

function flagRange(match: UserSearch['match'], value: string): Range | undefined {
  const meant = FLAG_NAMES.filter((name) => (match === 'equals' ? name === value : name.startsWith(value)));
  if (meant.length === FLAG_NAMES.length) return { kind: 'from', key: false };
  return meant[0] === undefined ? undefined : { kind: 'equals', key: meant[0] === 'Enabled' };
}

const SOURCES: Readonly<Record<SearchableAttribute, SearchSource>> = {
  username: column('users.username', exactSearch, (user) => user.username),
  // A sub and a status have one case only.
  sub: column(
    'users.sub',
    (value) => exactSearch(value).toLowerCase(),
    (user) => user.sub,
  ),
  'cognito:user_status': column(
    'users.status',
    (value) => exactSearch(value).toUpperCase(),
    (user) => user.status,
  ),
  status: {
    column: 'users.enabled',
    range: flagRange,
    keyOf: (user) => user.enabled,
    parse: (text) => text === 'true',
  },
  email: attribute('email'),
  phone_number: attribute('phone_number'),
  name: attribute('name'),
  given_name: attribute('given_name'),
  family_name: attribute('family_name'),
  preferred_username: attribute('preferred_username'),
};

function conditionOf(
  kind: Range['kind'],
  value: SearchSource['column'],
  username: string,
  p: Placeholders<SearchParameters>,
) {
  const [key, name] = [sql.ref(value), sql.ref(username)];
  // Of one value by the user name alone: so it is the order of an index whatever the database makes of row values.
  if (kind === 'equals') return sql<boolean>`${key} = ${p.key} and ${name} > ${p.afterUsername}`;
  const after = sql<boolean>`(${key}, ${name}) > (${p.afterKey}, ${p.afterUsername})`;
  return kind === 'from' ? after : sql<boolean>`${key} < ${p.end} and ${after}`;
}

function selectFound(value: SearchSource['column'], kind: Range['kind']) {
  const isRow = value === 'user_search.value';
  const username = isRow ? 'user_search.username' : 'users.username';
  const order = kind === 'equals' ? sql.ref(username) : sql`${sql.ref(value)}, ${sql.ref(username)}`;
  return statement((db, p: Placeholders<SearchParameters>, phrases) => {
    const found = conditionOf(kind, value, username, p);
    if (!isRow) {
      return db
        .selectFrom('users')
        .select(userColumns(phrases))
        .where('users.pool_id', '=', p.poolId)
        .where(found)
        .where(isListed)
        .orderBy(order)
        .limit(p.limit);
    }
    return db
      .selectFrom('user_search')
      .innerJoin('users', (join) =>
        join.onRef('users.pool_id', '=', 'user_search.pool_id').onRef('users.username', '=', 'user_search.username'),
      )
      .select(userColumns(phrases))
      .where('user_search.pool_id', '=', p.poolId)
      .where('user_search.attribute', '=', p.attribute)
      .where(found)
      .where(isListed)
      .orderBy(order)
      .limit(p.limit);
  });
}

const findersOf = madeOnce((value: SearchSource['column']) =>
  madeOnce((kind: Range['kind']) => selectFound(value, kind)),
);

interface Position {
  readonly afterKey: Key;
  readonly afterUsername: string;
}

function toCursor(key: Key, username: string): string {
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
 * Users that meet a condition, by the value, then by user name. Each page is one range of one index.
 * @throws RangeError for a limit below 1, a cursor that is none, and a value that is longer than any Cognito filter.
 */
export async function searchUsers(
  executor: Executor,
  poolId: string,
  search: UserSearch,
  limit: number,
  cursor: string | undefined,
): Promise<Page<UserRecord>> {
  const rowLimit = rowsForPage(limit);
  const source = SOURCES[search.attribute];
  const range = source.range(search.match, search.value);
  if (range === undefined) return NOBODY;
  const start: Position = { afterKey: range.key, afterUsername: '' };
  const { rows } = await executor.run(findersOf(source.column)(range.kind), {
    poolId,
    attribute: search.attribute,
    key: range.key,
    end: range.kind === 'between' ? range.end : '',
    ...(cursor === undefined ? start : toPosition(cursor, source)),
    limit: rowLimit,
  });
  return toPage(rows.map(toUser), limit, (user) => toCursor(source.keyOf(user), user.username));
}
