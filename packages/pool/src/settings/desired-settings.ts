import type { SigningAlgorithm } from '@poolgate/provider';
import type {
  ClientSettings,
  DeviceTracking,
  FirstFactor,
  MessageSettings,
  MfaConfiguration,
  MfaMethod,
  NewPasswordRules,
  PoolSettings,
  RecoveryMechanism,
  WebAuthnSettings,
} from '../store/pool-and-client-settings.ts';
import { checkMessageSettings } from './check-templates.ts';
import { createDefaultPoolSettings, STRICT_NEW_PASSWORDS } from './default-settings.ts';
import { relyingPartyProblem } from './relying-party.ts';
import { findRecoveryMfaMethod } from './second-factors.ts';
import type { SuppliedKeys } from './supplied-keys.ts';

/** Where passkeys are created and used. How they count stays unchanged; by default they count as both factors with user verification. */
export type DesiredPasskeySettings = Pick<WebAuthnSettings, 'relyingPartyId' | 'origins'> & Partial<WebAuthnSettings>;

/** The configured settings of the pool that is served by default. Omitted members stay unchanged, or are chosen at the first start. */
export interface DesiredPoolSettings {
  /** For a new pool without a fixed id. Default: `us-east-1`. */
  readonly region?: string;
  /** `{region}_{letters and digits}`: serves this pool, and creates it if it does not exist. */
  readonly userPoolId?: string;
  /** Serves this client of the pool, and creates it if it does not exist. */
  readonly clientId?: string;
  /** The client's only secret, 24 to 64 letters, digits, `_` or `+`. */
  readonly clientSecret?: string;
  readonly mfaConfiguration?: MfaConfiguration;
  /** The second factors that users may have, the preferred one first. A message factor cannot use the recovery contact. */
  readonly mfaMethods?: readonly MfaMethod[];
  /** Null: devices are not tracked. */
  readonly deviceTracking?: DeviceTracking | null;
  /** The factors that can start a choice-based login. They always include the password. */
  readonly firstFactors?: readonly FirstFactor[];
  /** Null: no passkeys. A new pool has none until this is set. */
  readonly webAuthn?: DesiredPasskeySettings | null;
  /** The contacts for account recovery. The first one that a user has is used. */
  readonly recovery?: readonly RecoveryMechanism[];
  /** Message texts that replace the built-in ones. */
  readonly messages?: MessageSettings;
  /** Contacts that stay unchanged until the new one is verified. */
  readonly requireVerificationBeforeUpdate?: PoolSettings['requireVerificationBeforeUpdate'];
  /** Password requirements beyond Cognito's. Omitted members stay unchanged. */
  readonly newPasswords?: Partial<NewPasswordRules>;
  /** Whether passwords can be set with a verifier from the client. */
  readonly verifierPasswords?: boolean;
  /** Whether the Cognito-compatible API requires a recent login to change sign-in methods. Default: true for a new pool. */
  readonly recentLoginOnCognitoApi?: boolean;
  /** The page of a notice's "this wasn't me" link. Null: notices have no link. */
  readonly notMeUrl?: string | null;
  /** The page of a sign-up's confirmation link. Null: codes are sent instead. */
  readonly confirmUrl?: string | null;
  /** The folder of the images of brands, with a trailing slash. Absent: the service has no pages. */
  readonly brandFilesUrl?: string;
  /** The `iss` of the pool's tokens. Default: AWS's format. */
  readonly issuer?: string;
  /** The issuer is this URL, a slash and the pool's id, unless {@link issuer} is set. */
  readonly issuerBase?: string;
  /** True: gives the pool a domain once. A deleted domain is not created again. */
  readonly domain?: boolean;
  /**
   * The algorithm that signs tokens. A pool with another one gets new keys. Its old keys stay published while their tokens can be valid.
   */
  readonly signingAlgorithm?: SigningAlgorithm;
  /** The lifetime of the client's pending challenges in seconds, 180 to 900. */
  readonly authSessionSeconds?: number;
  /** For a new pool: the keys that sign its tokens, which saves the time to generate them. For tests; a real pool generates its own. */
  readonly signingKeys?: SuppliedKeys;
}

const POOL_ID = /^([a-z]{2}(?:-[a-z]+)+-\d)_[0-9a-zA-Z]{1,32}$/;
const CLIENT_ID = /^[\w+]{1,128}$/;
const CLIENT_SECRET = /^[\w+]{24,64}$/;
const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;
const DEFAULT_REGION = 'us-east-1';

/** The region of a new pool. */
export function resolveRegion({ userPoolId = '', region }: DesiredPoolSettings): string {
  return POOL_ID.exec(userPoolId)?.[1] ?? region ?? DEFAULT_REGION;
}

/** Returns the configured settings with the resulting issuer. */
export function withPoolIssuer<Desired extends Pick<DesiredPoolSettings, 'issuer' | 'issuerBase'>>(
  desired: Desired,
  poolId: string,
): Desired {
  const { issuer, issuerBase } = desired;
  return issuer !== undefined || issuerBase === undefined ? desired : { ...desired, issuer: `${issuerBase}/${poolId}` };
}

/**
 * Applies the configured settings to a pool's settings. Members that a pool of an older release lacks get their defaults.
 * @throws {RangeError} a message factor uses the recovery contact
 */
