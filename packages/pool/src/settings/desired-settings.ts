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

/** Where passkeys are made and used. How they count stays as it is; at first with user verification for both factors. */
export type DesiredPasskeySettings = Pick<WebAuthnSettings, 'relyingPartyId' | 'origins'> & Partial<WebAuthnSettings>;

/** What is wanted of the pool that is served by default. What is left out stays as it is, or is chosen at the first start. */
export interface DesiredPoolSettings {
  /** For a new pool without a fixed id. Default `us-east-1`. */
  readonly region?: string;
  /** `{region}_{letters and digits}`: serve this pool, and make it if there is none. */
  readonly userPoolId?: string;
  /** Serve this client of the pool, and make it if there is none. */
  readonly clientId?: string;
  /** The client's only secret, 24 to 64 letters, digits, `_` or `+`. */
  readonly clientSecret?: string;
  readonly mfaConfiguration?: MfaConfiguration;
  /** The second factors that users may have, the one that is offered first in front. A message factor cannot go where passwords are recovered. */
  readonly mfaMethods?: readonly MfaMethod[];
  /** Null: devices are not tracked. */
  readonly deviceTracking?: DeviceTracking | null;
  /** What a choice-based login may begin with; the password is always among it. */
  readonly firstFactors?: readonly FirstFactor[];
  /** Null: no passkeys. A new pool has none before it is told where. */
  readonly webAuthn?: DesiredPasskeySettings | null;
  /** By which contact users get back in, the first one that they have. */
  readonly recovery?: readonly RecoveryMechanism[];
  /** The texts of messages, where the built-in ones are not wanted. */
  readonly messages?: MessageSettings;
  /** Contacts that stay as they are until the new one is proven. */
  readonly requireVerificationBeforeUpdate?: PoolSettings['requireVerificationBeforeUpdate'];
  /** What is asked of new passwords beyond what Cognito asks; what is left out stays as it is. */
  readonly newPasswords?: Partial<NewPasswordRules>;
  /** Whether passwords may be set by a verifier that the client made. */
  readonly verifierPasswords?: boolean;
  /** Whether the Cognito-compatible API requires a recent login to change sign-in methods. Default: true for a pool that is made. */
  readonly recentLoginOnCognitoApi?: boolean;
  /** Where the "this was not me" link of a notice leads. Null: notices have no link. */
  readonly notMeUrl?: string | null;
  /** Where a link that confirms a sign-up leads. Null: codes are sent instead. */
  readonly confirmUrl?: string | null;
  /** The `iss` of the pool's tokens. Default: AWS's form. */
  readonly issuer?: string;
  /** The issuer is this URL, a slash and the pool's id, where {@link issuer} names none. */
  readonly issuerBase?: string;
  /** True: the pool gets a domain, once. A domain that is deleted stays so. */
  readonly domain?: boolean;
  /** What signs tokens. A pool that signs otherwise gets new keys; its old ones stay published as long as a token of theirs can live. */
  readonly signingAlgorithm?: SigningAlgorithm;
  /** Life of a pending challenge of the client, 180 to 900. */
  readonly authSessionSeconds?: number;
  /**
   * For a pool that is made: these keys sign its tokens, so that none need be made, which takes a moment. For tests; a pool that others
   * rely on makes its own.
   */
  readonly signingKeys?: SuppliedKeys;
}

const POOL_ID = /^([a-z]{2}(?:-[a-z]+)+-\d)_[0-9a-zA-Z]{1,32}$/;
const CLIENT_ID = /^[\w+]{1,128}$/;
const CLIENT_SECRET = /^[\w+]{24,64}$/;
const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;
const DEFAULT_REGION = 'us-east-1';

/** The region of a pool that is made. */
export function resolveRegion({ userPoolId = '', region }: DesiredPoolSettings): string {
  return POOL_ID.exec(userPoolId)?.[1] ?? region ?? DEFAULT_REGION;
}

/** What is wanted, with the issuer that a pool gets of it. */
export function withPoolIssuer<Desired extends Pick<DesiredPoolSettings, 'issuer' | 'issuerBase'>>(
  desired: Desired,
  poolId: string,
): Desired {
  const { issuer, issuerBase } = desired;
  return issuer !== undefined || issuerBase === undefined ? desired : { ...desired, issuer: `${issuerBase}/${poolId}` };
}

/**
 * The settings of a pool with the settings desired for it. What a pool made by an older release does not mention gets its default.
 * @throws {RangeError} a message factor goes where passwords are recovered
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

/** Whoever reads the recovery contact can set the password: as a second factor it would be none. */
function checkRecovery({ mfaMethods, recovery }: PoolSettings): void {
  const method = findRecoveryMfaMethod({ recovery });
  if (method === undefined || !mfaMethods.includes(method)) return;
  throw new RangeError(
    `mfaMethods must not hold ${method} while passwords are recovered by ${recovery[0]}: choose another recovery or another method`,
  );
}

/** The settings of a client with the settings desired for it. */
export function applySessionLifetime(
  settings: ClientSettings,
  { authSessionSeconds }: DesiredPoolSettings,
): ClientSettings {
  return { ...settings, authSessionSeconds: authSessionSeconds ?? settings.authSessionSeconds };
}

/** @throws {RangeError} naming the value that has not its form */
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

/** The token of a link follows as the fragment. */
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
