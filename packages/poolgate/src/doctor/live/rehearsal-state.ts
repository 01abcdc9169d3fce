import type { KnownDevice, LoginSetup, LoginStep } from './rehearsal-login.ts';

/** The current tokens. */
export interface RehearsalTokens {
  readonly access: string;
  readonly id: string;
  readonly refresh: string;
}

/** A login with a test user, and its state. Each step stores here what the next one needs. */
export interface Rehearsal extends LoginSetup {
  /** Whether to set up and use an authenticator. */
  readonly withTotp: boolean;
  tokens?: RehearsalTokens;
  /** The new device of the last login. Only a token of that login can register it. */
  newDevice?: { readonly deviceKey: string; readonly deviceGroupKey: string };
  device?: KnownDevice;
  /** Every refresh token that may be valid. */
  readonly refreshTokens: Set<string>;
  /** Whether an authenticator is enabled. */
  hasTotp: boolean;
}

/** Stores the tokens of a step and their new device. @returns false if the step returned another challenge */
export function storeTokens(rehearsal: Rehearsal, { AuthenticationResult: result }: LoginStep): boolean {
  const { AccessToken, IdToken, RefreshToken = rehearsal.tokens?.refresh } = result ?? {};
  if (AccessToken === undefined || IdToken === undefined || RefreshToken === undefined) return false;
  rehearsal.tokens = { access: AccessToken, id: IdToken, refresh: RefreshToken };
  rehearsal.refreshTokens.add(RefreshToken);
  const { DeviceKey: deviceKey, DeviceGroupKey: deviceGroupKey } = result?.NewDeviceMetadata ?? {};
  if (deviceKey !== undefined && deviceGroupKey !== undefined) rehearsal.newDevice = { deviceKey, deviceGroupKey };
  return true;
}

/** Returns the tokens of the previous steps. */
export function requireTokens({ tokens }: Rehearsal): RehearsalTokens {
  if (tokens === undefined) throw new TypeError('tokens: no step before has left any');
  return tokens;
}
