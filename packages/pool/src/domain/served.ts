import { isDeepStrictEqual } from 'node:util';
import { type Input, ProviderError } from '@poolgate/provider';
import type { ClientSettings, PoolSettings } from '../settings.ts';
import type { ClientRecord, PoolRecord } from '../store/records.ts';
import type { SetUp } from '../wanted.ts';
import { recoveryMethod } from './mfa-settings.ts';
import type { PoolMembers } from './pool-rules.ts';

/** The pool and the client that this instance was set up to serve, and what was wanted of them: that is said again at every start, and wins. */
export interface Served {
  readonly userPoolId: string;
  readonly clientId: string;
  readonly wanted: SetUp;
}

/** Where an instance keeps what it serves; nothing before it was set up. */
export interface ServedPlace {
  now: Served | undefined;
}

/** @throws {ProviderError} `InvalidParameterException`: what is served cannot be deleted */
export function refuseServedPool({ now }: ServedPlace, { id }: Pick<PoolRecord, 'id'>): void {
  if (now?.userPoolId === id) throw invalid(`The user pool ${id} is being served and cannot be deleted.`);
}

/** @throws {ProviderError} `InvalidParameterException`: what is served cannot be deleted */
export function refuseServedClient({ now }: ServedPlace, { id }: Pick<ClientRecord, 'id'>): void {
  if (now?.clientId === id) throw invalid(`The user pool client ${id} is being served and cannot be deleted.`);
}

interface FixedRow {
  readonly setting: keyof SetUp & keyof PoolSettings;
  /** By which member a request speaks of it. */
  readonly member: string;
  readonly isSaid: (members: PoolMembers) => boolean;
  /** The key of the configuration that fixes it. */
  readonly key: string;
}

const never = () => false;

const FIXED: readonly FixedRow[] = [
  row('mfaConfiguration', 'MfaConfiguration', 'IDP_MFA_SETUP'),
  { setting: 'mfaMethods', member: 'SmsConfiguration', isSaid: never, key: 'IDP_MFA_TYPE' },
  row('deviceTracking', 'DeviceConfiguration', 'IDP_DEVICE_TRACKING'),
  {
    setting: 'firstFactors',
    member: 'AllowedFirstAuthFactors',
    isSaid: ({ Policies }) => Policies?.SignInPolicy?.AllowedFirstAuthFactors !== undefined,
    key: 'IDP_FIRST_FACTORS',
  },
  row('recovery', 'AccountRecoverySetting', 'IDP_RECOVERY'),
  row('issuer', 'IssuerConfiguration', 'IDP_ISSUER'),
  row('requireVerificationBeforeUpdate', 'UserAttributeUpdateSettings', 'requireVerificationBeforeUpdate'),
];

function row(setting: FixedRow['setting'], member: keyof PoolMembers & string, key: string): FixedRow {
  return { setting, member, isSaid: (members) => members[member] !== undefined, key };
}

/**
 * The settings of a pool after a request, with those that the configuration fixes left as they are.
 * @throws {ProviderError} `InvalidParameterException`: the request names another value for one of them, or the next start would refuse what comes of it
 */
export function withFixedSettings(
  { now }: ServedPlace,
  pool: PoolRecord,
  members: PoolMembers,
  wished: PoolSettings,
): PoolSettings {
  if (now?.userPoolId !== pool.id) return wished;
  const rows = FIXED.filter(({ setting }) => now.wanted[setting] !== undefined);
  const isOther = ({ setting }: FixedRow) => !isDeepStrictEqual(wished[setting], pool.settings[setting]);
  const refused = rows.find((fixed) => fixed.isSaid(members) && isOther(fixed));
  if (refused !== undefined) throw fixedBy(refused.member, refused.key);
  const kept = Object.fromEntries(rows.map(({ setting }) => [setting, pool.settings[setting]]));
  const settings = { ...wished, ...kept };
  checkStart(settings);
  return settings;
}

/** Whoever reads the recovery contact could set the password: a start refuses it as a second factor. */
function checkStart(settings: PoolSettings): void {
  const method = recoveryMethod(settings);
  if (method === undefined || !settings.mfaMethods.includes(method)) return;
  throw invalid(`${method} cannot be a second factor while passwords are recovered by ${settings.recovery[0]}.`);
}

type MfaMembers = Omit<Input<'SetUserPoolMfaConfig'>, 'UserPoolId'>;

/**
 * Checks a change of the factors of a pool against the configuration.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function checkFixedFactors(
  { now }: ServedPlace,
  pool: PoolRecord,
  members: MfaMembers,
  wished: PoolSettings,
): void {
  if (now?.userPoolId !== pool.id) return;
  const { mfaConfiguration, mfaMethods, webAuthn } = now.wanted;
  const isChanged = (setting: 'mfaConfiguration' | 'mfaMethods') =>
    !isDeepStrictEqual(wished[setting].toString(), pool.settings[setting].toString());
  if (mfaConfiguration !== undefined && isChanged('mfaConfiguration')) {
    throw fixedBy('MfaConfiguration', 'IDP_MFA_SETUP');
  }
  if (mfaMethods !== undefined && isChanged('mfaMethods')) {
    throw fixedBy('SmsMfaConfiguration, SoftwareTokenMfaConfiguration, EmailMfaConfiguration', 'IDP_MFA_TYPE');
  }
  if (members.WebAuthnConfiguration !== undefined && webAuthn !== undefined) checkPlace(webAuthn, wished);
  checkStart(wished);
}

const PASSKEY_KEYS = {
  relyingPartyId: ['RelyingPartyId', 'IDP_RP_ID'],
  userVerification: ['UserVerification', 'IDP_PASSKEY_USER_VERIFICATION'],
  factorConfiguration: ['FactorConfiguration', 'IDP_PASSKEY_FACTOR_CONFIGURATION'],
} as const;

function checkPlace(wanted: NonNullable<SetUp['webAuthn']> | null, { webAuthn }: PoolSettings): void {
  if (wanted === null) throw fixedBy('WebAuthnConfiguration', 'IDP_ALLOW_PASSKEYS');
  for (const [setting, [member, key]] of Object.entries(PASSKEY_KEYS)) {
    const name = setting as keyof typeof PASSKEY_KEYS;
    if (wanted[name] !== undefined && wanted[name] !== webAuthn?.[name]) throw fixedBy(member, key);
  }
}

/**
 * Checks a change of a client against the configuration.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function withFixedClientSettings(
  { now }: ServedPlace,
  client: ClientRecord,
  isLifeSaid: boolean,
  wished: ClientSettings,
): ClientSettings {
  const fixed = now?.clientId === client.id ? now.wanted.authSessionSeconds : undefined;
  if (fixed === undefined) return wished;
  if (isLifeSaid && wished.authSessionSeconds !== fixed) throw fixedBy('AuthSessionValidity', 'IDP_SESSION_MINUTES');
  return { ...wished, authSessionSeconds: fixed };
}

/** @throws {ProviderError} `InvalidParameterException`: the secret of the client comes with the configuration */
export function refuseFixedSecret({ now }: ServedPlace, client: ClientRecord): void {
  if (now?.clientId !== client.id || now.wanted.clientSecret === undefined) return;
  throw fixedBy('ClientSecret', 'IDP_CLIENT_SECRET');
}

function fixedBy(member: string, key: string): ProviderError {
  return invalid(`${member} is fixed by the configuration of the service (${key}) and cannot be changed here.`);
}

function invalid(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message, { reason: 'feature_disabled' });
}
