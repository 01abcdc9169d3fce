import { driveBareLogin } from './bare-login.ts';
import { driveClientCredentials, driveCodeGrant } from './code-grant.ts';
import { driveDeviceLogin } from './device-login.ts';
import type { Drive } from './drive.ts';
import { driveEmailSignIn } from './email-sign-in.ts';
import { drivePasskeyLogin } from './passkey-login.ts';
import { drivePasswordGrant, driveRefreshGrant } from './password-grant.ts';
import { drivePasswordRoute } from './password-route.ts';
import { driveDeviceList, driveEcho, driveForwardAuth, driveTokenRefresh, driveWebSession } from './signed-in.ts';
import { driveSrpRoutes, driveSrpRoutesFromManyAddresses } from './srp-routes.ts';
import { driveSrpWire } from './srp-wire.ts';
import { driveTotpLogin } from './totp-login.ts';
import { driveUserList } from './user-list.ts';
import { driveWirePassword } from './wire-password.ts';

/** Every drive, by name. */
export const DRIVES = {
  'bare-login': driveBareLogin,
  'srp-routes': driveSrpRoutes,
  'srp-routes-apart': driveSrpRoutesFromManyAddresses,
  'srp-wire': driveSrpWire,
  'wire-password': driveWirePassword,
  'email-sign-in': driveEmailSignIn,
  'device-login': driveDeviceLogin,
  'password-route': drivePasswordRoute,
  'password-grant': drivePasswordGrant,
  'refresh-grant': driveRefreshGrant,
  'totp-login': driveTotpLogin,
  'passkey-login': drivePasskeyLogin,
  'token-refresh': driveTokenRefresh,
  'device-list': driveDeviceList,
  'web-session': driveWebSession,
  'forward-auth': driveForwardAuth,
  'user-list': driveUserList,
  'code-grant': driveCodeGrant,
  'client-credentials': driveClientCredentials,
  echo: driveEcho,
} as const satisfies Record<string, Drive>;

export type DriveName = keyof typeof DRIVES;
