import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../events.ts';
import { lockSettings } from '../../factors/locks.ts';
import type {
  ClockPort,
  EventPorts,
  KeyRingPort,
  MacPorts,
  SecretPorts,
  StorePort,
  StoreReads,
  StoreWrites,
  Transaction,
} from '../../kernel/ports.ts';
import { resourceServerScopes } from '../../oauth/scopes.ts';
import type { OperationTable } from '../../operation-table.ts';
import { readPage } from '../../shared/page-tokens.ts';
import type { Page } from '../../store/page.ts';
import type { PoolReads, PoolTransaction } from '../../store/pool-store.ts';
import type { ClientRecord, PoolRecord } from '../../store/records.ts';
import { newClientId } from '../../users/identifiers.ts';
import {
  clientSecretMetadata,
  generateClientSecret,
  withClientSecret,
  withoutClientSecret,
} from '../client-secrets.ts';
import { type ClientFacts, type ClientSettingsInput, clientSettingsFrom } from '../client-settings.ts';
import { clientView } from '../client-view.ts';
import { newClient } from '../new-pool.ts';
import { newestClientSecret, noSuchClient, noSuchPool, type PoolAndClient } from '../pools.ts';
import { refuseFixedSecret, requireNotServedClient, withFixedClientSettings } from '../served-pool.ts';
import type { ServedPoolPort, SettingsCachePort, SettingsPorts } from '../settings-ports.ts';

type ClientOperation =
  | 'addUserPoolClientSecret'
  | 'createUserPoolClient'
  | 'deleteUserPoolClient'
  | 'deleteUserPoolClientSecret'
  | 'describeUserPoolClient'
  | 'listUserPoolClients'
  | 'listUserPoolClientSecrets'
  | 'updateUserPoolClient';

const MAX_CLIENTS = 1_000;

/** The operations on app clients and their secrets. The caller of them was checked before. */
export const userPoolClientOperations: OperationTable<ClientOperation> = {
  addUserPoolClientSecret: addSecret,
  createUserPoolClient: createClient,
  deleteUserPoolClient: deleteClient,
  deleteUserPoolClientSecret: deleteSecret,
  async describeUserPoolClient(ports, input) {
    return { UserPoolClient: clientViewWithSecret(ports, await storedClient(ports.store, input)) };
  },
  listUserPoolClients: listClients,
  async listUserPoolClientSecrets(ports, input) {
    const { client } = await storedClient(ports.store, input);
    const ClientSecrets = clientSecretMetadata(client).map(({ id, createdAtMs }) => ({
      ClientSecretId: id,
      ClientSecretCreateDate: createdAtMs / 1_000,
    }));
    return { ClientSecrets };
  },
  updateUserPoolClient: updateClient,
};

/** A client and the pool that it is said to be of. */
interface ClientIds {
  readonly UserPoolId: string;
  readonly ClientId: string;
}

/** From the store: who has just changed a client sees the change. A client of another pool does not exist here. */
export async function storedClient(
  reads: Pick<PoolReads, 'clients' | 'pools'>,
  { UserPoolId, ClientId }: ClientIds,
): Promise<PoolAndClient> {
  const pool = await reads.pools.byId(UserPoolId);
  if (pool === undefined) throw noSuchPool(UserPoolId);
  const client = await reads.clients.byId(ClientId);
  if (client?.poolId !== pool.id) throw noSuchClient(ClientId);
  return { pool, client };
}

function clientViewWithSecret(ports: SecretPorts, { pool, client }: PoolAndClient) {
  return clientView(client, newestClientSecret(ports, pool, client));
}

async function clientFacts(
  reads: Pick<PoolReads, 'resourceServers'>,
  pool: PoolRecord,
  { AllowedOAuthScopes: scopes = [] }: ClientSettingsInput,
  hasSecret: boolean,
): Promise<ClientFacts> {
  const customScopes = await resourceServerScopes(scopes, (identifier) =>
    reads.resourceServers.byIdentifier(pool.id, identifier),
  );
  return { hasSecret, customScopes };
}

async function createClient(
  ports: EventPorts & SecretPorts & StorePort,
  input: Input<'CreateUserPoolClient'>,
): Promise<Output<'CreateUserPoolClient'>> {
  const { UserPoolId, ClientName: name, GenerateSecret, ClientSecret, ...members } = input;
  if (GenerateSecret && ClientSecret !== undefined) {
    throw new ProviderError('InvalidParameterException', 'GenerateSecret and ClientSecret cannot be used together.');
  }
  const ids = { poolId: UserPoolId, id: newClientId(ports.random) };
  const made =
    GenerateSecret || ClientSecret !== undefined ? generateClientSecret(ports, ids, ClientSecret) : undefined;
  const owner = await ports.store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    const pool = await transaction.pools.byId(UserPoolId);
    if (pool === undefined) throw noSuchPool(UserPoolId);
    if ((await transaction.clients.listOf(pool.id)).length >= MAX_CLIENTS) {
      throw new ProviderError('LimitExceededException', `A user pool can have ${MAX_CLIENTS} clients at most.`);
    }
    const facts = await clientFacts(transaction, pool, members, made !== undefined);
    const settings = { ...clientSettingsFrom(pool, members, facts), ...(made && { secretNotes: [made.metadata] }) };
    const client = newClient(ports, { ...ids, name, settings }, made?.secret);
    await transaction.clients.insert(client);
    await recordChange(ports, transaction, { pool, client }, 'client_made');
    return { pool, client };
  });
  return { UserPoolClient: clientViewWithSecret(ports, owner) };
}

function recordChange(
  ports: EventPorts,
  transaction: Transaction<'events'>,
  owner: PoolAndClient,
  what: string,
): Promise<void> {
  const { pool, client } = owner;
  return recordEvent(ports, transaction, { type: 'pool.updated', pool, clientId: client.id, details: { what } });
}

