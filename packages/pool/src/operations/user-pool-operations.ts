import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import { generatePoolId } from '../kernel/identifiers.ts';
import type { CallPort, EventPorts, KeyRingPort, StorePort, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { lockSettings } from '../kernel/write-locks.ts';
import { resolveArnAccount } from '../settings/arns.ts';
import { toCognitoUserPool, toCognitoUserPoolSummary } from '../settings/cognito-user-pool.ts';
import { createPoolRecord } from '../settings/create-pool-record.ts';
import { createPoolSettings, updatePoolSettings } from '../settings/create-pool-settings.ts';
import { formatAwsIssuer } from '../settings/default-settings.ts';
import { parsePageSize } from '../settings/page-tokens.ts';
import { readDomainNames } from '../settings/pool-domains.ts';
import { applyMfaConfig, toCognitoMfaConfig } from '../settings/pool-mfa-config.ts';
import { listCsvColumns, withCustomAttributes } from '../settings/pool-schema.ts';
import { forgetClient, poolNotFoundError, requirePool } from '../settings/pools-and-clients.ts';
import {
  applyFixedSettings,
  checkFixedFactors,
  requireNotServedPool,
  withServiceIssuer,
} from '../settings/served-pool.ts';
import type { AccountPort, ServedPoolPort, SettingsCachePort, SettingsPorts } from '../settings/settings-ports.ts';
import { reportUnsupportedSettings, type UnsupportedSettingsPort } from '../settings/unsupported-settings.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';
import { generateSigningKeys, replaceSigningKeys } from '../tokens/signing-keys.ts';
import type { PublishedKeyPorts } from '../tokens/token-ports.ts';
import type { TriggerTargetPorts } from '../triggers/trigger-ports.ts';
import { reportUnmappedTriggers } from '../triggers/unmapped-triggers.ts';
import type { OperationTable } from './operation-table.ts';

type UserPoolOperation =
  | 'addCustomAttributes'
  | 'createUserPool'
  | 'deleteUserPool'
  | 'describeUserPool'
  | 'getCSVHeader'
  | 'getUserPoolMfaConfig'
  | 'listUserPools'
  | 'setUserPoolMfaConfig'
  | 'updateUserPool';

const MAX_POOLS = 1_000;
const NAME = /^[\w\s+=,.@-]{1,128}$/;
const DEFAULT_REGION = 'us-east-1';

/** Operations on pools and their settings. The caller was already authorized. */
export const userPoolOperations: OperationTable<UserPoolOperation> = {
  addCustomAttributes,
  createUserPool: async (ports, input) =>
    createUserPoolWithId(ports, input, generatePoolId(ports.random, await choosePoolRegion(ports))),
  deleteUserPool,
  async describeUserPool(ports, { UserPoolId }) {
    const pool = await requireStoredPool(ports, UserPoolId);
    const view = toCognitoUserPool(pool, await ports.store.users.count(pool.id), resolveArnAccount(ports));
    return { UserPool: { ...view, ...(await readDomainNames(ports.store, pool.id)) } };
  },
  async getCSVHeader(ports, { UserPoolId }) {
    const { id, settings } = await requireStoredPool(ports, UserPoolId);
    return { UserPoolId: id, CSVHeader: listCsvColumns(settings) };
  },
  async getUserPoolMfaConfig(ports, { UserPoolId }) {
    return toCognitoMfaConfig((await requireStoredPool(ports, UserPoolId)).settings);
  },
  listUserPools,
  setUserPoolMfaConfig,
  updateUserPool,
};

/** A caller who just changed a setting sees the change at any replica. */
export async function requireStoredPool({ store }: StoreReads<'pools'>, id: string): Promise<PoolRecord> {
  const pool = await store.pools.byId(id);
  if (pool === undefined) throw poolNotFoundError(id);
  return pool;
}

const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;

/** A pool is created in the region of the signed request, else in that of the served pool, so that clients need no other endpoint. */
async function choosePoolRegion(
  ports: CallPort & SettingsCachePort & ServedPoolPort & StoreReads<'pools'>,
): Promise<string> {
  const { store, servedPool, call } = ports;
  if (call.region !== undefined) {
    if (REGION.test(call.region)) return call.region;
    throw new ProviderError('InvalidParameterException', `${call.region} is not the name of a region.`);
  }
  const first =
    servedPool.current === undefined
      ? await store.pools.first()
      : await requirePool(ports, servedPool.current.userPoolId);
  return first?.region ?? DEFAULT_REGION;
}

const POOL_ID = /^([\w-]+)_[0-9a-zA-Z]+$/;

/**
 * Creates a pool under an id that the caller chose: the region, `_`, letters and digits.
 * @throws {ProviderError} `InvalidParameterException`: the id does not have this form, or a value that no pool can have
 * @throws {ConflictError} there is a pool with this id
 */
export async function createUserPoolWithId(
  ports: EventPorts &
    TriggerTargetPorts &
    KeyRingPort &
    AccountPort &
    ServedPoolPort &
    UnsupportedSettingsPort &
    StoreWrites<'events' | 'locks' | 'pools' | 'signingKeys'>,
  input: Input<'CreateUserPool'>,
  id: string,
): Promise<Output<'CreateUserPool'>> {
  const { store } = ports;
  checkPoolName(input.PoolName);
  const region = POOL_ID.exec(id)?.[1] ?? '';
  if (!REGION.test(region)) {
    throw new ProviderError(
      'InvalidParameterException',
      `${id} is not the id of a user pool, such as eu-west-1_Abc123.`,
    );
  }
  const created = createPoolSettings(input, region, id, ports.acceptedUnsupportedSettings);
  const settings = input.IssuerConfiguration === undefined ? withServiceIssuer(ports.servedPool, id, created) : created;
  const pool = createPoolRecord(ports, { id, name: input.PoolName, region, settings });
  const keys = await generateSigningKeys(ports, id);
  await store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    if ((await transaction.pools.count()) >= MAX_POOLS) {
      throw new ProviderError('LimitExceededException', `There can be ${MAX_POOLS} user pools at most.`);
    }
    await transaction.pools.insert(pool);
    await replaceSigningKeys(transaction, id, keys, ports.clock.now());
    await recordEvent(ports, transaction, { type: 'pool.updated', pool, details: { what: 'pool_made' } });
  });
  reportUnmappedTriggers(ports, pool);
  reportUnsupportedSettings(ports, pool);
  return { UserPool: toCognitoUserPool(pool, 0, resolveArnAccount(ports)) };
}

