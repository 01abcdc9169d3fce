import type { Input } from '@poolgate/provider';
import type { GatewayDeps, MfaType } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';

/** A provider's input for a user's second factors. */
export type MfaPreference = Omit<Input<'SetUserMFAPreference'>, 'AccessToken' | 'WebAuthnMfaSettings'>;

/** Whether a factor is enabled and preferred. Omitted members stay unchanged. */
type FactorPreference = NonNullable<MfaPreference['SMSMfaSettings']>;

/** The setting of each second factor, by its name in Cognito. */
const SETTINGS_BY_FACTOR = {
  SMS_MFA: 'SMSMfaSettings',
  SOFTWARE_TOKEN_MFA: 'SoftwareTokenMfaSettings',
  EMAIL_OTP: 'EmailMfaSettings',
} as const satisfies Readonly<Record<MfaType, keyof MfaPreference>>;

const METHODS = Object.keys(SETTINGS_BY_FACTOR) as readonly MfaType[];

/** Converts preferences by factor to the provider's form. */
export function toMfaPreference(preferences: Readonly<Partial<Record<MfaType, FactorPreference>>>): MfaPreference {
  return Object.fromEntries(
    METHODS.flatMap((method) => (preferences[method] ? [[SETTINGS_BY_FACTOR[method], preferences[method]]] : [])),
  );
}

/** Disables every factor, or the named one. */
export function createDisabledPreference(method?: MfaType): MfaPreference {
  const methods = method === undefined ? METHODS : [method];
  return toMfaPreference(Object.fromEntries(methods.map((name) => [name, { Enabled: false, PreferredMfa: false }])));
}

/** Enables a factor. It is preferred if the configuration lists it first. */
export function createEnabledPreference({ settings }: Pick<GatewayDeps, 'settings'>, method: MfaType): MfaPreference {
  const [first] = settings.mfaTypes;
  return toMfaPreference({ [method]: { Enabled: true, ...(first === method ? { PreferredMfa: true } : {}) } });
}

/**
 * Requires factors that the configuration offers.
 * @throws {GatewayError} feature_disabled: MFA is off, or one of these factors is not used here
 */
export function requireMfaOffered({ settings }: Pick<GatewayDeps, 'settings'>, methods: readonly MfaType[]): void {
  const { mfaSetup, mfaTypes } = settings;
  if (mfaSetup === 'OFF' || !methods.every((method) => mfaTypes.includes(method))) {
    throw new GatewayError('feature_disabled');
  }
}
