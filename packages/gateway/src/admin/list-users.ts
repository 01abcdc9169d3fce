/**
 * Handlers for operators: users, groups, sessions, the audit log and webhooks. Every route names the scope it needs.
 */
import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import { DEFAULT_LIMIT, decryptCursor, encryptCursor, invalidCursorError } from '../kernel/list-cursors.ts';
import type { Handler } from '../runtime/handler.ts';
import { GROUP_ERRORS } from './group-handlers.ts';
import { presentUserList } from './present-user-list.ts';
import { createUserConditions, type ListedUser, type UserCondition, type UserListQuery } from './user-search.ts';

/** The maximum number of provider calls for one page. The next page contains the rest. */
const MAX_CALLS_PER_PAGE = 10;

/**
 * GET /admin/users: the provider is queried with the most selective condition, and the others are checked here. A page may therefore be
 * shorter than the limit, or empty, although a next one exists.
 */
export const listUsers: Handler<'adminUserList'> = async (deps, { query, call }) => {
  const { limit = DEFAULT_LIMIT, cursor, ...question } = query;
  const asked = JSON.stringify([question.group, question.search, question.status]);
  const providerToken = cursor === undefined ? undefined : decryptCursor(deps, asked, cursor);
  const { users, next } = await collectPage(deps, question, { limit: Number(limit), providerToken }, call);
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The users.',
      data: {},
      users: await presentUserList(deps, users),
      next_cursor: next === undefined ? null : encryptCursor(deps, asked, next),
    },
  };
};

/** GET /admin/groups/{group_name}/users. */
export const listMembers: Handler<'adminGroupMembers'> = async (deps, { params, query, call }) => {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const asked = JSON.stringify([params.group_name]);
  const place = cursor === undefined ? undefined : decryptCursor(deps, asked, cursor);
  const ask = createMemberFetcher(deps, params.group_name, call);
  const { users, next } = await ask(Number(limit), place);
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The members.',
      data: {},
      users: await presentUserList(deps, users),
      next_cursor: next === undefined ? null : encryptCursor(deps, asked, next),
    },
  };
};

interface Page {
  readonly users: readonly ListedUser[];
  /** The provider's cursor; undefined on the last page. */
  readonly next: string | undefined;
}

interface PageRequest {
  readonly limit: number;
  readonly providerToken: string | undefined;
}

async function collectPage(
  deps: GatewayDeps,
  question: UserListQuery,
  { limit, providerToken }: PageRequest,
  call: CallContext,
): Promise<Page> {
  const conditions = createUserConditions(question);
  const { ask, remaining } = selectFirstQuery(deps, question, conditions, call);
  const found: ListedUser[] = [];
  let next = providerToken;
  for (let calls = 0; calls < MAX_CALLS_PER_PAGE; calls++) {
    const page = await ask(limit - found.length, next);
    found.push(...page.users.filter((user) => remaining.every(({ matches }) => matches(user))));
    next = page.next;
    if (next === undefined || found.length >= limit) break;
  }
  return { users: found, next };
}

type FetchPage = (limit: number, place: string | undefined) => Promise<Page>;

/** A group has its own query, because a filter cannot name one. Otherwise the first condition is the query. */
function selectFirstQuery(
  deps: GatewayDeps,
  { group }: UserListQuery,
  conditions: readonly UserCondition[],
  call: CallContext,
): { readonly ask: FetchPage; readonly remaining: readonly UserCondition[] } {
  if (group !== undefined) return { ask: createMemberFetcher(deps, group, call), remaining: conditions };
  const [first, ...remaining] = conditions;
  return { ask: createUserFetcher(deps, first?.filter, call), remaining };
}

function createMemberFetcher({ provider, userPoolId }: GatewayDeps, group: string, call: CallContext): FetchPage {
  return async (limit, place) => {
    const input = { UserPoolId: userPoolId, GroupName: group, Limit: limit };
    const answer = provider.operations.listUsersInGroup(
      { ...input, ...(place === undefined ? {} : { NextToken: place }) },
      call,
    );
    const page = await mapProviderErrors(answer, { ...GROUP_ERRORS, InvalidParameterException: invalidCursorError });
    return { users: page.Users ?? [], next: page.NextToken };
  };
}

function createUserFetcher(
  { provider, userPoolId }: GatewayDeps,
  filter: string | undefined,
  call: CallContext,
): FetchPage {
  return async (limit, place) => {
    const input = { UserPoolId: userPoolId, Limit: limit, ...(filter === undefined ? {} : { Filter: filter }) };
    const answer = provider.operations.listUsers(
      { ...input, ...(place === undefined ? {} : { PaginationToken: place }) },
      call,
    );
    const page = await mapProviderErrors(answer, { InvalidParameterException: invalidCursorError });
    return { users: page.Users ?? [], next: page.PaginationToken };
  };
}
