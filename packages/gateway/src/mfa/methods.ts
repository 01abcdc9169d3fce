import type { Input } from '@poolgate/provider';
import type { GatewayDeps, MfaType } from '../deps.ts';
import { GatewayError } from '../errors.ts';

/** What a provider is told of the second factors of a user. */
export type Preference = Omit<Input<'SetUserMFAPreference'>, 'AccessToken' | 'WebAuthnMfaSettings'>;

/** Whether one factor is used, and asked for first; what is left out stays as it is. */
type Wish = NonNullable<Preference['SMSMfaSettings']>;

/** What is told of each second factor, by the name under which Cognito keeps it. */
const MEMBERS = {
  SMS_MFA: 'SMSMfaSettings',
  SOFTWARE_TOKEN_MFA: 'SoftwareTokenMfaSettings',
  EMAIL_OTP: 'EmailMfaSettings',
} as const satisfies Readonly<Record<MfaType, keyof Preference>>;

const METHODS = Object.keys(MEMBERS) as readonly MfaType[];

/** Wishes by factor as a provider takes them. */
export function preferenceOf(wishes: Readonly<Partial<Record<MfaType, Wish>>>): Preference {
  return Object.fromEntries(METHODS.flatMap((method) => (wishes[method] ? [[MEMBERS[method], wishes[method]]] : [])));
}

/** Every factor off, or the one that is named. */
export function allOff(method?: MfaType): Preference {
  const methods = method === undefined ? METHODS : [method];
  return preferenceOf(Object.fromEntries(methods.map((name) => [name, { Enabled: false, PreferredMfa: false }])));
}

/** A factor on; it is asked for first where the configuration puts it first. */
export function switchedOn({ settings }: Pick<GatewayDeps, 'settings'>, method: MfaType): Preference {
  const [first] = settings.mfaTypes;
  return preferenceOf({ [method]: { Enabled: true, ...(first === method ? { PreferredMfa: true } : {}) } });
}

/**
 * Lets through what the configuration offers.
 * @throws {GatewayError} feature_disabled: MFA is switched off, or one of these factors is not used here
 */
export function requireOffered({ settings }: Pick<GatewayDeps, 'settings'>, methods: readonly MfaType[]): void {
  const { mfaSetup, mfaTypes } = settings;
  if (mfaSetup === 'OFF' || !methods.every((method) => mfaTypes.includes(method))) {
    throw new GatewayError('feature_disabled');
  }
}
