/**
 * What a trigger is called with, in Cognito's shape.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-working-with-lambda-triggers.html
 */
export interface TriggerEvent {
  /** Of the shape: `1`, and for the claims of access tokens `2` or `3`. */
  readonly version: string;
  readonly triggerSource: string;
  readonly region: string;
  readonly userPoolId: string;
  readonly userName: string;
  readonly callerContext: { readonly awsSdkVersion: string; readonly clientId: string };
  readonly request: Readonly<Record<string, unknown>>;
  /** What the function fills in; with the values that count where it does not. */
  readonly response: Readonly<Record<string, unknown>>;
}

/**
 * What became of one try to call a function.
 *
 * - `answered`: what the function gave back, read as JSON; nothing of it was looked at. `undefined`: no JSON.
 * - `refused`: the function ran and failed; the message is its own.
 * - `failed`: nobody knows what the function would say. `why` is told to the caller, so it names no address and no secret. `isReached`:
 *   something answered for the function, so that it is this call that failed, and the next one may not. `isRefused`: nothing accepted
 *   the connection, so that what the event holds cannot be the reason.
 */
export type TriggerOutcome =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'failed';
      readonly why: string;
      readonly isWorthRetrying: boolean;
      readonly isReached?: true;
      readonly isRefused?: true;
    };

/** Something that can be called in place of the Lambda function that an ARN names. */
export interface TriggerTarget {
  /**
   * Calls the function once. Never rejects.
   * @param signal says that nobody waits for the answer any more
   * @param id a UUID of the call, the same at every try
   */
  invoke(event: TriggerEvent, signal: AbortSignal, id: string): Promise<TriggerOutcome>;
}

/** Knows what stands behind the ARNs in the settings of pools. */
export interface TriggerInvoker {
  /** What is called for an ARN; undefined where nobody said, and then nothing may be called. */
  targetOf(arn: string): TriggerTarget | undefined;
}

/** What a request passes on to triggers: its app client and its metadata. */
export interface TriggerInput {
  readonly ClientId?: string | undefined;
  readonly ClientMetadata?: Readonly<Record<string, string>> | undefined;
}
