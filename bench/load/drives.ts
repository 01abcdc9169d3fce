import { bareLogin } from './bare-login.ts';
import { clientCredentials, codeGrant } from './code-grant.ts';
import { deviceLogin } from './device-login.ts';
import type { Drive } from './drive.ts';
import { emailSignIn } from './email-sign-in.ts';
import { passkeyLogin } from './passkey-login.ts';
import { passwordRoute } from './password-route.ts';
import { deviceList, echo, forwardAuth, tokenRefresh, webSession } from './signed-in.ts';
import { srpRoutes, srpRoutesApart } from './srp-routes.ts';
import { srpWire } from './srp-wire.ts';
import { totpLogin } from './totp-login.ts';
import { userList } from './user-list.ts';
import { wirePassword } from './wire-password.ts';

/** Every drive by its name. */
export const DRIVES = {
  'bare-login': bareLogin,
  'srp-routes': srpRoutes,
  'srp-routes-apart': srpRoutesApart,
  'srp-wire': srpWire,
  'wire-password': wirePassword,
  'email-sign-in': emailSignIn,
  'device-login': deviceLogin,
  'password-route': passwordRoute,
  'totp-login': totpLogin,
  'passkey-login': passkeyLogin,
  'token-refresh': tokenRefresh,
  'device-list': deviceList,
  'web-session': webSession,
  'forward-auth': forwardAuth,
  'user-list': userList,
  'code-grant': codeGrant,
  'client-credentials': clientCredentials,
  echo,
} as const satisfies Record<string, Drive>;

export type DriveName = keyof typeof DRIVES;
