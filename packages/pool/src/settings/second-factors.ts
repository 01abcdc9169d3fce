import { ProviderError } from '@poolgate/provider';
import type { MfaMethod, PoolSettings, RecoveryMechanism } from '../store/pool-and-client-settings.ts';
import type { UserRecord } from '../store/records.ts';

/** The facts that decide the second factor. */
export type MfaUser = Pick<UserRecord, 'attributes' | 'mfaMethods' | 'preferredMfa'>;

/**
 * What a login requires after the first factor.
 *
 * - `none`: nothing more.
 * - `one`: this factor.
 * - `choose`: one of these, chosen by the user.
 * - `setup`: the user has none and must set up one of these.
 * - `impossible`: one is required, and the user can neither use nor set up any.
 */
export type SecondFactorRequirement =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly method: MfaMethod }
  | { readonly kind: 'choose'; readonly methods: readonly MfaMethod[] }
  | { readonly kind: 'setup'; readonly methods: readonly MfaMethod[] }
  | { readonly kind: 'impossible' };

/** The attribute that receives a message factor's codes; null for the authenticator. */
const CONTACTS: Readonly<Record<MfaMethod, 'email' | 'phone_number' | null>> = {
  SMS_MFA: 'phone_number',
  SOFTWARE_TOKEN_MFA: null,
  EMAIL_OTP: 'email',
};

const BY_RECOVERY: Readonly<Record<RecoveryMechanism, MfaMethod | null>> = {
  verified_email: 'EMAIL_OTP',
  verified_phone_number: 'SMS_MFA',
  admin_only: null,
};

/** No login step lets a user enter a phone number. */
const SETTABLE: ReadonlySet<MfaMethod> = new Set<MfaMethod>(['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP']);

/** In Cognito's order of `UserMFASettingList`. */
const METHODS: readonly MfaMethod[] = ['SMS_MFA', 'SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'];

/**
 * Returns the message factor whose contact is the first one for recovery; undefined if none. A reader of that contact could reset the
 * password and also pass the second factor.
 */
export function findRecoveryMfaMethod({ recovery }: Pick<PoolSettings, 'recovery'>): MfaMethod | undefined {
  const [primary] = recovery;
  return (primary && BY_RECOVERY[primary]) ?? undefined;
}

/** Returns the contact that receives a factor's messages; undefined if the user has none, and for the authenticator. */
export function findMfaDestination({ attributes }: Pick<MfaUser, 'attributes'>, method: MfaMethod): string | undefined {
  const attribute = CONTACTS[method];
  return attribute === null ? undefined : attributes[attribute] || undefined;
}

/**
 * Determines the second factor that a login requires of this user. A user whose enabled factors can no longer be used is not admitted
 * without one, because someone who knows only the password must not set up another.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa.html
 */
export function determineSecondFactors(
  settings: PoolSettings,
  user: MfaUser,
  hasActiveTotp: boolean,
): SecondFactorRequirement {
  if (settings.mfaConfiguration === 'OFF') return { kind: 'none' };
  const methods = listMfaMethodsInForce(settings, user, hasActiveTotp);
  const { preferredMfa } = user;
  if (preferredMfa !== null && methods.includes(preferredMfa)) return { kind: 'one', method: preferredMfa };
  const [first, second] = methods;
  if (first !== undefined) return second === undefined ? { kind: 'one', method: first } : { kind: 'choose', methods };
  if (user.mfaMethods.length > 0) return { kind: 'impossible' };
  if (settings.mfaConfiguration === 'OPTIONAL') return { kind: 'none' };
  return hasActiveTotp ? { kind: 'impossible' } : determineMfaSetup(settings, user);
}

/** Lists the second factors that a login can require of a user; empty if the pool has none. */
export function listMfaMethodsInForce(
  settings: PoolSettings,
  user: MfaUser,
  hasActiveTotp: boolean,
): readonly MfaMethod[] {
  if (settings.mfaConfiguration === 'OFF') return [];
  const usable = settings.mfaMethods.filter((method) => canUseMfaMethod(user, method, hasActiveTotp));
  return usable.filter((method) => isMfaMethodInForce(settings, user, method));
}

function canUseMfaMethod(user: MfaUser, method: MfaMethod, hasActiveTotp: boolean): boolean {
  return method === 'SOFTWARE_TOKEN_MFA' ? hasActiveTotp : findMfaDestination(user, method) !== undefined;
}

/** Enabled factors always count. If MFA is required, so does every factor that the user has, except the recovery contact. */
function isMfaMethodInForce(settings: PoolSettings, user: MfaUser, method: MfaMethod): boolean {
  if (user.mfaMethods.includes(method)) return true;
  return settings.mfaConfiguration === 'ON' && method !== findRecoveryMfaMethod(settings);
}

