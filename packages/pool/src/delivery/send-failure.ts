/** What is known about a message that could not be sent. */
export type SendOutcome =
  /** It was not accepted, but may be the next time. */
  | 'retry'
  /** It was not accepted, and never will be. */
  | 'refused'
  /** It may have been accepted, so a retry could send it twice. */
  | 'unknown';

/** A sender could not deliver a message. It contains neither the message nor its recipient. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  /** The reason as a snake_case code for logs, such as `smtp_550`. */
  readonly code: string;
  readonly outcome: SendOutcome;

  /** @throws {TypeError} `code` is not a snake_case word, so it might contain text from outside */
  constructor(code: string, outcome: SendOutcome, options?: ErrorOptions) {
    if (!/^[a-z0-9_]{1,64}$/.test(code)) throw new TypeError('code must be a snake_case word');
    super(`The message was not sent (${code}).`, options);
    this.code = code;
    this.outcome = outcome;
  }
}
