import type { KnownDevice, LoginSetup, LoginStep } from './rehearsal-login.ts';

/** The tokens that are held. */
export interface RehearsalTokens {
  readonly access: string;
  readonly id: string;
  readonly refresh: string;
}

/** A login with a test user, and what came of it so far. Each step leaves here what the next one needs. */
export interface Rehearsal extends LoginSetup {
  /** Whether an authenticator is set up and used, too. */
  readonly withTotp: boolean;
  tokens?: RehearsalTokens;
  /** What the last login said of a new device: only a token of that login can register it. */
  newDevice?: { readonly deviceKey: string; readonly deviceGroupKey: string };
  device?: KnownDevice;
  /** Every refresh token that may be alive. */
  readonly refreshTokens: Set<string>;
  /** An authenticator is switched on. */
  hasTotp: boolean;
}

/** Takes the tokens of a step, and the new device that they are for. @returns false where it has none, but asks for something */
export function storeTokens(rehearsal: Rehearsal, { AuthenticationResult: result }: LoginStep): boolean {
  const { AccessToken, IdToken, RefreshToken = rehearsal.tokens?.refresh } = result ?? {};
  if (AccessToken === undefined || IdToken === undefined || RefreshToken === undefined) return false;
  rehearsal.tokens = { access: AccessToken, id: IdToken, refresh: RefreshToken };
  rehearsal.refreshTokens.add(RefreshToken);
  const { DeviceKey: deviceKey, DeviceGroupKey: deviceGroupKey } = result?.NewDeviceMetadata ?? {};
  if (deviceKey !== undefined && deviceGroupKey !== undefined) rehearsal.newDevice = { deviceKey, deviceGroupKey };
  return true;
}

/** The tokens of the steps before. */
export function requireTokens({ tokens }: Rehearsal): RehearsalTokens {
  if (tokens === undefined) throw new TypeError('tokens: no step before has left any');
  return tokens;
}
