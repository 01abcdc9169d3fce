import { type Input, type Output, ProviderError, type ProviderOperations } from '@poolgate/provider';
import { makeSecret, secretNotes, withoutSecret, withSecret } from '../domain/client-secrets.ts';
import { clientSettingsFrom } from '../domain/client-settings.ts';
import { clientView } from '../domain/client-view.ts';
import { newClientId } from '../domain/identifiers.ts';
import { newClient } from '../domain/new-pool.ts';
import { readPage } from '../domain/page-tokens.ts';
import { newestSecret, noSuchClient, noSuchPool, type PoolAndClient } from '../domain/pools.ts';
import { refuseFixedSecret, refuseServedClient, withFixedClientSettings } from '../domain/served.ts';
import { takeSettingsTurn } from '../domain/turns.ts';
import { recordEvent } from '../events.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import type { Page, PoolReads, PoolTransaction } from '../store/pool-store.ts';
import type { ClientRecord } from '../store/records.ts';

type ClientOperation =
  | 'addUserPoolClientSecret'
  | 'createUserPoolClient'
  | 'deleteUserPoolClient'
  | 'deleteUserPoolClientSecret'
  | 'describeUserPoolClient'
  | 'listUserPoolClients'
  | 'listUserPoolClientSecrets'
  | 'updateUserPoolClient';

const MOST_CLIENTS = 1_000;

/** The operations on app clients and their secrets. Who calls them was checked at the door. */
export function userPoolClientOperations(runtime: PoolRuntime): Pick<ProviderOperations, ClientOperation> {
  return {
    addUserPoolClientSecret: (input, call) => addSecret(duringCall(runtime, call), input),
    createUserPoolClient: (input, call) => createClient(duringCall(runtime, call), input),
    deleteUserPoolClient: (input, call) => deleteClient(duringCall(runtime, call), input),
    deleteUserPoolClientSecret: (input, call) => deleteSecret(duringCall(runtime, call), input),
    async describeUserPoolClient(input) {
      return { UserPoolClient: viewOf(runtime, await storedClient(runtime.store, input)) };
    },
    listUserPoolClients: (input) => listClients(runtime, input),
    async listUserPoolClientSecrets(input) {
      const { client } = await storedClient(runtime.store, input);
      const ClientSecrets = secretNotes(client).map(({ id, createdAtMs }) => ({
        ClientSecretId: id,
        ClientSecretCreateDate: createdAtMs / 1_000,
      }));
      return { ClientSecrets };
    },
    updateUserPoolClient: (input, call) => updateClient(duringCall(runtime, call), input),
  };
}

/** A client and the pool that it is said to be of. */
interface ClientName {
  readonly UserPoolId: string;
  readonly ClientId: string;
}

/** From the store: who has just changed a client sees the change. A client of another pool does not exist here. */
export async function storedClient(reads: PoolReads, { UserPoolId, ClientId }: ClientName): Promise<PoolAndClient> {
  const pool = await reads.pool(UserPoolId);
  if (pool === undefined) throw noSuchPool(UserPoolId);
  const client = await reads.client(ClientId);
  if (client?.poolId !== pool.id) throw noSuchClient(ClientId);
  return { pool, client };
}

function viewOf(context: PoolRuntime, { pool, client }: PoolAndClient) {
  return clientView(client, newestSecret(context, pool, client));
}

async function createClient(
  context: PoolRuntime,
  input: Input<'CreateUserPoolClient'>,
): Promise<Output<'CreateUserPoolClient'>> {
  const { UserPoolId, ClientName: name, GenerateSecret, ClientSecret, ...members } = input;
  if (GenerateSecret && ClientSecret !== undefined) {
    throw new ProviderError('InvalidParameterException', 'GenerateSecret and ClientSecret cannot be used together.');
  }
  const place = { poolId: UserPoolId, id: newClientId(context.random) };
  const made = GenerateSecret || ClientSecret !== undefined ? makeSecret(context, place, ClientSecret) : undefined;
  const owner = await context.store.write(async (transaction) => {
    await takeSettingsTurn(transaction, context.clock.now());
    const pool = await transaction.pool(UserPoolId);
    if (pool === undefined) throw noSuchPool(UserPoolId);
    if ((await transaction.clients(pool.id)).length >= MOST_CLIENTS) {
      throw new ProviderError('LimitExceededException', `A user pool can have ${MOST_CLIENTS} clients at most.`);
    }
    const settings = { ...clientSettingsFrom(pool, members), ...(made && { secretNotes: [made.note] }) };
    const client = newClient(context, { ...place, name, settings }, made?.secret);
    await transaction.insertClient(client);
    await tell(context, transaction, { pool, client }, 'client_made');
    return { pool, client };
  });
  return { UserPoolClient: viewOf(context, owner) };
}

function tell(context: PoolRuntime, transaction: PoolTransaction, owner: PoolAndClient, what: string): Promise<void> {
  const { pool, client } = owner;
  return recordEvent(context, transaction, { type: 'pool.updated', pool, clientId: client.id, details: { what } });
}

