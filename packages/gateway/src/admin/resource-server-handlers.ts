import type { ROUTES, Static } from '@poolgate/contract';
import type { CallContext, Input, Output } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { DEFAULT_LIMIT, invalidCursorError } from '../kernel/list-cursors.ts';
import type { Handler } from '../runtime/handler.ts';
import { explainPoolRefusals, type MissingCodes } from './pool-refusals.ts';

type ServerBody = Static<(typeof ROUTES)['adminResourceServerGet']['responses'][200]['schema']>['resource_server'];
type ScopesBody = Static<(typeof ROUTES)['adminResourceServerUpdate']['body']>['scopes'];

const MISSING_SERVER: MissingCodes = {
  resource_server_not_found: 'resource_server_not_found',
  other: 'resource_server_not_found',
};

/** The maximum page size in Cognito. */
const MAX_PAGE = 50;

/** GET /admin/resource-servers. */
export const listResourceServers: Handler<'adminResourceServerList'> = async (deps, { query, call }) => {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const input = {
    UserPoolId: deps.userPoolId,
    MaxResults: Math.min(Number(limit), MAX_PAGE),
    ...(cursor === undefined ? {} : { NextToken: cursor }),
  };
  const page = await mapProviderErrors(deps.provider.operations.listResourceServers(input, call), {
    InvalidParameterException: invalidCursorError,
  });
  const resource_servers = page.ResourceServers.map(presentResourceServer);
  const next_cursor = page.NextToken ?? null;
  return {
    status: 200,
    body: { status: 'success', message: 'The resource servers.', data: {}, resource_servers, next_cursor },
  };
};

/** POST /admin/resource-servers. */
export const createResourceServer: Handler<'adminResourceServerCreate'> = async (deps, { body, call }) => {
  const { identifier, name, scopes } = body;
  const input = { UserPoolId: deps.userPoolId, Identifier: identifier, Name: name, ...toScopes(scopes) };
  const made = await explainPoolRefusals(deps.provider.operations.createResourceServer(input, call), {});
  const resource_server = presentResourceServer(made.ResourceServer);
  return {
    status: 201,
    body: { status: 'success', message: 'The resource server was created.', data: {}, resource_server },
  };
};

/** GET /admin/resource-servers/{identifier}. */
export const showResourceServer: Handler<'adminResourceServerGet'> = async (deps, { params, call }) => {
  const resource_server = presentResourceServer(await describeServer(deps, params.identifier, call));
  return { status: 200, body: { status: 'success', message: 'The resource server.', data: {}, resource_server } };
};

/** PATCH /admin/resource-servers/{identifier}: omitted members stay unchanged. */
export const updateResourceServer: Handler<'adminResourceServerUpdate'> = async (deps, { params, body, call }) => {
  const { Name = '', Scopes } = await describeServer(deps, params.identifier, call);
  const input = {
    UserPoolId: deps.userPoolId,
    Identifier: params.identifier,
    Name: body.name ?? Name,
    ...(body.scopes === undefined ? { ...(Scopes === undefined ? {} : { Scopes }) } : toScopes(body.scopes)),
  };
  const changed = await explainPoolRefusals(deps.provider.operations.updateResourceServer(input, call), MISSING_SERVER);
  const resource_server = presentResourceServer(changed.ResourceServer);
  return {
    status: 200,
    body: { status: 'success', message: 'The resource server was updated.', data: {}, resource_server },
  };
};

/** DELETE /admin/resource-servers/{identifier}. */
export const deleteResourceServer: Handler<'adminResourceServerDelete'> = async (deps, { params, call }) => {
  const input = { UserPoolId: deps.userPoolId, Identifier: params.identifier };
  await explainPoolRefusals(deps.provider.operations.deleteResourceServer(input, call), MISSING_SERVER);
  return { status: 200, body: { status: 'success', message: 'The resource server was deleted.', data: {} } };
};

async function describeServer({ provider, userPoolId }: GatewayDeps, identifier: string, call: CallContext) {
  const input = { UserPoolId: userPoolId, Identifier: identifier };
  const shown = await explainPoolRefusals(provider.operations.describeResourceServer(input, call), MISSING_SERVER);
  return shown.ResourceServer;
}

function toScopes(scopes: ScopesBody): Pick<Input<'CreateResourceServer'>, 'Scopes'> {
  if (scopes === undefined) return {};
  return {
    Scopes: scopes.map(({ scope_name, description }) => ({ ScopeName: scope_name, ScopeDescription: description })),
  };
}

function presentResourceServer(server: Partial<Output<'DescribeResourceServer'>['ResourceServer']>): ServerBody {
  const { Identifier, Name = '', Scopes = [] } = server;
  if (Identifier === undefined) throw new GatewayError('provider_error');
  return {
    identifier: Identifier,
    name: Name,
    scopes: Scopes.map(({ ScopeName, ScopeDescription }) => ({ scope_name: ScopeName, description: ScopeDescription })),
  };
}