function checkPoolName(name: string): void {
  if (NAME.test(name)) return;
  throw new ProviderError(
    'InvalidParameterException',
    "1 validation error detected: Value at 'poolName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w\\s+=,.@-]+",
  );
}

/** Changes a pool's settings in one write, with an event that names the kind of change. */
export async function updateStoredPool(
  ports: EventPorts & SettingsCachePort & StoreWrites<'events' | 'locks' | 'pools'>,
  id: string,
  what: string,
  changed: (pool: PoolRecord) => { readonly settings: PoolSettings; readonly name?: string },
): Promise<PoolSettings> {
  const settings = await ports.store.write(async (transaction) => {
    const modifiedAtMs = ports.clock.now();
    await lockSettings(transaction, modifiedAtMs);
    const pool = await transaction.pools.byId(id);
    if (pool === undefined) throw poolNotFoundError(id);
    const change = changed(pool);
    await transaction.pools.update(id, { ...change, modifiedAtMs });
    await recordEvent(ports, transaction, { type: 'pool.updated', pool, details: { what } });
    return change.settings;
  });
  ports.settingsCache.pools.delete(id);
  return settings;
}

async function updateUserPool(
  ports: EventPorts &
    TriggerTargetPorts &
    SettingsCachePort &
    ServedPoolPort &
    UnsupportedSettingsPort &
    StoreWrites<'events' | 'locks' | 'pools'>,
  input: Input<'UpdateUserPool'>,
): Promise<Output<'UpdateUserPool'>> {
  const { UserPoolId, PoolName: name, ...members } = input;
  if (name !== undefined) checkPoolName(name);
  const settings = await updateStoredPool(ports, UserPoolId, 'settings', (pool) => {
    const requested = updatePoolSettings(
      pool.settings,
      members,
      pool.region,
      pool.id,
      ports.acceptedUnsupportedSettings,
    );
    const fixed = applyFixedSettings(ports.servedPool, pool, members, requested);
    return { settings: fixed, ...(name === undefined ? {} : { name }) };
  });
  reportUnmappedTriggers(ports, { id: UserPoolId, settings });
  reportUnsupportedSettings(ports, { id: UserPoolId, settings });
  return {};
}