type Change = Partial<Pick<ClientRecord, 'name' | 'settings' | 'secretsSealed'>>;

/** Changes a client in one write, with an event that says of what kind the change was. */
export async function changeClient(
  context: PoolRuntime,
  input: ClientName,
  what: string,
  changed: (owner: PoolAndClient) => Change,
): Promise<PoolAndClient> {
  const after = await context.store.write(async (transaction) => {
    const modifiedAtMs = context.clock.now();
    await takeSettingsTurn(transaction, modifiedAtMs);
    const owner = await storedClient(transaction, input);
    const client = { ...owner.client, ...changed(owner), modifiedAtMs };
    await transaction.updateClient(client.id, client);
    await tell(context, transaction, owner, what);
    return { ...owner, client };
  });
  context.recent.clients.forget(input.ClientId);
  return after;
}

async function updateClient(
  context: PoolRuntime,
  input: Input<'UpdateUserPoolClient'>,
): Promise<Output<'UpdateUserPoolClient'>> {
  const { UserPoolId, ClientId, ClientName: name, ...members } = input;
  const after = await changeClient(context, { UserPoolId, ClientId }, 'client', ({ pool, client }) => {
    const { secretNotes: notes, ssoMinutes } = client.settings;
    const lasting = { ...(notes && { secretNotes: notes }), ...(ssoMinutes !== undefined && { ssoMinutes }) };
    const wished = { ...clientSettingsFrom(pool, members), ...lasting };
    const isLifeSaid = members.AuthSessionValidity !== undefined;
    const settings = withFixedClientSettings(context.served, client, isLifeSaid, wished);
    return { settings, ...(name === undefined ? {} : { name }) };
  });
  return { UserPoolClient: viewOf(context, after) };
}

async function deleteClient(
  context: PoolRuntime,
  input: Input<'DeleteUserPoolClient'>,
): Promise<Output<'DeleteUserPoolClient'>> {
  await context.store.write(async (transaction) => {
    await takeSettingsTurn(transaction, context.clock.now());
    const owner = await storedClient(transaction, input);
    refuseServedClient(context.served, owner.client);
    await transaction.deleteClient(owner.pool.id, owner.client.id);
    await tell(context, transaction, owner, 'client_deleted');
  });
  context.recent.clients.forget(input.ClientId);
  return {};
}

async function addSecret(
  context: PoolRuntime,
  input: Input<'AddUserPoolClientSecret'>,
): Promise<Output<'AddUserPoolClientSecret'>> {
  const made = makeSecret(context, { poolId: input.UserPoolId, id: input.ClientId }, input.ClientSecret);
  await changeClient(context, input, 'client_secret_made', ({ client }) => {
    refuseFixedSecret(context.served, client);
    return withSecret(client, made);
  });
  return {
    ClientSecretDescriptor: {
      ClientSecretId: made.note.id,
      // One that was sent is known to who sent it.
      ...(input.ClientSecret === undefined ? { ClientSecretValue: made.secret } : {}),
      ClientSecretCreateDate: made.note.createdAtMs / 1_000,
    },
  };
}

async function deleteSecret(
  context: PoolRuntime,
  input: Input<'DeleteUserPoolClientSecret'>,
): Promise<Output<'DeleteUserPoolClientSecret'>> {
  await changeClient(context, input, 'client_secret_deleted', ({ client }) => {
    refuseFixedSecret(context.served, client);
    return withoutSecret(client, input.ClientSecretId);
  });
  return {};
}

/** Oldest first. */
async function listClients(
  context: PoolRuntime,
  input: Input<'ListUserPoolClients'>,
): Promise<Output<'ListUserPoolClients'>> {
  const pool = await context.store.pool(input.UserPoolId);
  if (pool === undefined) throw noSuchPool(input.UserPoolId);
  const page = { limit: input.MaxResults, token: input.NextToken };
  const { rows, nextToken } = await readPage(context, pool, 'clients', page, async (limit, cursor) =>
    // Nobody registers clients by themselves here.
    pageOf(input.ClientType === 'DCR' ? [] : await context.store.clients(pool.id), limit, cursor),
  );
  return {
    UserPoolClients: rows.map(({ id, poolId, name }) => ({ ClientId: id, UserPoolId: poolId, ClientName: name })),
    ...(nextToken === undefined ? {} : { NextToken: nextToken }),
  };
}

/** A pool has a thousand at most. The cursor is the age and the id of the last one that was shown: it may be gone. */
function pageOf(clients: readonly ClientRecord[], limit: number, cursor: string | undefined): Page<ClientRecord> {
  const left = cursor === undefined ? clients : clients.filter((client) => placeOf(client) > cursor);
  const rows = left.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: left.length > limit && last !== undefined ? placeOf(last) : undefined };
}

function placeOf({ createdAtMs, id }: ClientRecord): string {
  return `${String(createdAtMs).padStart(16, '0')} ${id}`;
}
