import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type {
  ClockPort,
  EventPorts,
  KeyRingPort,
  MacPorts,
  StorePort,
  StoreReads,
  Transaction,
} from '../kernel/ports.ts';
import { lockSettings } from '../kernel/write-locks.ts';
import {
  parseIdentityProvider,
  parseProviderType,
  toComparableIdentifier,
} from '../settings/identity-provider-settings.ts';
import { IDENTITY_PROVIDER_TYPES } from '../settings/identity-provider-types.ts';
import {
  decryptProviderSecret,
  encryptProviderSecret,
  findProviderByIdentifier,
  identityProviderNotFoundError,
  requireIdentityProvider,
} from '../settings/identity-providers.ts';
import { readPage } from '../settings/page-tokens.ts';
import { forgetClient, requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsCachePort, SettingsPorts } from '../settings/settings-ports.ts';
import type { IdentityProviderSettings, LinkRule } from '../store/pool-and-client-settings.ts';
import type { IdentityProviderRecord, PoolRecord } from '../store/records.ts';
import { foldProviderName, requireUnusedPrefix } from '../users/provider-usernames.ts';
import type { OperationTable } from './operation-table.ts';

type IdentityProviderOperation =
  | 'createIdentityProvider'
  | 'deleteIdentityProvider'
  | 'describeIdentityProvider'
  | 'getIdentityProviderByIdentifier'
  | 'listIdentityProviders'
  | 'updateIdentityProvider';

const MAX_PROVIDERS = 300;

/** The operations on the identity providers of a pool. Their caller is already authorized. */
export const identityProviderOperations: OperationTable<IdentityProviderOperation> = {
  createIdentityProvider: (ports, input) => createIdentityProvider(ports, input),
  deleteIdentityProvider,
  async describeIdentityProvider(ports, { UserPoolId, ProviderName }) {
    const pool = await requirePool(ports, UserPoolId);
    return {
      IdentityProvider: toIdentityProvider(ports, await requireIdentityProvider(ports.store, pool, ProviderName)),
    };
  },
  async getIdentityProviderByIdentifier(ports, { UserPoolId, IdpIdentifier }) {
    const pool = await requirePool(ports, UserPoolId);
    const provider = findProviderByIdentifier(await ports.store.identityProviders.listOf(pool.id), IdpIdentifier);
    if (provider === undefined) throw identityProviderNotFoundError(IdpIdentifier);
    return { IdentityProvider: toIdentityProvider(ports, provider) };
  },
  listIdentityProviders,
  updateIdentityProvider: (ports, input) => updateIdentityProvider(ports, input),
};

type IdentityProviderOutput = Output<'DescribeIdentityProvider'>['IdentityProvider'];

function toIdentityProvider(ports: KeyRingPort, provider: IdentityProviderRecord): IdentityProviderOutput {
  const { poolId, name, settings, createdAtMs, modifiedAtMs } = provider;
  const { type, details, attributeMapping, identifiers, acrMapping } = settings;
  const { secret: secretName, showsSecret } = IDENTITY_PROVIDER_TYPES[type];
  const secret = showsSecret ? decryptProviderSecret(ports, provider) : '';
  return {
    UserPoolId: poolId,
    ProviderName: name,
    ProviderType: type,
    ProviderDetails: { ...details, ...(secret !== '' && { [secretName]: secret }) },
    AttributeMapping: attributeMapping,
    IdpIdentifiers: identifiers,
    ...(acrMapping !== undefined && { AcrMapping: acrMapping }),
    LastModifiedDate: modifiedAtMs / 1_000,
    CreationDate: createdAtMs / 1_000,
  };
}

type ProviderWrites = EventPorts & KeyRingPort & SettingsPorts & StorePort;

/** Cognito's operation, extended by a link rule. */
export async function createIdentityProvider(
  ports: ProviderWrites,
  input: Input<'CreateIdentityProvider'>,
  linkRule?: LinkRule,
): Promise<Output<'CreateIdentityProvider'>> {
  const type = parseProviderType(input);
  const pool = await requirePool(ports, input.UserPoolId);
  const { settings, secret } = parseIdentityProvider(pool, type, input, undefined, linkRule);
  checkLinkRule(settings, linkRule);
  const nowMs = ports.clock.now();
  const name = input.ProviderName;
  const secretEncrypted = encryptProviderSecret(ports, pool.id, name, secret);
  const provider = { poolId: pool.id, name, settings, secretEncrypted, createdAtMs: nowMs, modifiedAtMs: nowMs };
  await ports.store.write(async (transaction) => {
    await lockSettings(transaction, nowMs);
    const others = await transaction.identityProviders.listOf(pool.id);
    checkNewName(pool, others, name);
    checkIdentifiers(others, provider);
    await requireUnusedPrefix(transaction, pool, name);
    await transaction.identityProviders.insert(provider);
    await recordProviderChange(ports, transaction, pool, name, 'identity_provider_made');
  });
  ports.settingsCache.identityProviders.delete(pool.id);
  return { IdentityProvider: toIdentityProvider(ports, provider) };
}

/** A rule without its attribute would never apply. */
function checkLinkRule({ attributeMapping }: IdentityProviderSettings, linkRule: LinkRule | null | undefined): void {
  if (!linkRule || Object.hasOwn(attributeMapping, linkRule.attribute)) return;
  throw new ProviderError(
    'InvalidParameterException',
    `A rule for ${linkRule.attribute} requires that the provider maps ${linkRule.attribute}.`,
  );
}

