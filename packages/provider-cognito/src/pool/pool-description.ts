/** What the provider reads about its pool: settings, description and signing keys. Each is cached for a while. */
import type { ChallengeName, PasswordPolicyFacts, PoolDescription } from '@poolgate/provider';
import { COGNITO_GROUP, hexFromInteger } from '@poolgate/srp';
import type { ResolvedOptions } from '../options/cognito-options.ts';
import { runWithTimeout } from '../upstream/timeout.ts';
import type { CognitoSettings, MfaSettings } from './cognito-settings.ts';

/** How long settings are cached, and how long to wait before reading unavailable ones again. */
const SETTINGS_LIFETIME_MS = { read: 5 * 60_000, unread: 60_000 } as const;
/** The first description waits at most this long for the settings; later ones do not wait. */
const MAX_FIRST_WAIT_MS = 2_000;

/** Describes the pool: immediately if anything is known, and with the assumed settings if nothing can be read. */
export function createPoolDescription(
  options: ResolvedOptions,
  read: () => Promise<CognitoSettings>,
): () => Promise<PoolDescription> {
  const { clock, timer, region } = options;
  let settings: CognitoSettings = { region, unread: [] };
  let staleAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;
  let known = false;

  async function renew(): Promise<void> {
    try {
      const latest = await read();
      // A failed read does not discard what an earlier one has returned.
      settings = { ...settings, ...latest };
      staleAtMs = clock.now() + (latest.unread.length === 0 ? SETTINGS_LIFETIME_MS.read : SETTINGS_LIFETIME_MS.unread);
    } finally {
      known = true;
      pending = undefined;
    }
  }

  return async () => {
    if (clock.now() >= staleAtMs) pending ??= renew();
    // No one waits for a background refresh. A defect in it appears at the next description that waits.
    pending?.catch(() => undefined);
    if (!known && pending !== undefined) await patiently(pending);
    return toPoolDescription(options, settings);
  };

  function patiently(reading: Promise<void>): Promise<void> {
    return runWithTimeout(timer, MAX_FIRST_WAIT_MS, () => reading).catch(() => undefined);
  }
}

/** The description that follows from complete or partial settings. */
function toPoolDescription(options: ResolvedOptions, settings: CognitoSettings): PoolDescription {
  const { region, userPoolId, issuer, assumed } = options;
  const passkeys = toPasskeyDescription(settings, assumed?.passkeys ?? null);
  const mfa = toMfaDescription(settings.mfa, assumed?.mfa ?? { setup: 'OPTIONAL', types: ['SOFTWARE_TOKEN_MFA'] });
  return {
    userPoolId,
    region,
    issuer,
    srp: {
      NHex: hexFromInteger(COGNITO_GROUP.modulus),
      gHex: hexFromInteger(COGNITO_GROUP.generator),
      hash: 'SHA-256',
    },
    challenges: listChallenges(settings),
    firstFactors: listFirstFactors(settings, { passkeys, mfa }),
    passkeys,
    passwordPolicy: toPasswordPolicy(settings),
    acceptsVerifiers: false,
    mfa,
  };
}

/** Null if the settings cannot be read or do not define one. */
function toPasswordPolicy({ userPool }: CognitoSettings): PasswordPolicyFacts | null {
  const policy = userPool?.Policies?.PasswordPolicy;
  if (policy?.MinimumLength === undefined) return null;
  return {
    minimumLength: policy.MinimumLength,
    requireUppercase: policy.RequireUppercase ?? false,
    requireLowercase: policy.RequireLowercase ?? false,
    requireNumbers: policy.RequireNumbers ?? false,
    requireSymbols: policy.RequireSymbols ?? false,
    refuseCommon: false,
    refuseLeaked: false,
  };
}

/** The second factors of a pool, by Cognito's names. */
const MFA_TYPES: Readonly<Record<string, (mfa: MfaSettings) => boolean>> = {
  SOFTWARE_TOKEN_MFA: (mfa) => mfa.SoftwareTokenMfaConfiguration?.Enabled === true,
  SMS_MFA: (mfa) => mfa.SmsMfaConfiguration !== undefined,
  EMAIL_OTP: (mfa) => mfa.EmailMfaConfiguration !== undefined,
};

/** The second factors that settings allow. */
export function listMfaTypes(mfa: MfaSettings): readonly string[] {
  return Object.keys(MFA_TYPES).filter((type) => MFA_TYPES[type]?.(mfa));
}

function toMfaDescription(mfa: MfaSettings | undefined, presumed: PoolDescription['mfa']): PoolDescription['mfa'] {
  if (mfa === undefined) return presumed;
  const setup = mfa.MfaConfiguration;
  return { setup: setup === 'ON' || setup === 'OPTIONAL' ? setup : 'OFF', types: listMfaTypes(mfa) };
}

