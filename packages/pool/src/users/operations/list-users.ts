import { type Input, type Output, ProviderError } from '@poolgate/provider';
import type { ClockPort, MacPorts, StoreReads } from '../../kernel/ports.ts';
import type { OperationTable } from '../../operation-table.ts';
import { requirePool } from '../../pools/pools.ts';
import type { SettingsCachePort } from '../../pools/settings-ports.ts';
import { readPage } from '../../shared/page-tokens.ts';
import type { PoolRecord } from '../../store/records.ts';
import { attributeSchema } from '../attribute-schema.ts';
import { parseUserFilter } from '../user-search.ts';
import { listedUser } from '../user-view.ts';

/** The operation by which administrators find users. The caller of it was checked before. */
export const listUsersOperations: OperationTable<'listUsers'> = { listUsers };

/** By user name; by the attribute that is searched where there is a filter. A token is good for the same question only. */
async function listUsers(
  ports: MacPorts & ClockPort & SettingsCachePort & StoreReads<'pools' | 'users'>,
  input: Input<'ListUsers'>,
): Promise<Output<'ListUsers'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { store } = ports;
  const { Filter = '', AttributesToGet: names, Limit, PaginationToken } = input;
  checkNames(pool, names);
  const search = parseUserFilter(Filter);
  const query = JSON.stringify(['users', search, names]);
  const page = { limit: Limit, token: PaginationToken };
  const { rows, nextToken } = await readPage(ports, pool, query, page, (limit, cursor) =>
    search === undefined
      ? store.users.list(pool.id, limit, cursor)
      : store.users.search(pool.id, search, limit, cursor),
  );
  return {
    Users: rows.map((user) => listedUser(user, names)),
    ...(nextToken === undefined ? {} : { PaginationToken: nextToken }),
  };
}

function checkNames({ settings }: PoolRecord, names: readonly string[] | undefined): void {
  const unknown = names?.find((name) => attributeSchema(settings, name) === undefined);
  if (unknown === undefined) return;
  throw new ProviderError('InvalidParameterException', `Attribute does not exist in the schema: ${unknown}`);
}
