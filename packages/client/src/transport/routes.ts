import type { ROUTES, Static, WEB_ROUTES } from '@poolgate/contract';

type Routes = typeof ROUTES & typeof WEB_ROUTES;

type AddressTuple<R> = R extends { readonly method: infer M; readonly path: infer P } ? readonly [M, P] : never;
type AddressOf<R extends { readonly aliases: readonly unknown[] }> =
  | AddressTuple<R>
  | AddressTuple<R['aliases'][number]>;

/** Omitted for public routes. */
type GuardOf<R> = R extends { readonly guard: infer G } ? (G extends 'public' ? [] : [G]) : never;

/**
 * The address and guard of each route that the client calls. The contract's own table is many times larger, so only its types are used
 * here. An address or guard that differs from the contract does not compile.
 */
export const CLIENT_ROUTES = {
  loginSrp: ['POST', '/login/srp'],
  loginCustom: ['POST', '/login/custom'],
  loginStepUp: ['POST', '/login/step-up', 'user'],
  loginAnswer: ['POST', '/login/auth-challenge'],
  loginParameters: ['GET', '/login/parameters'],
  passkeyChallenges: ['POST', '/login/passkey/challenge'],
  passkeyChallenge: ['POST', '/login/passkey/challenge/{challenge_name}'],
  passkeyDiscoverable: ['POST', '/login/passkey/discoverable'],
  tokenRefresh: ['POST', '/token/refresh'],
  logout: ['POST', '/logout', 'user'],
  logoutForced: ['POST', '/logout/forced', 'user'],
  deviceCreate: ['POST', '/device', 'user'],
  deviceList: ['GET', '/device', 'user'],
  deviceUpdate: ['PUT', '/device/{device_key}', 'user'],
  deviceRename: ['PATCH', '/device/{device_key}', 'user'],
  deviceForget: ['DELETE', '/device/{device_key}', 'user'],
  mfaActivate: ['POST', '/user/mfa/activate', 'user-or-session'],
  mfaVerify: ['POST', '/user/mfa/verify', 'user-or-session'],
  mfaPreference: ['PUT', '/user/mfa/preference', 'user'],
  mfaDeactivate: ['POST', '/user/mfa/deactivate', 'user'],
  mfaRecoveryCodes: ['POST', '/user/mfa/recovery-codes', 'user'],
  userFactors: ['GET', '/user/factors', 'user'],
  userProfile: ['GET', '/user/profile', 'user'],
  userUpdate: ['PATCH', '/user/profile', 'user'],
  userEvents: ['GET', '/user/events', 'user'],
  userApplications: ['GET', '/user/applications', 'user'],
  userApplicationEnd: ['DELETE', '/user/applications/{client_id}', 'user'],
  userExport: ['POST', '/user/export', 'user'],
  userDeletionSchedule: ['POST', '/user/deletion', 'user'],
  userDelete: ['DELETE', '/user', 'user'],
  attributeCode: ['POST', '/user/attributes/code', 'user'],
  attributeVerify: ['POST', '/user/attributes/verify', 'user'],
  passwordForgot: ['POST', '/password/forgot'],
  passwordReset: ['POST', '/password/reset'],
  passwordRange: ['POST', '/password/range'],
  notMe: ['POST', '/account/not-me'],
  passwordChange: ['POST', '/user/changepassword', 'user'],
  registerStart: ['POST', '/register/start'],
  register: ['POST', '/register'],
  registerVerify: ['POST', '/register/verify'],
  registerVerifyLink: ['POST', '/register/verify-link'],
  registerResend: ['POST', '/register/resend-code'],
  passkeyStart: ['POST', '/passkey/start', 'user'],
  passkeyComplete: ['POST', '/passkey/complete', 'user'],
  passkeyList: ['GET', '/passkey', 'user'],
  passkeyRename: ['PATCH', '/passkey/{credential_id}', 'user'],
  passkeyDelete: ['DELETE', '/passkey/delete', 'user'],
  webSession: ['GET', '/session'],
  webUnfinished: ['GET', '/session/unfinished'],
  webStepUp: ['POST', '/session/step-up', 'user'],
  webIdentityStart: ['POST', '/user/identities/start', 'user'],
  webStepUpProvider: ['POST', '/session/step-up/provider', 'user'],
  identityList: ['GET', '/user/identities', 'user'],
  identityRemove: ['DELETE', '/user/identities/{id}', 'user'],
  sessionList: ['GET', '/user/sessions', 'user'],
  sessionEnd: ['DELETE', '/user/sessions/{id}', 'user'],
} as const satisfies {
  readonly [Name in keyof Routes]?: readonly [...AddressOf<Routes[Name]>, ...GuardOf<Routes[Name]>];
};

/** The name of a route that the client calls. */
export type ClientRoute = keyof typeof CLIENT_ROUTES;

type RouteOf<Name extends ClientRoute> = Routes[Name];
type RoutePart<R, Part extends string> = R extends { readonly [P in Part]: infer S } ? Static<S> : never;

/** The request body of a route. */
export type RouteBody<Name extends ClientRoute> = RoutePart<RouteOf<Name>, 'body'>;

/** The response of a route. */
export type RouteResponse<Name extends ClientRoute> = Static<RouteOf<Name>['responses'][200]['schema']>;

/** The input of a request to a route. */
export interface RouteInput<Name extends ClientRoute> {
  readonly params?: RoutePart<RouteOf<Name>, 'params'>;
  readonly query?: RoutePart<RouteOf<Name>, 'query'>;
  readonly body?: RouteBody<Name>;
}
