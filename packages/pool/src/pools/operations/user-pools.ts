import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../events.ts';
import { lockSettings } from '../../factors/locks.ts';
import { mfaConfigView, withMfaConfig } from '../../factors/pool-mfa-config.ts';
import type { CallPort, EventPorts, KeyRingPort, StorePort, StoreReads, StoreWrites } from '../../kernel/ports.ts';
import { domainView } from '../../oauth/domains.ts';
import type { OperationTable } from '../../operation-table.ts';
import type { PoolSettings } from '../../settings.ts';
import { pageSize } from '../../shared/page-tokens.ts';
import type { PoolRecord } from '../../store/records.ts';
import { generateSigningKeys, replaceSigningKeys } from '../../tokens/keys.ts';
import type { PublishedKeyPorts } from '../../tokens/token-ports.ts';
import type { TriggerTargetPorts } from '../../triggers/trigger-ports.ts';
import { reportUnmappedTriggers } from '../../triggers/unmapped-triggers.ts';
import { newPoolId } from '../../users/identifiers.ts';
import { arnAccount } from '../arns.ts';
import { newPool } from '../new-pool.ts';
import { csvHeader, withCustomAttributes } from '../pool-schema.ts';
import { changedSettings, settingsOfNewPool } from '../pool-settings.ts';
import { poolSummary, poolView } from '../pool-view.ts';
import { noSuchPool, requirePool } from '../pools.ts';
import { checkFixedFactors, requireNotServedPool, withFixedSettings } from '../served-pool.ts';
import type { AccountPort, ServedPoolPort, SettingsCachePort, SettingsPorts } from '../settings-ports.ts';

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

/** The operations on pools and their settings. The caller of them was checked before. */
export const userPoolOperations: OperationTable<UserPoolOperation> = {
  addCustomAttributes,
  createUserPool,
  deleteUserPool,
  async describeUserPool(ports, { UserPoolId }) {
    const pool = await storedPool(ports, UserPoolId);
    const view = poolView(pool, await ports.store.users.count(pool.id), arnAccount(ports));
    return { UserPool: { ...view, ...(await domainView(ports.store, pool.id)) } };
  },
  async getCSVHeader(ports, { UserPoolId }) {
    const { id, settings } = await storedPool(ports, UserPoolId);
    return { UserPoolId: id, CSVHeader: csvHeader(settings) };
  },
  async getUserPoolMfaConfig(ports, { UserPoolId }) {
    return mfaConfigView((await storedPool(ports, UserPoolId)).settings);
  },
  listUserPools,
  setUserPoolMfaConfig,
  updateUserPool,
};

/** Who has just changed a setting sees the change, at whichever replica. */
export async function storedPool({ store }: StoreReads<'pools'>, id: string): Promise<PoolRecord> {
  const pool = await store.pools.byId(id);
  if (pool === undefined) throw noSuchPool(id);
  return pool;
}

const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;

/** A pool is made in the region that its request was signed for, else in that of the one that is served: clients need no other endpoint for it. */
async function newPoolRegion(
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

async function createUserPool(
  ports: EventPorts &
    TriggerTargetPorts &
    KeyRingPort &
    SettingsCachePort &
    AccountPort &
    ServedPoolPort &
    StoreReads<'pools'> &
    StoreWrites<'events' | 'locks' | 'pools' | 'signingKeys'>,
  input: Input<'CreateUserPool'>,
): Promise<Output<'CreateUserPool'>> {
  const { store } = ports;
  checkName(input.PoolName);
  const region = await newPoolRegion(ports);
  const id = newPoolId(ports.random, region);
  const settings = settingsOfNewPool(input, region, id);
  const pool = newPool(ports, { id, name: input.PoolName, region, settings });
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
  return { UserPool: poolView(pool, 0, arnAccount(ports)) };
}

function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new ProviderError(
    'InvalidParameterException',
    "1 validation error detected: Value at 'poolName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w\\s+=,.@-]+",
  );
}

