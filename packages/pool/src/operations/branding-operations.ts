import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { BrandProblem } from '../branding/brand.ts';
import { ALL_CLIENTS, formatBrandFileName } from '../branding/brand-file-name.ts';
import { MANAGED_DEFAULTS } from '../branding/managed-login-defaults.ts';
import { mergeSettings, readManagedSettings } from '../branding/managed-login-settings.ts';
import { checkClassicBranding, checkManagedBranding } from '../branding/stored-brand.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { createUuidV4 } from '../kernel/uuid-v4.ts';
import { lockSettings } from '../kernel/write-locks.ts';
import { forgetBrandings } from '../settings/pool-brands.ts';
import { requireClientOfPool, requirePool } from '../settings/pools-and-clients.ts';
import type { ServedPoolPort, SettingsCachePort } from '../settings/settings-ports.ts';
import type { BrandingAsset, BrandingRecord, ClassicBranding, ManagedBranding, PoolRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import type { OperationTable } from './operation-table.ts';
import { requireStoredClient } from './user-pool-client-operations.ts';

type BrandingOperation =
  | 'createManagedLoginBranding'
  | 'deleteManagedLoginBranding'
  | 'describeManagedLoginBranding'
  | 'describeManagedLoginBrandingByClient'
  | 'getUICustomization'
  | 'setUICustomization'
  | 'updateManagedLoginBranding';

type BrandingReadPorts = ServedPoolPort & SettingsCachePort & StoreReads<'brandings' | 'clients' | 'domains' | 'pools'>;
type BrandingWrites = EventPorts &
  BrandingReadPorts &
  StoreWrites<'brandings' | 'clients' | 'domains' | 'events' | 'locks' | 'pools'>;

/** Operations on the look of the pages. The caller was already authorized. */
export const brandingOperations: OperationTable<BrandingOperation> = {
  createManagedLoginBranding,
  deleteManagedLoginBranding,
  async describeManagedLoginBranding(ports, { UserPoolId, ManagedLoginBrandingId, ReturnMergedResources }) {
    const pool = await requirePool(ports, UserPoolId);
    const branding = await requireStyle(ports, pool, ManagedLoginBrandingId);
    return { ManagedLoginBranding: toManagedOutput(branding, ReturnMergedResources) };
  },
  async describeManagedLoginBrandingByClient(ports, { UserPoolId, ClientId, ReturnMergedResources }) {
    const pool = await requirePool(ports, UserPoolId);
    await requireClientOfPool(ports, pool.id, ClientId);
    const branding = await ports.store.brandings.byKey({ poolId: pool.id, clientId: ClientId, kind: 'managed' });
    if (branding === undefined) throw styleNotFoundError();
    return { ManagedLoginBranding: toManagedOutput(branding, ReturnMergedResources) };
  },
  getUICustomization,
  setUICustomization,
  updateManagedLoginBranding,
};

/** Reports a look that cannot be shown as an error of the caller. */
function requireUsable<Checked>(check: () => Checked): Checked {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof BrandProblem)) throw cause;
    throw new ProviderError('InvalidParameterException', `${cause.message.replace(/\.$/, '')}.`, { cause });
  }
}

function recordBranding(
  ports: EventPorts,
  transaction: Parameters<typeof recordEvent>[1],
  pool: PoolRecord,
  what: string,
  { clientId, warnings = [] }: { readonly clientId: string; readonly warnings?: readonly string[] },
): Promise<void> {
  const details = { what, client_id: clientId, ...(warnings.length > 0 && { warnings: warnings.join(' ') }) };
  return recordEvent(ports, transaction, { type: 'pool.updated', pool, details });
}

/** The classic look of a client, else that of its pool, as in Cognito. */
async function getUICustomization(
  ports: BrandingReadPorts,
  { UserPoolId, ClientId = ALL_CLIENTS }: Input<'GetUICustomization'>,
): Promise<Output<'GetUICustomization'>> {
  const pool = await requirePool(ports, UserPoolId);
  const find = (clientId: string) => ports.store.brandings.byKey({ poolId: pool.id, clientId, kind: 'classic' });
  if (ClientId !== ALL_CLIENTS) await requireClientOfPool(ports, pool.id, ClientId);
  const found = (await find(ClientId)) ?? (ClientId === ALL_CLIENTS ? undefined : await find(ALL_CLIENTS));
  return { UICustomization: found === undefined ? {} : toClassicOutput(ports, found) };
}

function toClassicOutput(
  ports: ServedPoolPort,
  { poolId, clientId, content, createdAtMs, modifiedAtMs }: BrandingRecord,
): Output<'GetUICustomization'>['UICustomization'] {
  const { css, image } = content as ClassicBranding;
  const address = image === undefined ? undefined : formatImageUrl(ports, poolId, clientId, image);
  return {
    UserPoolId: poolId,
    ClientId: clientId,
    ...(address !== undefined && { ImageUrl: address }),
    ...(css !== undefined && { CSS: css, CSSVersion: formatVersion(modifiedAtMs) }),
    LastModifiedDate: modifiedAtMs / 1_000,
    CreationDate: createdAtMs / 1_000,
  };
}

