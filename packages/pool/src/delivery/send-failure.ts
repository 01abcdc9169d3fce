/** What is known of a message whose sending failed. */
export type SendOutcome =
  /** It was certainly not accepted, and may be the next time. */
  | 'retry'
  /** It was not accepted, and never will be. */
  | 'refused'
  /** It may have been accepted: to try again could send it twice. */
  | 'unknown';

/** A sender could not deliver a message. Neither the message nor who was to get it is in here. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  /** Why, as a snake_case word for logs, e.g. `smtp_550`. */
  readonly code: string;
  readonly outcome: SendOutcome;

  /** @throws {TypeError} `code` is not a snake_case word, so it might hold what an unknown caller wrote */
  constructor(code: string, outcome: SendOutcome, options?: ErrorOptions) {
    if (!/^[a-z0-9_]{1,64}$/.test(code)) throw new TypeError('code must be a snake_case word');
    super(`The message was not sent (${code}).`, options);
    this.code = code;
    this.outcome = outcome;
  }
}
