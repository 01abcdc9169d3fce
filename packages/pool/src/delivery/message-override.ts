/**
 * Texts of one message instead of others, each by itself, in the form of Cognito's templates. `{####}` stands for the code or the
 * temporary password, `{username}` for the name that the user signs in with, and `{##words##}` for the link of a sign-up, as these
 * words.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-custom-message.html
 */
export interface MessageOverride {
  readonly smsMessage?: string | undefined;
  /** HTML, or plain text where it holds no tag and no entity. */
  readonly emailMessage?: string | undefined;
  readonly emailSubject?: string | undefined;
}
