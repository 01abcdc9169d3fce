import { isDeepStrictEqual } from 'node:util';
import { type Input, ProviderError } from '@poolgate/provider';
import type { ClientSettings, PoolSettings } from '../store/pool-and-client-settings.ts';
import type { ClientRecord, PoolRecord } from '../store/records.ts';
import type { DesiredPoolSettings } from './desired-settings.ts';
import type { PoolSettingsInput } from './pool-settings-input.ts';
import { findRecoveryMfaMethod } from './second-factors.ts';

/** The pool and client that this instance serves, with their configuration, which is applied again at every start. */
export interface ServedPool {
  readonly userPoolId: string;
  readonly clientId: string;
  readonly desiredSettings: DesiredPoolSettings;
}

/** Holds the served pool and client; empty before the setup. */
export interface ServedPoolHolder {
  current: ServedPool | undefined;
}

/** @throws {ProviderError} `InvalidParameterException`: the served pool cannot be deleted */
export function requireNotServedPool({ current }: ServedPoolHolder, { id }: Pick<PoolRecord, 'id'>): void {
  if (current?.userPoolId === id) throw fixedSettingError(`The user pool ${id} is being served and cannot be deleted.`);
}

/** @throws {ProviderError} `InvalidParameterException`: the served client cannot be deleted */
export function requireNotServedClient({ current }: ServedPoolHolder, { id }: Pick<ClientRecord, 'id'>): void {
  if (current?.clientId === id)
    throw fixedSettingError(`The user pool client ${id} is being served and cannot be deleted.`);
}

/** The settings of a new pool, with an issuer of the configured kind. */
export function withServiceIssuer({ current }: ServedPoolHolder, poolId: string, settings: PoolSettings): PoolSettings {
  const { issuerBase } = current?.desiredSettings ?? {};
  return issuerBase === undefined ? settings : { ...settings, issuer: `${issuerBase}/${poolId}` };
}

interface FixedSetting {
  readonly setting: keyof DesiredPoolSettings & keyof PoolSettings;
  /** The member of a request that contains it. */
  readonly member: string;
  readonly isInRequest: (members: PoolSettingsInput) => boolean;
}

const never = () => false;

const FIXED_SETTINGS: readonly FixedSetting[] = [
  createFixedSetting('mfaConfiguration', 'MfaConfiguration'),
  { setting: 'mfaMethods', member: 'SmsConfiguration', isInRequest: never },
  createFixedSetting('deviceTracking', 'DeviceConfiguration'),
  {
    setting: 'firstFactors',
    member: 'AllowedFirstAuthFactors',
    isInRequest: ({ Policies }) => Policies?.SignInPolicy?.AllowedFirstAuthFactors !== undefined,
  },
  createFixedSetting('recovery', 'AccountRecoverySetting'),
  createFixedSetting('issuer', 'IssuerConfiguration'),
  createFixedSetting('requireVerificationBeforeUpdate', 'UserAttributeUpdateSettings'),
];

function createFixedSetting(setting: FixedSetting['setting'], member: keyof PoolSettingsInput & string): FixedSetting {
  return { setting, member, isInRequest: (members) => members[member] !== undefined };
}

/**
 * Applies a request to a pool's settings, except for those that the configuration fixes.
 * @throws {ProviderError} `InvalidParameterException`: the request contains another value for one of them, or the next start would reject
 *   the result
 */
export function applyFixedSettings(
  { current }: ServedPoolHolder,
  pool: PoolRecord,
  members: PoolSettingsInput,
  requested: PoolSettings,
): PoolSettings {
  if (current?.userPoolId !== pool.id) return requested;
  const rows = FIXED_SETTINGS.filter(({ setting }) => current.desiredSettings[setting] !== undefined);
  const isOther = ({ setting }: FixedSetting) => !isDeepStrictEqual(requested[setting], pool.settings[setting]);
  const refused = rows.find((fixed) => fixed.isInRequest(members) && isOther(fixed));
  if (refused !== undefined) throw fixedByConfigurationError(refused.member);
  const kept = Object.fromEntries(rows.map(({ setting }) => [setting, pool.settings[setting]]));
  const settings = { ...requested, ...kept };
  checkRecoveryMethod(settings);
  return settings;
}