/** Gives a pool an issuer below an address, or one of Amazon's form, and returns it. */
export async function updateIssuer(
  ports: EventPorts & SettingsCachePort & StoreWrites<'events' | 'locks' | 'pools'>,
  userPoolId: string,
  issuerBase: string | undefined,
): Promise<string> {
  const { issuer } = await updateStoredPool(ports, userPoolId, 'issuer', ({ region, settings }) => ({
    settings: {
      ...settings,
      issuer: issuerBase === undefined ? formatAwsIssuer(region, userPoolId) : `${issuerBase}/${userPoolId}`,
    },
  }));
  return issuer;
}

async function addCustomAttributes(
  ports: EventPorts & SettingsCachePort & StoreWrites<'events' | 'locks' | 'pools'>,
  { UserPoolId, CustomAttributes }: Input<'AddCustomAttributes'>,
): Promise<Output<'AddCustomAttributes'>> {
  await updateStoredPool(ports, UserPoolId, 'schema', ({ settings }) => ({
    settings: { ...settings, customAttributes: withCustomAttributes(settings.customAttributes, CustomAttributes) },
  }));
  return {};
}

async function setUserPoolMfaConfig(
  ports: EventPorts & SettingsCachePort & ServedPoolPort & StoreWrites<'events' | 'locks' | 'pools'>,
  { UserPoolId, ...members }: Input<'SetUserPoolMfaConfig'>,
): Promise<Output<'SetUserPoolMfaConfig'>> {
  const settings = await updateStoredPool(ports, UserPoolId, 'factors', (pool) => {
    const requested = applyMfaConfig(pool.settings, members);
    checkFixedFactors(ports.servedPool, pool, members, requested);
    return { settings: requested };
  });
  return toCognitoMfaConfig(settings);
}

async function deleteUserPool(
  ports: EventPorts & SettingsPorts & PublishedKeyPorts & ServedPoolPort & StorePort,
  { UserPoolId }: Input<'DeleteUserPool'>,
): Promise<Output<'DeleteUserPool'>> {
  const clients = await ports.store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    const pool = await transaction.pools.byId(UserPoolId);
    if (pool === undefined) throw poolNotFoundError(UserPoolId);
    requireNotServedPool(ports.servedPool, pool);
    if (pool.settings.deletionProtection) throw poolProtectedError();
    if ((await transaction.domains.listOf(pool.id)).length > 0) throw poolHasDomainError();
    const owned = await transaction.clients.listOf(pool.id);
    await transaction.pools.delete(pool.id);
    await recordEvent(ports, transaction, { type: 'pool.updated', pool, details: { what: 'pool_deleted' } });
    return owned;
  });
  ports.settingsCache.pools.delete(UserPoolId);
  ports.keyCache.signingKeys.delete(UserPoolId);
  for (const { id } of clients) forgetClient(ports, UserPoolId, id);
  return {};
}

function poolProtectedError(): ProviderError {
  return new ProviderError(
    'InvalidParameterException',
    'The user pool cannot be deleted because deletion protection is activated. Deletion protection must be inactivated first.',
  );
}

function poolHasDomainError(): ProviderError {
  return new ProviderError(
    'InvalidParameterException',
    'User pool cannot be deleted. It has a domain configured that should be deleted first.',
  );
}

/** Sorted by id. No pool's secret can authenticate a position in the list of all pools, so the token is encrypted. */
async function listUserPools(
  ports: KeyRingPort & StoreReads<'pools'>,
  input: Input<'ListUserPools'>,
): Promise<Output<'ListUserPools'>> {
  const limit = parsePageSize(input.MaxResults, { name: 'maxResults', most: 60 });
  const cursor = input.NextToken === undefined ? undefined : decryptPoolCursor(ports, input.NextToken);
  const { rows, nextCursor } = await ports.store.pools.list(limit, cursor);
  return {
    UserPools: rows.map(toCognitoUserPoolSummary),
    ...(nextCursor === undefined
      ? {}
      : { NextToken: ports.keyRing.encrypt('pools-page', Buffer.from(nextCursor), '') }),
  };
}

function decryptPoolCursor({ keyRing }: KeyRingPort, token: string): string {
  const decrypted = keyRing.decrypt('pools-page', token, '');
  if (decrypted === undefined)
    throw new ProviderError('InvalidParameterException', 'Invalid pagination token provided.');
  return Buffer.from(decrypted).toString('utf8');
}
