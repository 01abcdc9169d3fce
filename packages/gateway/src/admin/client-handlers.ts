import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { invalidFieldError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { DEFAULT_LIMIT, invalidCursorError } from '../kernel/list-cursors.ts';
import type { Handler } from '../runtime/handler.ts';
import { createAppClient, updateAppClient } from './client-extensions.ts';
import { type ClientChanges, findRangeErrors } from './client-settings.ts';
import { explainPoolRefusals, type MissingCodes } from './pool-refusals.ts';
import { presentClient } from './present-client.ts';

/** The error if a named app client does not exist. */
export const MISSING_CLIENT: MissingCodes = { client_not_found: 'client_not_found', other: 'client_not_found' };

/** GET /admin/clients. */
export const listClients: Handler<'adminClientList'> = async (deps, { query, call }) => {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const input = {
    UserPoolId: deps.userPoolId,
    MaxResults: Number(limit),
    ...(cursor === undefined ? {} : { NextToken: cursor }),
  };
  const page = await mapProviderErrors(deps.provider.operations.listUserPoolClients(input, call), {
    InvalidParameterException: invalidCursorError,
  });
  const clients = (page.UserPoolClients ?? []).map(({ ClientId = '', ClientName = '' }) => ({
    client_id: ClientId,
    client_name: ClientName,
  }));
  const next = page.NextToken ?? null;
  return {
    status: 200,
    body: { status: 'success', message: 'The app clients.', data: {}, clients, next_cursor: next },
  };
};

/** POST /admin/clients: only this response contains the secret. */
export const createClient: Handler<'adminClientCreate'> = async (deps, { body, call }) => {
  checkRanges(body);
  const { UserPoolClient } = await explainPoolRefusals(createAppClient(deps.provider, deps.userPoolId, body, call), {});
  return {
    status: 201,
    body: {
      status: 'success',
      message: 'The app client was created.',
      data: {},
      client: await presentClient(deps.provider, UserPoolClient, call),
      ...(UserPoolClient?.ClientSecret === undefined ? {} : { client_secret: UserPoolClient.ClientSecret }),
    },
  };
};

/** GET /admin/clients/{client_id}. */
export const showClient: Handler<'adminClientGet'> = async (deps, { params, call }) => {
  const client = await presentClient(deps.provider, await describeClient(deps, params.client_id, call), call);
  return { status: 200, body: { status: 'success', message: 'The app client.', data: {}, client } };
};

/** PATCH /admin/clients/{client_id}. */
export const updateClient: Handler<'adminClientUpdate'> = async (deps, { params, body, call }) => {
  checkRanges(body);
  const { provider, userPoolId: UserPoolId } = deps;
  const ids = { UserPoolId, ClientId: params.client_id };
  const before = { ...(await describeClient(deps, params.client_id, call)), ...ids };
  await explainPoolRefusals(updateAppClient(provider, before, body, call), MISSING_CLIENT);
  const client = await presentClient(provider, await describeClient(deps, params.client_id, call), call);
  return { status: 200, body: { status: 'success', message: 'The app client was updated.', data: {}, client } };
};

/** DELETE /admin/clients/{client_id}. */
export const deleteClient: Handler<'adminClientDelete'> = async (deps, { params, call }) => {
  const input = { UserPoolId: deps.userPoolId, ClientId: params.client_id };
  await explainPoolRefusals(deps.provider.operations.deleteUserPoolClient(input, call), MISSING_CLIENT);
  return { status: 200, body: { status: 'success', message: 'The app client was deleted.', data: {} } };
};

async function describeClient({ provider, userPoolId }: GatewayDeps, clientId: string, call: CallContext) {
  const input = { UserPoolId: userPoolId, ClientId: clientId };
  const described = await explainPoolRefusals(provider.operations.describeUserPoolClient(input, call), MISSING_CLIENT);
  return described.UserPoolClient;
}

/** @throws {GatewayError} validation_failed */
function checkRanges(changes: ClientChanges): void {
  const [error] = findRangeErrors(changes);
  if (error !== undefined) throw invalidFieldError(error.field, error.code, error.message);
}