export function applyDesiredSettings(settings: PoolSettings, desired: DesiredPoolSettings): PoolSettings {
  const { issuer, mfaConfiguration, mfaMethods, deviceTracking, firstFactors, webAuthn, recovery, messages } = desired;
  const { requireVerificationBeforeUpdate, verifierPasswords, notMeUrl, confirmUrl, newPasswords } = desired;
  const { recentLoginOnCognitoApi } = desired;
  const known = { ...createDefaultPoolSettings(settings.issuer, settings.mfaConfiguration), ...settings };
  const changed = {
    ...known,
    issuer: issuer ?? known.issuer,
    newPasswords: { ...STRICT_NEW_PASSWORDS, ...known.newPasswords, ...newPasswords },
    mfaConfiguration: mfaConfiguration ?? known.mfaConfiguration,
    mfaMethods: mfaMethods ?? known.mfaMethods,
    deviceTracking: deviceTracking === undefined ? known.deviceTracking : deviceTracking,
    firstFactors: firstFactors ?? known.firstFactors,
    webAuthn: applyPasskeySettings(known.webAuthn, webAuthn),
    recovery: recovery ?? known.recovery,
    requireVerificationBeforeUpdate: requireVerificationBeforeUpdate ?? known.requireVerificationBeforeUpdate,
    verifierPasswords: verifierPasswords ?? known.verifierPasswords,
    notMeUrl: notMeUrl === undefined ? known.notMeUrl : notMeUrl,
    confirmUrl: (confirmUrl === undefined ? known.confirmUrl : confirmUrl) ?? null,
    ...(recentLoginOnCognitoApi === undefined ? {} : { recentLoginOnCognitoApi }),
    ...(messages === undefined ? {} : { messages }),
    ...(desired.domain ? { domainGiven: true } : {}),
  };
  checkRecovery(changed);
  return changed;
}

const PASSKEYS = {
  userVerification: 'preferred',
  factorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
} as const;

function applyPasskeySettings(known: WebAuthnSettings | null, desired: DesiredPasskeySettings | null | undefined) {
  if (desired === undefined) return known;
  return desired && { ...PASSKEYS, ...known, ...desired };
}

/** The reader of the recovery contact can set the password, so the contact cannot also be a second factor. */
function checkRecovery({ mfaMethods, recovery }: PoolSettings): void {
  const method = findRecoveryMfaMethod({ recovery });
  if (method === undefined || !mfaMethods.includes(method)) return;
  throw new RangeError(
    `mfaMethods must not hold ${method} while passwords are recovered by ${recovery[0]}: choose another recovery or another method`,
  );
}

/** Applies the configured settings to a client's settings. */
export function applySessionLifetime(
  settings: ClientSettings,
  { authSessionSeconds }: DesiredPoolSettings,
): ClientSettings {
  return { ...settings, authSessionSeconds: authSessionSeconds ?? settings.authSessionSeconds };
}

/** @throws {RangeError} with the name of the invalid value */
export function checkDesiredSettings(desired: DesiredPoolSettings): void {
  const { region, userPoolId, clientId, clientSecret, issuer, authSessionSeconds = 180 } = desired;
  requirePattern('region', region, REGION);
  requirePattern('userPoolId', userPoolId, POOL_ID);
  requirePattern('clientId', clientId, CLIENT_ID);
  requirePattern('clientSecret', clientSecret, CLIENT_SECRET);
  if (issuer !== undefined && !URL.canParse(issuer)) throw new RangeError('issuer must be a URL');
  if (!Number.isInteger(authSessionSeconds) || authSessionSeconds < 180 || authSessionSeconds > 900) {
    throw new RangeError('authSessionSeconds must be a whole number from 180 to 900');
  }
  if (desired.signingKeys !== undefined && desired.signingAlgorithm === 'ES256') {
    throw new RangeError('signingKeys are RSA keys: leave signingAlgorithm out, or let the pool make its own keys');
  }
  requireUniqueValues('mfaMethods', desired.mfaMethods);
  requireUniqueValues('firstFactors', desired.firstFactors, 'PASSWORD');
  requireUniqueValues('recovery', desired.recovery);
  requireUniqueValues('requireVerificationBeforeUpdate', desired.requireVerificationBeforeUpdate);
  if (desired.notMeUrl) requireWebPage('notMeUrl', desired.notMeUrl);
  if (desired.confirmUrl) requireWebPage('confirmUrl', desired.confirmUrl);
  if (desired.webAuthn) requireRelyingParty(desired.webAuthn);
  if (desired.messages !== undefined) checkMessageSettings(desired.messages);
  if (desired.recovery?.length === 0) throw new RangeError('recovery must name a mechanism');
  if (region !== undefined && userPoolId !== undefined && !userPoolId.startsWith(`${region}_`)) {
    throw new RangeError('userPoolId must begin with the region');
  }
}

function requireRelyingParty(desired: DesiredPasskeySettings): void {
  const found = relyingPartyProblem(desired);
  if (found !== undefined) {
    const value = found.value === undefined ? '' : `"${found.value}" `;
    throw new RangeError(`webAuthn.${found.about}: ${value}${found.problem}`);
  }
}

/** The token of a link is appended as the fragment. */
function requireWebPage(name: string, url: string): void {
  const isPage = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && !url.includes('#');
  if (!isPage) throw new RangeError(`${name} must be an http or https URL without a fragment`);
}

function requirePattern(name: string, value: string | undefined, form: RegExp): void {
  if (value !== undefined && !form.test(value)) throw new RangeError(`${name} must have the form ${form.source}`);
}

function requireUniqueValues<Value extends string>(
  name: string,
  values: readonly Value[] | undefined,
  needed?: Value,
): void {
  if (values === undefined) return;
  if (new Set(values).size !== values.length) throw new RangeError(`${name} must not name anything twice`);
  if (needed !== undefined && !values.includes(needed)) throw new RangeError(`${name} must hold ${needed}`);
}
