/** The maximum number of messages that a service sends, across all pools. */
export interface MessageLimits {
  /** Codes and invitations a day. {@link DAILY_BUDGET_PARTS} divides them. */
  readonly perDay: number;
  /** SMS messages to one country a day: this many for anonymous requests, and the same again for signed-in users. */
  readonly smsPerCountryAndDay: number;
  /**
   * How many messages of one purpose a source can cause to a user or an address in any hour. Default: 2. A number above five also raises
   * the user's own limit of five.
   */
  readonly perSourceAndHour?: number;
}

/** Enough for a hundred thousand users who each sign in with a code every fourth day. */
export const DEFAULT_MESSAGE_LIMITS: Required<MessageLimits> = {
  perDay: 50_000,
  smsPerCountryAndDay: 1_000,
  perSourceAndHour: 2,
};
