import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { toCognitoUser } from '../identity/cognito-user.ts';
import { parseUserFilter } from '../identity/user-search.ts';
import type { ClockPort, MacPorts, StoreReads } from '../kernel/ports.ts';
import { findAttributeSchema } from '../settings/attribute-schema.ts';
import { readPage } from '../settings/page-tokens.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { PoolRecord } from '../store/records.ts';
import type { OperationTable } from './operation-table.ts';

/** The operation with which administrators find users. The caller was already authorized. */
export const listUsersOperations: OperationTable<'listUsers'> = { listUsers };

/** Sorted by username, or by the searched attribute if there is a filter. A token is valid only for the same query. */
async function listUsers(
  ports: MacPorts & ClockPort & SettingsCachePort & StoreReads<'pools' | 'users'>,
  input: Input<'ListUsers'>,
): Promise<Output<'ListUsers'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { store } = ports;
  const { Filter = '', AttributesToGet: names, Limit, PaginationToken } = input;
  checkAttributeNames(pool, names);
  const search = parseUserFilter(Filter);
  const query = JSON.stringify(['users', search, names]);
  const page = { limit: Limit, token: PaginationToken };
  const { rows, nextToken } = await readPage(ports, pool, query, page, (limit, cursor) =>
    search === undefined
      ? store.users.list(pool.id, limit, cursor)
      : store.users.search(pool.id, search, limit, cursor),
  );
  return {
    Users: rows.map((user) => toCognitoUser(user, names)),
    ...(nextToken === undefined ? {} : { PaginationToken: nextToken }),
  };
}

function checkAttributeNames({ settings }: PoolRecord, names: readonly string[] | undefined): void {
  const unknown = names?.find((name) => findAttributeSchema(settings, name) === undefined);
  if (unknown === undefined) return;
  throw new ProviderError('InvalidParameterException', `Attribute does not exist in the schema: ${unknown}`);
}
