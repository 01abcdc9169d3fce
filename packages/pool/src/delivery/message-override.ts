/**
 * Texts that replace those of one message, each independently, in Cognito's template format. `{####}` is the code or the temporary
 * password, `{username}` is the name with which the user signs in, and `{##words##}` is the link of a sign-up with these words.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-custom-message.html
 */
export interface MessageOverride {
  readonly smsMessage?: string | undefined;
  /** HTML, or plain text if it contains no tag and no entity. */
  readonly emailMessage?: string | undefined;
  readonly emailSubject?: string | undefined;
}
