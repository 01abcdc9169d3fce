import { type ClientExtensions, type ClientUpdate, type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import { generateClientId } from '../kernel/identifiers.ts';
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
} from '../kernel/ports.ts';
import { lockSettings } from '../kernel/write-locks.ts';
import {
  addClientSecret,
  generateClientSecret,
  listClientSecretMetadata,
  removeClientSecret,
} from '../settings/client-secrets.ts';
import {
  type ClientSettingsDependencies,
  type ClientSettingsInput,
  parseClientSettings,
} from '../settings/client-settings.ts';
import { toCognitoClient } from '../settings/cognito-user-pool-client.ts';
import { createClientRecord } from '../settings/create-pool-record.ts';
import { findResourceServerScopes } from '../settings/oauth-scopes.ts';
import { readPage } from '../settings/page-tokens.ts';
import {
  clientNotFoundError,
  decryptNewestClientSecret,
  forgetClient,
  type PoolAndClient,
  poolNotFoundError,
} from '../settings/pools-and-clients.ts';
import { applyFixedClientSettings, checkFixedClientSecret, requireNotServedClient } from '../settings/served-pool.ts';
import type { ServedPoolPort, SettingsCachePort, SettingsPorts } from '../settings/settings-ports.ts';
import type { Page } from '../store/page.ts';
import type { PoolReads, PoolTransaction } from '../store/pool-store.ts';
import type { ClientRecord, PoolRecord } from '../store/records.ts';
import type { OperationTable } from './operation-table.ts';

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

/** Operations on app clients and their secrets. The caller was already authorized. */
export const userPoolClientOperations: OperationTable<ClientOperation> = {
  addUserPoolClientSecret: addSecret,
  createUserPoolClient: (ports, input) => createUserPoolClientWithId(ports, input, generateClientId(ports.random)),
  deleteUserPoolClient: deleteClient,
  deleteUserPoolClientSecret: deleteSecret,
  async describeUserPoolClient(ports, input) {
    return { UserPoolClient: toCognitoClientWithSecret(ports, await requireStoredClient(ports.store, input)) };
  },
  listUserPoolClients: listClients,
  async listUserPoolClientSecrets(ports, input) {
    const { client } = await requireStoredClient(ports.store, input);
    const ClientSecrets = listClientSecretMetadata(client).map(({ id, createdAtMs }) => ({
      ClientSecretId: id,
      ClientSecretCreateDate: createdAtMs / 1_000,
    }));
    return { ClientSecrets };
  },
  updateUserPoolClient: updateClient,
};

/** A client and its supposed pool. */
interface PoolAndClientIds {
  readonly UserPoolId: string;
  readonly ClientId: string;
}

/** Reads from the store, so that a caller who just changed a client sees the change. A client of another pool does not exist here. */
export async function requireStoredClient(
  reads: Pick<PoolReads, 'clients' | 'pools'>,
  { UserPoolId, ClientId }: PoolAndClientIds,
): Promise<PoolAndClient> {
  const pool = await reads.pools.byId(UserPoolId);
  if (pool === undefined) throw poolNotFoundError(UserPoolId);
  const client = await reads.clients.byId(ClientId);
  if (client?.poolId !== pool.id) throw clientNotFoundError(ClientId);
  return { pool, client };
}

function toCognitoClientWithSecret(ports: SecretPorts, { pool, client }: PoolAndClient) {
  return toCognitoClient(client, decryptNewestClientSecret(ports, pool, client));
}

async function readClientSettingsDependencies(
  reads: Pick<PoolReads, 'identityProviders' | 'resourceServers'>,
  pool: PoolRecord,
  { AllowedOAuthScopes: scopes = [], SupportedIdentityProviders: providers = [] }: ClientSettingsInput,
  hasSecret: boolean,
): Promise<ClientSettingsDependencies> {
  const customScopes = await findResourceServerScopes(scopes, (identifier) =>
    reads.resourceServers.byIdentifier(pool.id, identifier),
  );
  const isFederated = providers.some((name) => name !== 'COGNITO');
  const known = isFederated ? await reads.identityProviders.listOf(pool.id) : [];
  return { hasSecret, customScopes, identityProviders: new Set(known.map(({ name }) => name)) };
}

const CLIENT_ID = /^[\w+]{1,128}$/;

/**
 * Creates a client under an id that the caller chose.
 * @param readExtensions reads the settings that Cognito does not have, in the same write
 * @throws {ProviderError} `InvalidParameterException`: the id does not have the form of a client id, or a value that no client can have
 * @throws {ConflictError} there is a client with this id
 */