/** The reader of the recovery contact could set the password, so a start rejects it as a second factor. */
function checkRecoveryMethod(settings: PoolSettings): void {
  const method = findRecoveryMfaMethod(settings);
  if (method === undefined || !settings.mfaMethods.includes(method)) return;
  throw fixedSettingError(
    `${method} cannot be a second factor while passwords are recovered by ${settings.recovery[0]}.`,
  );
}

type MfaConfigMembers = Omit<Input<'SetUserPoolMfaConfig'>, 'UserPoolId'>;

/**
 * Checks a change to a pool's factors against the configuration.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function checkFixedFactors(
  { current }: ServedPoolHolder,
  pool: PoolRecord,
  members: MfaConfigMembers,
  requested: PoolSettings,
): void {
  if (current?.userPoolId !== pool.id) return;
  const { mfaConfiguration, mfaMethods, webAuthn } = current.desiredSettings;
  const isChanged = (setting: 'mfaConfiguration' | 'mfaMethods') =>
    !isDeepStrictEqual(requested[setting].toString(), pool.settings[setting].toString());
  if (mfaConfiguration !== undefined && isChanged('mfaConfiguration')) {
    throw fixedByConfigurationError('MfaConfiguration');
  }
  if (mfaMethods !== undefined && isChanged('mfaMethods')) {
    throw fixedByConfigurationError('SmsMfaConfiguration, SoftwareTokenMfaConfiguration, EmailMfaConfiguration');
  }
  if (members.WebAuthnConfiguration !== undefined && webAuthn !== undefined) checkFixedPasskeys(webAuthn, requested);
  checkRecoveryMethod(requested);
}

const PASSKEY_MEMBERS = {
  relyingPartyId: 'RelyingPartyId',
  userVerification: 'UserVerification',
  factorConfiguration: 'FactorConfiguration',
} as const;

function checkFixedPasskeys(
  fixedPasskeys: NonNullable<DesiredPoolSettings['webAuthn']> | null,
  { webAuthn }: PoolSettings,
): void {
  if (fixedPasskeys === null) throw fixedByConfigurationError('WebAuthnConfiguration');
  for (const [setting, member] of Object.entries(PASSKEY_MEMBERS)) {
    const name = setting as keyof typeof PASSKEY_MEMBERS;
    if (fixedPasskeys[name] !== undefined && fixedPasskeys[name] !== webAuthn?.[name])
      throw fixedByConfigurationError(member);
  }
}

/**
 * Checks a change to a client against the configuration.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function applyFixedClientSettings(
  { current }: ServedPoolHolder,
  client: ClientRecord,
  isLifetimeRequested: boolean,
  requested: ClientSettings,
): ClientSettings {
  const fixed = current?.clientId === client.id ? current.desiredSettings.authSessionSeconds : undefined;
  if (fixed === undefined) return requested;
  if (isLifetimeRequested && requested.authSessionSeconds !== fixed)
    throw fixedByConfigurationError('AuthSessionValidity');
  return { ...requested, authSessionSeconds: fixed };
}

/** @throws {ProviderError} `InvalidParameterException`: the configuration defines the client's secret */
export function checkFixedClientSecret({ current }: ServedPoolHolder, client: ClientRecord): void {
  if (current?.clientId !== client.id || current.desiredSettings.clientSecret === undefined) return;
  throw fixedByConfigurationError('ClientSecret');
}

function fixedByConfigurationError(member: string): ProviderError {
  return fixedSettingError(`${member} is fixed by the configuration of the service and cannot be changed here.`);
}

function fixedSettingError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message, { reason: 'feature_disabled' });
}
