import type { AnswerOf } from './routes.ts';

/** The user whom a session belongs to. */
export interface SessionUser {
  readonly username: string;
  readonly sub: string;
}

/** A login that gave tokens. */
export type TokensAnswer = AnswerOf<'tokenRefresh'>;

/** A device that the service offers to remember. */
export type NewDeviceMetadata = NonNullable<TokensAnswer['new_device_metadata']>;

/** A login that opened a browser session: no token reaches the page. */
export interface SessionAnswer {
  readonly status: 'success';
  readonly user: SessionUser;
  readonly new_device_metadata?: NewDeviceMetadata;
}

/** A finished login, in either mode. */
export type LoginSuccess = TokensAnswer | SessionAnswer;

/** A login that goes on. */
export type ChallengeAnswer = Extract<AnswerOf<'loginAnswer'>, { readonly status: 'challenge' }>;

/** What every step of a login answers, in either mode. */
export type LoginAnswer = LoginSuccess | ChallengeAnswer;