function checkNewName(pool: PoolRecord, others: readonly IdentityProviderRecord[], name: string): void {
  if (others.length >= MAX_PROVIDERS) {
    throw new ProviderError(
      'LimitExceededException',
      `A user pool can have ${MAX_PROVIDERS} identity providers at most.`,
    );
  }
  // Usernames begin with the name of the provider, and most pools ignore case in them.
  const folded = foldProviderName(name);
  if (!others.some((other) => foldProviderName(other.name) === folded)) return;
  throw new ProviderError('DuplicateProviderException', `The provider ${name} already exists in user pool ${pool.id}.`);
}

function checkIdentifiers(
  providers: readonly IdentityProviderRecord[],
  { name, settings }: Pick<IdentityProviderRecord, 'name' | 'settings'>,
): void {
  const others = providers.filter((other) => other.name !== name);
  const taken = settings.identifiers.find((one) => findProviderByIdentifier(others, one) !== undefined);
  if (taken === undefined) return;
  throw new ProviderError('InvalidParameterException', `The identifier ${toComparableIdentifier(taken)} is in use.`);
}

/** Cognito's operation, extended by a link rule. An omitted rule stays, and null removes it. */
export async function updateIdentityProvider(
  ports: ProviderWrites,
  { UserPoolId, ProviderName: name, ...members }: Input<'UpdateIdentityProvider'>,
  linkRule?: LinkRule | null,
): Promise<Output<'UpdateIdentityProvider'>> {
  const pool = await requirePool(ports, UserPoolId);
  const provider = await ports.store.write(async (transaction) => {
    const modifiedAtMs = ports.clock.now();
    await lockSettings(transaction, modifiedAtMs);
    const before = await requireIdentityProvider(transaction, pool, name);
    const earlier = { settings: before.settings, secret: decryptProviderSecret(ports, before) };
    const { settings, secret } = parseIdentityProvider(pool, before.settings.type, members, earlier, linkRule);
    checkLinkRule(settings, linkRule);
    checkIdentifiers(await transaction.identityProviders.listOf(pool.id), { name, settings });
    const change = { settings, secretEncrypted: encryptProviderSecret(ports, pool.id, name, secret), modifiedAtMs };
    await transaction.identityProviders.update(pool.id, name, change);
    await recordProviderChange(ports, transaction, pool, name, 'identity_provider');
    return { ...before, ...change };
  });
  ports.settingsCache.identityProviders.delete(pool.id);
  return { IdentityProvider: toIdentityProvider(ports, provider) };
}

/** App clients lose a removed provider, so that they do not accept a later provider of the same name. */
async function deleteIdentityProvider(
  ports: ProviderWrites,
  { UserPoolId, ProviderName: name }: Input<'DeleteIdentityProvider'>,
): Promise<Output<'DeleteIdentityProvider'>> {
  const pool = await requirePool(ports, UserPoolId);
  const changed = await ports.store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    if (!(await transaction.identityProviders.delete(pool.id, name))) throw identityProviderNotFoundError(name);
    const clientIds = await removeFromClients(transaction, pool, name);
    await recordProviderChange(ports, transaction, pool, name, 'identity_provider_deleted');
    return clientIds;
  });
  ports.settingsCache.identityProviders.delete(pool.id);
  for (const clientId of changed) forgetClient(ports, pool.id, clientId);
  return {};
}

async function removeFromClients(
  transaction: Transaction<'clients'>,
  pool: PoolRecord,
  name: string,
): Promise<readonly string[]> {
  const clients = await transaction.clients.listOf(pool.id);
  const naming = clients.filter(({ settings }) => settings.kept?.SupportedIdentityProviders?.includes(name));
  for (const client of naming) {
    const { kept = {} } = client.settings;
    const SupportedIdentityProviders = kept.SupportedIdentityProviders?.filter((one) => one !== name) ?? [];
    const settings = { ...client.settings, kept: { ...kept, SupportedIdentityProviders } };
    await transaction.clients.update(client.id, { ...client, settings });
  }
  return naming.map(({ id }) => id);
}

function recordProviderChange(
  ports: EventPorts,
  transaction: Transaction<'events'>,
  pool: PoolRecord,
  name: string,
  what: string,
): Promise<void> {
  const details = { what, identity_provider: name };
  return recordEvent(ports, transaction, { type: 'pool.updated', pool, details });
}

/** Sorted by name. */
async function listIdentityProviders(
  ports: MacPorts & ClockPort & SettingsCachePort & StoreReads<'pools' | 'identityProviders'>,
  input: Input<'ListIdentityProviders'>,
): Promise<Output<'ListIdentityProviders'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const all = await ports.store.identityProviders.listOf(pool.id);
  const { rows, nextToken } = await readPage(
    ports,
    pool,
    'identity-providers',
    { limit: input.MaxResults, token: input.NextToken },
    async (limit, cursor = '') => {
      const after = all.filter(({ name }) => name > cursor);
      const page = after.slice(0, limit);
      return { rows: page, nextCursor: after.length > limit ? page.at(-1)?.name : undefined };
    },
    { name: 'maxResults', most: 60 },
  );
  return {
    Providers: rows.map(({ name, settings, createdAtMs, modifiedAtMs }) => ({
      ProviderName: name,
      ProviderType: settings.type,
      LastModifiedDate: modifiedAtMs / 1_000,
      CreationDate: createdAtMs / 1_000,
    })),
    ...(nextToken === undefined ? {} : { NextToken: nextToken }),
  };
}
