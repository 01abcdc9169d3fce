import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type { ClockPort, EventPorts, MacPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { lockForUpdate } from '../kernel/write-locks.ts';
import { readPage } from '../settings/page-tokens.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { PoolRecord, ResourceServerRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import type { OperationTable } from './operation-table.ts';

type ResourceServerOperation =
  | 'createResourceServer'
  | 'deleteResourceServer'
  | 'describeResourceServer'
  | 'listResourceServers'
  | 'updateResourceServer';

const MAX_SERVERS = 300;

/** Operations with which administrators manage resource servers and their scopes. The caller was already authorized. */
export const resourceServerOperations: OperationTable<ResourceServerOperation> = {
  createResourceServer,
  deleteResourceServer,
  async describeResourceServer(ports, { UserPoolId, Identifier }) {
    const pool = await requirePool(ports, UserPoolId);
    return { ResourceServer: toResourceServer(await requireResourceServer(ports.store, pool, Identifier)) };
  },
  listResourceServers,
  updateResourceServer,
};

type ResourceServerOutput = Output<'DescribeResourceServer'>['ResourceServer'];

function toResourceServer({ poolId, identifier, name, scopes }: ResourceServerRecord): ResourceServerOutput {
  return {
    UserPoolId: poolId,
    Identifier: identifier,
    Name: name,
    Scopes: scopes.map((scope) => ({ ScopeName: scope.name, ScopeDescription: scope.description })),
  };
}

type ScopesInput = Input<'CreateResourceServer'>['Scopes'];

function parseScopes(scopes: ScopesInput = []): ResourceServerRecord['scopes'] {
  const names = new Set(scopes.map(({ ScopeName }) => ScopeName));
  if (names.size !== scopes.length) {
    throw new ProviderError('InvalidParameterException', 'Scope names must be unique within a resource server.');
  }
  return scopes.map(({ ScopeName: name, ScopeDescription: description }) => ({ name, description }));
}

async function requireResourceServer(
  { resourceServers }: Pick<PoolReads, 'resourceServers'>,
  { id }: PoolRecord,
  identifier: string,
): Promise<ResourceServerRecord> {
  const server = await resourceServers.byIdentifier(id, identifier);
  if (server === undefined) throw resourceServerNotFoundError(identifier);
  return server;
}

function resourceServerNotFoundError(identifier: string): ProviderError {
  return new ProviderError('ResourceNotFoundException', `Resource server ${identifier} does not exist.`, {
    reason: 'resource_server_not_found',
  });
}

async function createResourceServer(
  ports: EventPorts & SettingsCachePort & StoreReads<'pools'> & StoreWrites<'events' | 'locks' | 'resourceServers'>,
  input: Input<'CreateResourceServer'>,
): Promise<Output<'CreateResourceServer'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const nowMs = ports.clock.now();
  const server: ResourceServerRecord = {
    poolId: pool.id,
    identifier: input.Identifier,
    name: input.Name,
    scopes: parseScopes(input.Scopes),
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
  };
  try {
    await ports.store.write(async (transaction) => {
      await lockForUpdate(transaction, `resource-servers:${pool.id}`, nowMs);
      if ((await transaction.resourceServers.lockAndCount(pool.id)) >= MAX_SERVERS) throw tooManyResourceServersError();
      await transaction.resourceServers.insert(server);
      const details = { what: 'resource_server_made', resource_server: server.identifier };
      await recordEvent(ports, transaction, { type: 'pool.updated', pool, details });
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    const message = `${server.identifier} already exists in user pool ${pool.id}.`;
    throw new ProviderError('InvalidParameterException', message, { cause });
  }
  return { ResourceServer: toResourceServer(server) };
}

function tooManyResourceServersError(): ProviderError {
  return new ProviderError('LimitExceededException', `A user pool can have ${MAX_SERVERS} resource servers at most.`);
}

async function updateResourceServer(
  ports: EventPorts & SettingsCachePort & StoreReads<'pools'> & StoreWrites<'events' | 'resourceServers'>,
  { UserPoolId, Identifier, Name, Scopes }: Input<'UpdateResourceServer'>,
): Promise<Output<'UpdateResourceServer'>> {
  const pool = await requirePool(ports, UserPoolId);
  const change = { name: Name, scopes: parseScopes(Scopes), modifiedAtMs: ports.clock.now() };
  const server = await ports.store.write(async (transaction) => {
    if (!(await transaction.resourceServers.update(pool.id, Identifier, change)))
      throw resourceServerNotFoundError(Identifier);
    const details = { what: 'resource_server', resource_server: Identifier };
    await recordEvent(ports, transaction, { type: 'pool.updated', pool, details });
    return requireResourceServer(transaction, pool, Identifier);
  });
  ports.settingsCache.resourceServers.delete(`${pool.id}/${Identifier}`);
  return { ResourceServer: toResourceServer(server) };
}

async function deleteResourceServer(
  ports: EventPorts & SettingsCachePort & StoreReads<'pools'> & StoreWrites<'events' | 'resourceServers'>,
  { UserPoolId, Identifier }: Input<'DeleteResourceServer'>,
): Promise<Output<'DeleteResourceServer'>> {
  const pool = await requirePool(ports, UserPoolId);
  await ports.store.write(async (transaction) => {
    if (!(await transaction.resourceServers.delete(pool.id, Identifier))) throw resourceServerNotFoundError(Identifier);
    const details = { what: 'resource_server_deleted', resource_server: Identifier };
    await recordEvent(ports, transaction, { type: 'pool.updated', pool, details });
  });
  ports.settingsCache.resourceServers.delete(`${pool.id}/${Identifier}`);
  return {};
}

/** Sorted by identifier. */
async function listResourceServers(
  ports: MacPorts & ClockPort & SettingsCachePort & StoreReads<'pools' | 'resourceServers'>,
  input: Input<'ListResourceServers'>,
): Promise<Output<'ListResourceServers'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { rows, nextToken } = await readPage(
    ports,
    pool,
    'resource-servers',
    { limit: input.MaxResults, token: input.NextToken },
    (limit, cursor) => ports.store.resourceServers.list(pool.id, limit, cursor),
    { name: 'maxResults', most: 50 },
  );
  return { ResourceServers: rows.map(toResourceServer), ...(nextToken === undefined ? {} : { NextToken: nextToken }) };
}
