import type { RouteResponse } from './routes.ts';

/** A login that gave tokens. */
export type TokensResponse = RouteResponse<'tokenRefresh'>;

/** A device that the service offers to remember. */
export type NewDeviceMetadata = NonNullable<TokensResponse['new_device_metadata']>;

/** A login that opened a browser session: no token reaches the page. */
export type SessionResponse = Extract<RouteResponse<'webStepUp'>, { readonly status: 'success' }>;

/** A finished login, in either mode. */
export type LoginSuccess = TokensResponse | SessionResponse;

/** A login that goes on. */
export type NextChallenge = Extract<RouteResponse<'loginAnswer'>, { readonly status: 'challenge' }>;

/** What every step of a login answers, in either mode. */
export type LoginResponse = LoginSuccess | NextChallenge;