/** Changes the settings of a pool in one write, with an event that says of what kind the change was. */
export async function changePool(
  ports: EventPorts & SettingsCachePort & StoreWrites<'events' | 'locks' | 'pools'>,
  id: string,
  what: string,
  changed: (pool: PoolRecord) => { readonly settings: PoolSettings; readonly name?: string },
): Promise<PoolSettings> {
  const settings = await ports.store.write(async (transaction) => {
    const modifiedAtMs = ports.clock.now();
    await lockSettings(transaction, modifiedAtMs);
    const pool = await transaction.pools.byId(id);
    if (pool === undefined) throw noSuchPool(id);
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
    StoreWrites<'events' | 'locks' | 'pools'>,
  input: Input<'UpdateUserPool'>,
): Promise<Output<'UpdateUserPool'>> {
  const { UserPoolId, PoolName: name, ...members } = input;
  if (name !== undefined) checkName(name);
  const settings = await changePool(ports, UserPoolId, 'settings', (pool) => {
    const requested = changedSettings(pool.settings, members, pool.region, pool.id);
    const fixed = withFixedSettings(ports.servedPool, pool, members, requested);
    return { settings: fixed, ...(name === undefined ? {} : { name }) };
  });
  reportUnmappedTriggers(ports, { id: UserPoolId, settings });
  return {};
}

async function addCustomAttributes(
  ports: EventPorts & SettingsCachePort & StoreWrites<'events' | 'locks' | 'pools'>,
  { UserPoolId, CustomAttributes }: Input<'AddCustomAttributes'>,
): Promise<Output<'AddCustomAttributes'>> {
  await changePool(ports, UserPoolId, 'schema', ({ settings }) => ({
    settings: { ...settings, customAttributes: withCustomAttributes(settings.customAttributes, CustomAttributes) },
  }));
  return {};
}

async function setUserPoolMfaConfig(
  ports: EventPorts & SettingsCachePort & ServedPoolPort & StoreWrites<'events' | 'locks' | 'pools'>,
  { UserPoolId, ...members }: Input<'SetUserPoolMfaConfig'>,
): Promise<Output<'SetUserPoolMfaConfig'>> {
  const settings = await changePool(ports, UserPoolId, 'factors', (pool) => {
    const requested = withMfaConfig(pool.settings, members);
    checkFixedFactors(ports.servedPool, pool, members, requested);
    return { settings: requested };
  });
  return mfaConfigView(settings);
}

async function deleteUserPool(
  ports: EventPorts & SettingsPorts & PublishedKeyPorts & ServedPoolPort & StorePort,
  { UserPoolId }: Input<'DeleteUserPool'>,
): Promise<Output<'DeleteUserPool'>> {
  const clients = await ports.store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    const pool = await transaction.pools.byId(UserPoolId);
    if (pool === undefined) throw noSuchPool(UserPoolId);
    requireNotServedPool(ports.servedPool, pool);
    if (pool.settings.deletionProtection) throw protectedPool();
    if ((await transaction.domains.listOf(pool.id)).length > 0) throw poolWithDomain();
    const owned = await transaction.clients.listOf(pool.id);
    await transaction.pools.delete(pool.id);
    await recordEvent(ports, transaction, { type: 'pool.updated', pool, details: { what: 'pool_deleted' } });
    return owned;
  });
  ports.settingsCache.pools.delete(UserPoolId);
  ports.keyCache.signingKeys.delete(UserPoolId);
  for (const { id } of clients) ports.settingsCache.clients.delete(id);
  return {};
}

function protectedPool(): ProviderError {
  return new ProviderError(
    'InvalidParameterException',
    'The user pool cannot be deleted because deletion protection is activated. Deletion protection must be inactivated first.',
  );
}

function poolWithDomain(): ProviderError {
  return new ProviderError(
    'InvalidParameterException',
    'User pool cannot be deleted. It has a domain configured that should be deleted first.',
  );
}

/** By id. No pool's secret can vouch for a place in the list of all pools, so the token is encrypted. */
async function listUserPools(
  ports: KeyRingPort & StoreReads<'pools'>,
  input: Input<'ListUserPools'>,
): Promise<Output<'ListUserPools'>> {
  const limit = pageSize(input.MaxResults, { name: 'maxResults', most: 60 });
  const cursor = input.NextToken === undefined ? undefined : decryptPoolCursor(ports, input.NextToken);
  const { rows, nextCursor } = await ports.store.pools.list(limit, cursor);
  return {
    UserPools: rows.map(poolSummary),
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
