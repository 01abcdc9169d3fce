import type { Input } from '@poolgate/provider';
import type { GatewayDeps, MfaType } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';

/** What a provider is told about the second factors of a user. */
export type MfaPreference = Omit<Input<'SetUserMFAPreference'>, 'AccessToken' | 'WebAuthnMfaSettings'>;

/** Whether one factor is used, and asked for first; what is left out stays as it is. */
type FactorPreference = NonNullable<MfaPreference['SMSMfaSettings']>;

/** What is told about each second factor, by the name under which Cognito keeps it. */
const SETTINGS_BY_FACTOR = {
  SMS_MFA: 'SMSMfaSettings',
  SOFTWARE_TOKEN_MFA: 'SoftwareTokenMfaSettings',
  EMAIL_OTP: 'EmailMfaSettings',
} as const satisfies Readonly<Record<MfaType, keyof MfaPreference>>;

const METHODS = Object.keys(SETTINGS_BY_FACTOR) as readonly MfaType[];

/** What is wanted by factor as a provider takes them. */
export function toMfaPreference(preferences: Readonly<Partial<Record<MfaType, FactorPreference>>>): MfaPreference {
  return Object.fromEntries(
    METHODS.flatMap((method) => (preferences[method] ? [[SETTINGS_BY_FACTOR[method], preferences[method]]] : [])),
  );
}

/** Every factor off, or the one that is named. */
export function createDisabledPreference(method?: MfaType): MfaPreference {
  const methods = method === undefined ? METHODS : [method];
  return toMfaPreference(Object.fromEntries(methods.map((name) => [name, { Enabled: false, PreferredMfa: false }])));
}

/** A factor on; it is asked for first where the configuration puts it first. */
export function createEnabledPreference({ settings }: Pick<GatewayDeps, 'settings'>, method: MfaType): MfaPreference {
  const [first] = settings.mfaTypes;
  return toMfaPreference({ [method]: { Enabled: true, ...(first === method ? { PreferredMfa: true } : {}) } });
}

/**
 * Lets through what the configuration offers.
 * @throws {GatewayError} feature_disabled: MFA is switched off, or one of these factors is not used here
 */
export function requireMfaOffered({ settings }: Pick<GatewayDeps, 'settings'>, methods: readonly MfaType[]): void {
  const { mfaSetup, mfaTypes } = settings;
  if (mfaSetup === 'OFF' || !methods.every((method) => mfaTypes.includes(method))) {
    throw new GatewayError('feature_disabled');
  }
}