/** The relying party of a pool's passkeys: the configured one, else the pool's own domain; undefined without either. */
export function findRelyingParty({ region, mfa, userPool }: CognitoSettings): string | undefined {
  const set = mfa?.WebAuthnConfiguration?.RelyingPartyId ?? userPool?.CustomDomain;
  if (set !== undefined || userPool?.Domain === undefined) return set;
  return `${userPool.Domain}.auth.${region}.amazoncognito.com`;
}

function toPasskeyDescription(
  settings: CognitoSettings,
  presumed: PoolDescription['passkeys'],
): PoolDescription['passkeys'] {
  if (settings.userPool === undefined || settings.mfa === undefined) return presumed;
  const relyingPartyId = findRelyingParty(settings);
  if (!isFirstFactorAllowed(settings, 'WEB_AUTHN') || relyingPartyId === undefined) return null;
  return { relyingPartyId };
}

/** Whether the app client allows a flow; true if unknown. Clients without a list have Cognito's default. */
export function isFlowAllowed({ userPoolClient }: CognitoSettings, flow: string): boolean {
  if (userPoolClient === undefined) return true;
  const { ExplicitAuthFlows: flows = ['ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH', 'ALLOW_CUSTOM_AUTH'] } =
    userPoolClient;
  return flows.includes(`ALLOW_${flow}`);
}

/** Whether a login can start with a factor; true if unknown. */
export function isFirstFactorAllowed(settings: CognitoSettings, factor: string): boolean {
  if (settings.userPool === undefined) return true;
  const { AllowedFirstAuthFactors: factors = ['PASSWORD'] } = settings.userPool.Policies?.SignInPolicy ?? {};
  return factors.includes(factor) && isFlowAllowed(settings, 'USER_AUTH');
}

/** In Cognito's order. If every user needs a second factor, no login can start with a code. */
function listFirstFactors(
  settings: CognitoSettings,
  { passkeys, mfa }: Pick<PoolDescription, 'passkeys' | 'mfa'>,
): readonly ChallengeName[] {
  const codes = (['EMAIL_OTP', 'SMS_OTP'] as const).filter(
    (name) => mfa.setup !== 'ON' && isFirstFactorAllowed(settings, name),
  );
  return ['PASSWORD', ...codes, ...(passkeys === null ? [] : (['WEB_AUTHN'] as const))];
}

type Condition = (settings: CognitoSettings) => boolean;
const always: Condition = () => true;
const flow =
  (name: string): Condition =>
  (settings) =>
    isFlowAllowed(settings, name);
const firstFactor =
  (name: string): Condition =>
  (settings) =>
    isFirstFactorAllowed(settings, name);
const tracksDevices: Condition = ({ userPool }) => userPool === undefined || userPool.DeviceConfiguration !== undefined;
const hasMfa =
  (type: string): Condition =>
  ({ mfa }) =>
    mfa === undefined || (mfa.MfaConfiguration !== 'OFF' && listMfaTypes(mfa).includes(type));
const either =
  (one: Condition, other: Condition): Condition =>
  (settings) =>
    one(settings) || other(settings);

/** When a login can return each challenge. Unknown settings count as possible. */
const CONDITIONS: Readonly<Record<ChallengeName, Condition>> = {
  CUSTOM_CHALLENGE: ({ userPool }) => userPool?.LambdaConfig?.DefineAuthChallenge !== undefined,
  DEVICE_PASSWORD_VERIFIER: tracksDevices,
  DEVICE_SRP_AUTH: tracksDevices,
  EMAIL_OTP: either(firstFactor('EMAIL_OTP'), hasMfa('EMAIL_OTP')),
  MFA_SETUP: ({ mfa }) => mfa === undefined || mfa.MfaConfiguration !== 'OFF',
  NEW_PASSWORD_REQUIRED: always,
  PASSWORD: flow('USER_AUTH'),
  PASSWORD_SRP: flow('USER_AUTH'),
  PASSWORD_VERIFIER: either(flow('USER_SRP_AUTH'), flow('USER_AUTH')),
  SELECT_CHALLENGE: flow('USER_AUTH'),
  SELECT_MFA_TYPE: ({ mfa }) => mfa === undefined || listMfaTypes(mfa).length > 1,
  SMS_MFA: hasMfa('SMS_MFA'),
  SMS_OTP: firstFactor('SMS_OTP'),
  SOFTWARE_TOKEN_MFA: hasMfa('SOFTWARE_TOKEN_MFA'),
  WEB_AUTHN: firstFactor('WEB_AUTHN'),
};

function listChallenges(settings: CognitoSettings): readonly ChallengeName[] {
  const names = Object.keys(CONDITIONS) as ChallengeName[];
  return names.filter((name) => CONDITIONS[name](settings));
}