/** A user with a contact keeps it, because an address that the password alone could replace would not be a second factor. */
function determineMfaSetup(settings: PoolSettings, user: MfaUser): SecondFactorRequirement {
  const hasContact = METHODS.some((method) => findMfaDestination(user, method) !== undefined);
  const methods = settings.mfaMethods.filter((method) =>
    hasContact ? method === 'SOFTWARE_TOKEN_MFA' : SETTABLE.has(method) && method !== findRecoveryMfaMethod(settings),
  );
  return methods.length > 0 ? { kind: 'setup', methods } : { kind: 'impossible' };
}

/** A user's enabled factors. */
export type MfaPreference = Pick<UserRecord, 'mfaMethods' | 'preferredMfa'>;

/** Enables a factor. One that is set up within a login becomes the preferred one. */
export function enableMfaMethod({ mfaMethods }: MfaPreference, method: MfaMethod): MfaPreference {
  const methods = new Set([...mfaMethods, method]);
  return { mfaMethods: METHODS.filter((known) => methods.has(known)), preferredMfa: method };
}

/** Whether one of the user's factors sends messages to this contact. */
export function isMfaContact({ mfaMethods }: Pick<UserRecord, 'mfaMethods'>, attribute: string): boolean {
  return mfaMethods.some((method) => CONTACTS[method] === attribute);
}

/** A factor in a request. Omitted members stay unchanged. */
interface RequestedMfaFactor {
  readonly enabled?: boolean | undefined;
  readonly preferred?: boolean | undefined;
}

/** The factors in a request. */
export type RequestedMfaFactors = Readonly<Partial<Record<MfaMethod, RequestedMfaFactor>>>;

/** Applies a request to the preference. A disabled factor is no longer preferred. */
export function changeMfaPreference(before: MfaPreference, requested: RequestedMfaFactors): MfaPreference {
  const mfaMethods = METHODS.filter((method) => requested[method]?.enabled ?? before.mfaMethods.includes(method));
  const wanted = METHODS.find((method) => requested[method]?.preferred === true);
  const kept = before.preferredMfa;
  const stays = kept !== null && mfaMethods.includes(kept) && requested[kept]?.preferred !== false;
  return { mfaMethods, preferredMfa: wanted ?? (stays ? kept : null) };
}

/** The members of `GetUser` and similar operations about a user's factors. Cognito omits empty ones. */
export function toCognitoMfaFields({ mfaMethods, preferredMfa }: MfaPreference) {
  return {
    ...(mfaMethods.length === 0 ? {} : { UserMFASettingList: mfaMethods }),
    ...(preferredMfa === null ? {} : { PreferredMfaSetting: preferredMfa }),
  };
}

/** Reasons why a factor cannot be enabled. The first one is reported. */
const ENABLE_ERRORS: readonly {
  readonly stands: (settings: PoolSettings, user: MfaUser, method: MfaMethod, hasActiveTotp: boolean) => boolean;
  readonly refusal: (method: MfaMethod) => ProviderError;
}[] = [
  {
    stands: ({ mfaConfiguration, mfaMethods }, _, method) => mfaConfiguration === 'OFF' || !mfaMethods.includes(method),
    refusal: (method) => invalidParameterError(`${method} is not enabled for the user pool.`, 'flow_disabled'),
  },
  {
    stands: (_, user, method, hasActiveTotp) => !canUseMfaMethod(user, method, hasActiveTotp),
    refusal: (method) =>
      invalidParameterError(
        method === 'SOFTWARE_TOKEN_MFA'
          ? 'User has not verified software token mfa'
          : `User does not have delivery config set to turn on ${method}`,
      ),
  },
];

/**
 * Validates a request before {@link changeMfaPreference}. Disabling is always allowed.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function checkRequestedMfaFactors(
  settings: PoolSettings,
  user: MfaUser,
  requested: RequestedMfaFactors,
  hasActiveTotp: boolean,
): void {
  for (const method of METHODS.filter((name) => requested[name]?.enabled === true)) {
    const obstacle = ENABLE_ERRORS.find(({ stands }) => stands(settings, user, method, hasActiveTotp));
    if (obstacle !== undefined) throw obstacle.refusal(method);
  }
  const preferred = METHODS.filter((method) => requested[method]?.preferred === true);
  if (preferred.length > 1) throw invalidParameterError('Only one MFA method can be preferred.');
  const { mfaMethods } = changeMfaPreference(user, requested);
  const idle = preferred.find((method) => !mfaMethods.includes(method));
  if (idle !== undefined) throw invalidParameterError(`${idle} cannot be preferred while it is not enabled.`);
}

function invalidParameterError(message: string, reason?: 'flow_disabled'): ProviderError {
  return new ProviderError('InvalidParameterException', message, reason === undefined ? {} : { reason });
}
