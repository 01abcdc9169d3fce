import type { RouteResponse } from './routes.ts';

/** A login that returned tokens. */
export type TokensResponse = RouteResponse<'tokenRefresh'>;

/** A device that the service offers to remember. */
export type NewDeviceMetadata = NonNullable<TokensResponse['new_device_metadata']>;

/** A login that opened a browser session, whose tokens never reach the page. */
export type SessionResponse = Extract<RouteResponse<'webStepUp'>, { readonly status: 'success' }>;

/** A finished login, in either mode. */
export type LoginSuccess = TokensResponse | SessionResponse;

/** A login that continues with a challenge. */
export type NextChallenge = Extract<RouteResponse<'loginAnswer'>, { readonly status: 'challenge' }>;

/** The response to any step of a login, in either mode. */
export type LoginResponse = LoginSuccess | NextChallenge;
