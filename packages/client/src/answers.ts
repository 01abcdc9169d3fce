import type { AnswerOf } from './routes.ts';

/** A login that gave tokens. */
export type TokensAnswer = AnswerOf<'tokenRefresh'>;

/** A device that the service offers to remember. */
export type NewDeviceMetadata = NonNullable<TokensAnswer['new_device_metadata']>;

/** A login that opened a browser session: no token reaches the page. */
export type SessionAnswer = Extract<AnswerOf<'webStepUp'>, { readonly status: 'success' }>;

/** A finished login, in either mode. */
export type LoginSuccess = TokensAnswer | SessionAnswer;

/** A login that goes on. */
export type NextChallenge = Extract<AnswerOf<'loginAnswer'>, { readonly status: 'challenge' }>;

/** What every step of a login answers, in either mode. */
export type LoginAnswer = LoginSuccess | NextChallenge;
