/** How many messages a service sends, over all of its pools. */
export interface MessageLimits {
  /** In a day, of codes and invitations. {@link DAILY_BUDGET_PARTS} says who can use which part of it. */
  readonly perDay: number;
  /** By SMS to the numbers of one country in a day: so many for what anybody can ask for, and as many for users who are logged in. */
  readonly smsPerCountryAndDay: number;
  /**
   * How many messages of one purpose one source causes to a user or an address in any hour. Default: 2. A number above five raises the user's
   * own five too.
   */
  readonly perSourceAndHour?: number;
}

/** Enough for a hundred thousand users, who sign in by a code every fourth day. */
export const DEFAULT_MESSAGE_LIMITS: Required<MessageLimits> = {
  perDay: 50_000,
  smsPerCountryAndDay: 1_000,
  perSourceAndHour: 2,
};