/** Cognito's versions are times without separators, such as `20260131235959`. */
const formatVersion = (timeMs: number): string => new Date(timeMs).toISOString().replaceAll(/\D/g, '').slice(0, 14);

function formatImageUrl(
  { servedPool }: ServedPoolPort,
  poolId: string,
  clientId: string,
  image: string,
): string | undefined {
  const base = servedPool.current?.desiredSettings.brandFilesUrl;
  const { logo } = checkClassicBranding({ image }).brand;
  if (base === undefined || logo === undefined) return undefined;
  return `${base}${formatBrandFileName('logo', logo.light, { poolId, ...(clientId !== ALL_CLIENTS && { clientId }) })}`;
}

/** Replaces the classic look of a client or of the whole pool. Without any look, the pages return to that of the next level. */
async function setUICustomization(
  ports: BrandingWrites,
  { UserPoolId, ClientId = ALL_CLIENTS, CSS, ImageFile }: Input<'SetUICustomization'>,
): Promise<Output<'SetUICustomization'>> {
  const pool = await requirePool(ports, UserPoolId);
  const content: ClassicBranding = {
    ...(CSS !== undefined && CSS !== '' && { css: CSS }),
    ...(ImageFile !== undefined && ImageFile !== '' && { image: ImageFile }),
  };
  const { warnings } = requireUsable(() => checkClassicBranding(content));
  const key = { poolId: pool.id, clientId: ClientId, kind: 'classic' } as const;
  const stored = await ports.store.write(async (transaction) => {
    const nowMs = ports.clock.now();
    await lockSettings(transaction, nowMs);
    if (ClientId !== ALL_CLIENTS) await requireStoredClient(transaction, { UserPoolId: pool.id, ClientId });
    await requireDomain({ store: transaction }, pool);
    await recordBranding(ports, transaction, pool, 'branding', { clientId: ClientId, warnings });
    if (Object.keys(content).length === 0) {
      await transaction.brandings.delete(key);
      return undefined;
    }
    const change = { content, modifiedAtMs: nowMs };
    const before = await transaction.brandings.byKey(key);
    if (before !== undefined) {
      await transaction.brandings.update(key, change);
      return { ...before, ...change };
    }
    const record: BrandingRecord = { ...key, ...change, id: createUuidV4(ports), createdAtMs: nowMs };
    await transaction.brandings.insert(record);
    return record;
  });
  forgetBrandings(ports, pool.id, ClientId);
  const empty = { UserPoolId: pool.id, ClientId };
  return { UICustomization: stored === undefined ? empty : toClassicOutput(ports, stored) };
}

/** @throws {ProviderError} `InvalidParameterException`: without a domain, the pool has no pages */
async function requireDomain({ store }: StoreReads<'domains'>, { id }: PoolRecord): Promise<void> {
  if ((await store.domains.listOf(id)).length > 0) return;
  throw new ProviderError(
    'InvalidParameterException',
    'There has to be an existing domain associated with this user pool.',
  );
}

function styleNotFoundError(): ProviderError {
  return new ProviderError('ResourceNotFoundException', 'The managed login branding does not exist.');
}

async function requireStyle(
  { store }: StoreReads<'brandings'>,
  { id: poolId }: PoolRecord,
  id: string,
): Promise<BrandingRecord & { readonly content: ManagedBranding }> {
  const found = await store.brandings.byId(poolId, id);
  if (found === undefined || found.kind !== 'managed') throw styleNotFoundError();
  return { ...found, content: found.content as ManagedBranding };
}

type ManagedOutput = NonNullable<Output<'DescribeManagedLoginBranding'>['ManagedLoginBranding']>;

/** @param isMerged whether to add the values that the style leaves as they are */
function toManagedOutput(
  { id, poolId, content, createdAtMs, modifiedAtMs }: BrandingRecord,
  isMerged = false,
): ManagedOutput {
  const { usesDefaults, settings, assets } = content as ManagedBranding;
  const shown = isMerged ? mergeSettings(MANAGED_DEFAULTS, settings ?? {}) : settings;
  return {
    ManagedLoginBrandingId: id,
    UserPoolId: poolId,
    UseCognitoProvidedValues: usesDefaults,
    ...(shown !== undefined && { Settings: shown }),
    Assets: assets as ManagedOutput['Assets'],
    CreationDate: createdAtMs / 1_000,
    LastModifiedDate: modifiedAtMs / 1_000,
  } as ManagedOutput;
}

type StyleInput = Pick<Input<'UpdateManagedLoginBranding'>, 'UseCognitoProvidedValues' | 'Settings' | 'Assets'>;

const assetKey = ({ Category, ColorMode, ResourceId = '' }: BrandingAsset): string =>
  `${Category}/${ColorMode}/${ResourceId}`;

/**
 * Applies a request to a style. Images replace those of the same category and color mode; everything that the request does not name stays.
 * @throws {ProviderError} `InvalidParameterException`
 */