export async function createUserPoolClientWithId(
  ports: EventPorts & SecretPorts & SettingsCachePort & StorePort,
  input: Input<'CreateUserPoolClient'>,
  id: string,
  readExtensions?: (pool: PoolRecord, transaction: PoolTransaction) => Promise<ClientExtensions>,
): Promise<Output<'CreateUserPoolClient'>> {
  if (!CLIENT_ID.test(id))
    throw new ProviderError('InvalidParameterException', `${id} is not the id of an app client.`);
  const { UserPoolId, ClientName: name, GenerateSecret, ClientSecret, ...members } = input;
  if (GenerateSecret && ClientSecret !== undefined) {
    throw new ProviderError('InvalidParameterException', 'GenerateSecret and ClientSecret cannot be used together.');
  }
  const ids = { poolId: UserPoolId, id };
  const made =
    GenerateSecret || ClientSecret !== undefined ? generateClientSecret(ports, ids, ClientSecret) : undefined;
  const owner = await ports.store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    const pool = await transaction.pools.byId(UserPoolId);
    if (pool === undefined) throw poolNotFoundError(UserPoolId);
    if ((await transaction.clients.listOf(pool.id)).length >= MAX_CLIENTS) {
      throw new ProviderError('LimitExceededException', `A user pool can have ${MAX_CLIENTS} clients at most.`);
    }
    const facts = await readClientSettingsDependencies(transaction, pool, members, made !== undefined);
    const settings = {
      ...parseClientSettings(pool, members, facts),
      ...(made && { secretNotes: [made.metadata] }),
      ...(readExtensions && { extensions: await readExtensions(pool, transaction) }),
    };
    const client = createClientRecord(ports, { ...ids, name, settings }, made?.secret);
    await transaction.clients.insert(client);
    await recordClientChange(ports, transaction, { pool, client }, 'client_made');
    return { pool, client };
  });
  forgetClient(ports, UserPoolId, id);
  return { UserPoolClient: toCognitoClientWithSecret(ports, owner) };
}

function recordClientChange(
  ports: EventPorts,
  transaction: Transaction<'events'>,
  owner: PoolAndClient,
  what: string,
): Promise<void> {
  const { pool, client } = owner;
  return recordEvent(ports, transaction, { type: 'pool.updated', pool, clientId: client.id, details: { what } });
}

type ClientChange = Partial<Pick<ClientRecord, 'name' | 'settings' | 'secretsEncrypted'>>;

/** Changes a client in one write, with an event that names the kind of change. */
export async function updateStoredClient(
  ports: EventPorts & SettingsPorts & StorePort,
  input: PoolAndClientIds,
  what: string,
  changed: (owner: PoolAndClient, transaction: PoolTransaction) => ClientChange | Promise<ClientChange>,
): Promise<PoolAndClient> {
  const after = await ports.store.write(async (transaction) => {
    const modifiedAtMs = ports.clock.now();
    await lockSettings(transaction, modifiedAtMs);
    const owner = await requireStoredClient(transaction, input);
    const client = { ...owner.client, ...(await changed(owner, transaction)), modifiedAtMs };
    await transaction.clients.update(client.id, client);
    await recordClientChange(ports, transaction, owner, what);
    return { ...owner, client };
  });
  forgetClient(ports, input.UserPoolId, input.ClientId);
  return after;
}

async function updateClient(
  ports: EventPorts & SettingsPorts & SecretPorts & ServedPoolPort & StorePort,
  input: Input<'UpdateUserPoolClient'>,
): Promise<Output<'UpdateUserPoolClient'>> {
  const { UserPoolId, ClientId, ...members } = input;
  const after = await updateStoredClient(ports, { UserPoolId, ClientId }, 'client', (owner, transaction) =>
    applyClientUpdate(ports, owner, transaction, members),
  );
  return { UserPoolClient: toCognitoClientWithSecret(ports, after) };
}

/** Returns the client after `UpdateUserPoolClient`. Settings that Cognito does not have stay unchanged. */
export async function applyClientUpdate(
  ports: ServedPoolPort,
  { pool, client }: PoolAndClient,
  transaction: Pick<PoolReads, 'identityProviders' | 'resourceServers'>,
  { ClientName: name, ...members }: ClientUpdate,
): Promise<Pick<ClientRecord, 'settings'> & Partial<Pick<ClientRecord, 'name'>>> {
  const { secretNotes: notes, ssoMinutes, extensions } = client.settings;
  const lasting = {
    ...(notes && { secretNotes: notes }),
    ...(ssoMinutes !== undefined && { ssoMinutes }),
    ...(extensions && { extensions }),
  };
  const facts = await readClientSettingsDependencies(transaction, pool, members, client.secretsEncrypted.length > 0);
  const requested = { ...parseClientSettings(pool, members, facts), ...lasting };
  const isLifetimeRequested = members.AuthSessionValidity !== undefined;
  const settings = applyFixedClientSettings(ports.servedPool, client, isLifetimeRequested, requested);
  return { settings, ...(name === undefined ? {} : { name }) };
}