type Change = Partial<Pick<ClientRecord, 'name' | 'settings' | 'secretsEncrypted'>>;

/** Changes a client in one write, with an event that says of what kind the change was. */
export async function changeClient(
  ports: EventPorts & SettingsPorts & StorePort,
  input: ClientIds,
  what: string,
  changed: (owner: PoolAndClient, transaction: PoolTransaction) => Change | Promise<Change>,
): Promise<PoolAndClient> {
  const after = await ports.store.write(async (transaction) => {
    const modifiedAtMs = ports.clock.now();
    await lockSettings(transaction, modifiedAtMs);
    const owner = await storedClient(transaction, input);
    const client = { ...owner.client, ...(await changed(owner, transaction)), modifiedAtMs };
    await transaction.clients.update(client.id, client);
    await recordChange(ports, transaction, owner, what);
    return { ...owner, client };
  });
  ports.settingsCache.clients.delete(input.ClientId);
  return after;
}

async function updateClient(
  ports: EventPorts & SettingsPorts & SecretPorts & ServedPoolPort & StorePort,
  input: Input<'UpdateUserPoolClient'>,
): Promise<Output<'UpdateUserPoolClient'>> {
  const { UserPoolId, ClientId, ClientName: name, ...members } = input;
  const after = await changeClient(ports, { UserPoolId, ClientId }, 'client', async ({ pool, client }, transaction) => {
    const { secretNotes: notes, ssoMinutes } = client.settings;
    const lasting = { ...(notes && { secretNotes: notes }), ...(ssoMinutes !== undefined && { ssoMinutes }) };
    const facts = await clientFacts(transaction, pool, members, client.secretsEncrypted.length > 0);
    const requested = { ...clientSettingsFrom(pool, members, facts), ...lasting };
    const isLifetimeRequested = members.AuthSessionValidity !== undefined;
    const settings = withFixedClientSettings(ports.servedPool, client, isLifetimeRequested, requested);
    return { settings, ...(name === undefined ? {} : { name }) };
  });
  return { UserPoolClient: clientViewWithSecret(ports, after) };
}

async function deleteClient(
  ports: EventPorts & SettingsCachePort & ServedPoolPort & StoreWrites<'clients' | 'events' | 'locks' | 'pools'>,
  input: Input<'DeleteUserPoolClient'>,
): Promise<Output<'DeleteUserPoolClient'>> {
  await ports.store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    const owner = await storedClient(transaction, input);
    requireNotServedClient(ports.servedPool, owner.client);
    await transaction.clients.delete(owner.pool.id, owner.client.id);
    await recordChange(ports, transaction, owner, 'client_deleted');
  });
  ports.settingsCache.clients.delete(input.ClientId);
  return {};
}

async function addSecret(
  ports: EventPorts & SettingsPorts & KeyRingPort & ServedPoolPort & StorePort,
  input: Input<'AddUserPoolClientSecret'>,
): Promise<Output<'AddUserPoolClientSecret'>> {
  const made = generateClientSecret(ports, { poolId: input.UserPoolId, id: input.ClientId }, input.ClientSecret);
  await changeClient(ports, input, 'client_secret_made', ({ client }) => {
    refuseFixedSecret(ports.servedPool, client);
    return withClientSecret(client, made);
  });
  return {
    ClientSecretDescriptor: {
      ClientSecretId: made.metadata.id,
      // One that was sent is known to who sent it.
      ...(input.ClientSecret === undefined ? { ClientSecretValue: made.secret } : {}),
      ClientSecretCreateDate: made.metadata.createdAtMs / 1_000,
    },
  };
}

async function deleteSecret(
  ports: EventPorts & SettingsPorts & ServedPoolPort & StorePort,
  input: Input<'DeleteUserPoolClientSecret'>,
): Promise<Output<'DeleteUserPoolClientSecret'>> {
  await changeClient(ports, input, 'client_secret_deleted', ({ client }) => {
    refuseFixedSecret(ports.servedPool, client);
    return withoutClientSecret(client, input.ClientSecretId);
  });
  return {};
}

/** Oldest first. */
async function listClients(
  ports: MacPorts & ClockPort & StoreReads<'clients' | 'pools'>,
  input: Input<'ListUserPoolClients'>,
): Promise<Output<'ListUserPoolClients'>> {
  const pool = await ports.store.pools.byId(input.UserPoolId);
  if (pool === undefined) throw noSuchPool(input.UserPoolId);
  const page = { limit: input.MaxResults, token: input.NextToken };
  const { rows, nextToken } = await readPage(ports, pool, 'clients', page, async (limit, cursor) =>
    // Nobody registers clients by themselves here.
    clientPage(input.ClientType === 'DCR' ? [] : await ports.store.clients.listOf(pool.id), limit, cursor),
  );
  return {
    UserPoolClients: rows.map(({ id, poolId, name }) => ({ ClientId: id, UserPoolId: poolId, ClientName: name })),
    ...(nextToken === undefined ? {} : { NextToken: nextToken }),
  };
}

/** A pool has a thousand at most. The cursor is the age and the id of the last one that was shown: it may be gone. */
function clientPage(clients: readonly ClientRecord[], limit: number, cursor: string | undefined): Page<ClientRecord> {
  const left = cursor === undefined ? clients : clients.filter((client) => clientCursor(client) > cursor);
  const rows = left.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: left.length > limit && last !== undefined ? clientCursor(last) : undefined };
}

function clientCursor({ createdAtMs, id }: ClientRecord): string {
  return `${String(createdAtMs).padStart(16, '0')} ${id}`;
}