function applyStyleInput(
  before: ManagedBranding,
  { UseCognitoProvidedValues: usesDefaults = false, Settings, Assets }: StyleInput,
): ManagedBranding {
  const hasOwn = Settings !== undefined || (Assets !== undefined && Assets.length > 0);
  if (usesDefaults && hasOwn) {
    throw new ProviderError(
      'InvalidParameterException',
      'UseCognitoProvidedValues must not be true together with Settings or Assets.',
    );
  }
  if (usesDefaults) return { usesDefaults, assets: [] };
  const given = (Assets ?? []) as readonly BrandingAsset[];
  const keys = new Set(given.map(assetKey));
  if (keys.size < given.length)
    throw new ProviderError('InvalidParameterException', 'Assets must not repeat a category and color mode.');
  const assets = [...before.assets.filter((asset) => !keys.has(assetKey(asset))), ...given];
  if (assets.length > MAX_ASSETS)
    throw new ProviderError('LimitExceededException', `A style can have ${MAX_ASSETS} assets at most.`);
  const settings = Settings === undefined ? before.settings : mergeDocuments(before.settings, Settings);
  return { usesDefaults, ...(settings !== undefined && { settings }), assets };
}

const MAX_ASSETS = 40;

/** Several times the size of Cognito's complete document. */
const MAX_SETTINGS_BYTES = 100_000;

/** Checks the form of the change only. Its contrast depends on the colors that the style already has. */
function mergeDocuments(before: ManagedBranding['settings'], change: unknown): ManagedBranding['settings'] {
  const checked = requireUsable(() => readManagedSettings(change));
  const merged = mergeSettings(before ?? {}, checked);
  const size = Buffer.byteLength(JSON.stringify(merged));
  if (size <= MAX_SETTINGS_BYTES) return merged;
  throw new ProviderError(
    'LimitExceededException',
    `The Settings of a style can have ${MAX_SETTINGS_BYTES} bytes of JSON at most. These have ${size}.`,
  );
}

async function createManagedLoginBranding(
  ports: BrandingWrites,
  { UserPoolId, ClientId, ...input }: Input<'CreateManagedLoginBranding'>,
): Promise<Output<'CreateManagedLoginBranding'>> {
  const pool = await requirePool(ports, UserPoolId);
  const content = applyStyleInput({ usesDefaults: false, assets: [] }, input);
  const { warnings } = requireUsable(() => checkManagedBranding(content));
  const nowMs = ports.clock.now();
  const key = { poolId: pool.id, clientId: ClientId, kind: 'managed' } as const;
  const style = { ...key, id: createUuidV4(ports), content, createdAtMs: nowMs, modifiedAtMs: nowMs };
  try {
    await ports.store.write(async (transaction) => {
      await lockSettings(transaction, nowMs);
      await requireStoredClient(transaction, { UserPoolId: pool.id, ClientId });
      await transaction.brandings.insert(style);
      await recordBranding(ports, transaction, pool, 'branding_made', { clientId: ClientId, warnings });
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    const message = `The app client ${ClientId} already has a managed login branding.`;
    throw new ProviderError('ManagedLoginBrandingExistsException', message, { cause });
  }
  forgetBrandings(ports, pool.id, ClientId);
  return { ManagedLoginBranding: toManagedOutput(style) };
}

async function updateManagedLoginBranding(
  ports: BrandingWrites,
  { UserPoolId, ManagedLoginBrandingId, ...input }: Input<'UpdateManagedLoginBranding'>,
): Promise<Output<'UpdateManagedLoginBranding'>> {
  if (UserPoolId === undefined || ManagedLoginBrandingId === undefined) throw styleNotFoundError();
  const pool = await requirePool(ports, UserPoolId);
  const style = await ports.store.write(async (transaction) => {
    const modifiedAtMs = ports.clock.now();
    await lockSettings(transaction, modifiedAtMs);
    const before = await requireStyle({ store: transaction }, pool, ManagedLoginBrandingId);
    const content = applyStyleInput(before.content, input);
    const { warnings } = requireUsable(() => checkManagedBranding(content));
    await transaction.brandings.update(before, { content, modifiedAtMs });
    await recordBranding(ports, transaction, pool, 'branding', { clientId: before.clientId, warnings });
    return { ...before, content, modifiedAtMs };
  });
  forgetBrandings(ports, pool.id, style.clientId);
  return { ManagedLoginBranding: toManagedOutput(style) };
}

async function deleteManagedLoginBranding(
  ports: BrandingWrites,
  { UserPoolId, ManagedLoginBrandingId }: Input<'DeleteManagedLoginBranding'>,
): Promise<Output<'DeleteManagedLoginBranding'>> {
  const pool = await requirePool(ports, UserPoolId);
  const { clientId } = await ports.store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    const style = await requireStyle({ store: transaction }, pool, ManagedLoginBrandingId);
    await transaction.brandings.delete(style);
    await recordBranding(ports, transaction, pool, 'branding_deleted', style);
    return style;
  });
  forgetBrandings(ports, pool.id, clientId);
  return {};
}
