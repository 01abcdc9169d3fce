import { bareLogin } from './bare-login.ts';
import { deviceLogin } from './device-login.ts';
import { emailSignIn } from './email-sign-in.ts';
import { passkeyLogin } from './passkey-login.ts';
import { passwordRoute } from './password-route.ts';
import { deviceList, echo, tokenRefresh } from './signed-in.ts';
import { srpRoutes } from './srp-routes.ts';
import { srpWire } from './srp-wire.ts';
import { totpLogin } from './totp-login.ts';
import { userList } from './user-list.ts';
import { wirePassword } from './wire-password.ts';

/** A user that can log in. */
export interface Account {
  readonly username: string;
  readonly password: string;
  /** A remembered device, and the secret that it keeps. */
  readonly device?: { readonly key: string; readonly groupKey: string; readonly secret: string };
  /** The secret of an authenticator, base32. */
  readonly totpSecret?: string;
  /** The tokens of a login. */
  readonly tokens?: { readonly access: string; readonly refresh: string };
  /** A passkey: its private key as PKCS #8 in PEM. */
  readonly passkey?: { readonly id: string; readonly userHandle: string; readonly privateKeyPem: string };
}

/** What is loaded: plain data, because it travels between processes. */
export interface Target {
  readonly url: string;
  readonly accounts: readonly Account[];
  /** For the drives of a user pool. */
  readonly userPoolId?: string;
  readonly clientId?: string;
  /** The bearer form of an admin key. */
  readonly adminBearer?: string;
}

/** Makes the clients' common memory, and gives what one client does with one account, again and again. */
export type Drive = (target: Target) => (account: Account) => Promise<void>;

/** Every drive by its name. */
export const DRIVES = {
  'bare-login': bareLogin,
  'srp-routes': srpRoutes,
  'srp-wire': srpWire,
  'wire-password': wirePassword,
  'email-sign-in': emailSignIn,
  'device-login': deviceLogin,
  'password-route': passwordRoute,
  'totp-login': totpLogin,
  'passkey-login': passkeyLogin,
  'token-refresh': tokenRefresh,
  'device-list': deviceList,
  'user-list': userList,
  echo,
} as const satisfies Record<string, Drive>;

export type DriveName = keyof typeof DRIVES;