async function deleteClient(
  ports: EventPorts & SettingsCachePort & ServedPoolPort & StoreWrites<'clients' | 'events' | 'locks' | 'pools'>,
  input: Input<'DeleteUserPoolClient'>,
): Promise<Output<'DeleteUserPoolClient'>> {
  await ports.store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    const owner = await requireStoredClient(transaction, input);
    requireNotServedClient(ports.servedPool, owner.client);
    await transaction.clients.delete(owner.pool.id, owner.client.id);
    await deleteRiskConfiguration(ports, transaction, owner);
    await recordClientChange(ports, transaction, owner, 'client_deleted');
  });
  ports.settingsCache.pools.delete(input.UserPoolId);
  forgetClient(ports, input.UserPoolId, input.ClientId);
  return {};
}

async function deleteRiskConfiguration(
  { clock }: ClockPort,
  { pools }: Transaction<'pools'>,
  { pool: { id, settings }, client }: PoolAndClient,
): Promise<void> {
  const { riskConfigurations: before = [] } = settings;
  const riskConfigurations = before.filter(({ ClientId }) => ClientId !== client.id);
  if (riskConfigurations.length === before.length) return;
  await pools.update(id, { settings: { ...settings, riskConfigurations }, modifiedAtMs: clock.now() });
}

async function addSecret(
  ports: EventPorts & SettingsPorts & KeyRingPort & ServedPoolPort & StorePort,
  input: Input<'AddUserPoolClientSecret'>,
): Promise<Output<'AddUserPoolClientSecret'>> {
  const made = generateClientSecret(ports, { poolId: input.UserPoolId, id: input.ClientId }, input.ClientSecret);
  await updateStoredClient(ports, input, 'client_secret_made', ({ client }) => {
    checkFixedClientSecret(ports.servedPool, client);
    return addClientSecret(client, made);
  });
  return {
    ClientSecretDescriptor: {
      ClientSecretId: made.metadata.id,
      // The caller already knows a secret that it sent.
      ...(input.ClientSecret === undefined ? { ClientSecretValue: made.secret } : {}),
      ClientSecretCreateDate: made.metadata.createdAtMs / 1_000,
    },
  };
}

async function deleteSecret(
  ports: EventPorts & SettingsPorts & ServedPoolPort & StorePort,
  input: Input<'DeleteUserPoolClientSecret'>,
): Promise<Output<'DeleteUserPoolClientSecret'>> {
  await updateStoredClient(ports, input, 'client_secret_deleted', ({ client }) => {
    checkFixedClientSecret(ports.servedPool, client);
    return removeClientSecret(client, input.ClientSecretId);
  });
  return {};
}

/** Oldest first. */
async function listClients(
  ports: MacPorts & ClockPort & StoreReads<'clients' | 'pools'>,
  input: Input<'ListUserPoolClients'>,
): Promise<Output<'ListUserPoolClients'>> {
  const pool = await ports.store.pools.byId(input.UserPoolId);
  if (pool === undefined) throw poolNotFoundError(input.UserPoolId);
  const page = { limit: input.MaxResults, token: input.NextToken };
  const { rows, nextToken } = await readPage(ports, pool, 'clients', page, async (limit, cursor) =>
    // No client registers itself here.
    toClientPage(input.ClientType === 'DCR' ? [] : await ports.store.clients.listOf(pool.id), limit, cursor),
  );
  return {
    UserPoolClients: rows.map(({ id, poolId, name }) => ({ ClientId: id, UserPoolId: poolId, ClientName: name })),
    ...(nextToken === undefined ? {} : { NextToken: nextToken }),
  };
}

/** A pool has at most a thousand. The cursor contains the age and id of the last one shown, which may no longer exist. */
function toClientPage(clients: readonly ClientRecord[], limit: number, cursor: string | undefined): Page<ClientRecord> {
  const left = cursor === undefined ? clients : clients.filter((client) => formatClientCursor(client) > cursor);
  const rows = left.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: left.length > limit && last !== undefined ? formatClientCursor(last) : undefined };
}

function formatClientCursor({ createdAtMs, id }: ClientRecord): string {
  return `${String(createdAtMs).padStart(16, '0')} ${id}`;
}
