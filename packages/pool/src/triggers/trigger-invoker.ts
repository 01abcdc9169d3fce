/**
 * The event of a trigger in Cognito's shape.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-working-with-lambda-triggers.html
 */
export interface TriggerEvent {
  /** The version of the shape: `1`, and for the claims of access tokens `2` or `3`. */
  readonly version: string;
  readonly triggerSource: string;
  readonly region: string;
  readonly userPoolId: string;
  readonly userName: string;
  readonly callerContext: { readonly awsSdkVersion: string; readonly clientId: string };
  readonly request: Readonly<Record<string, unknown>>;
  /** The members that the function fills in, with their default values. */
  readonly response: Readonly<Record<string, unknown>>;
}

/**
 * The outcome of one attempt to call a function.
 *
 * - `answered`: the function's response, parsed as JSON but not validated. `undefined`: not JSON.
 * - `refused`: the function ran and failed; the message is its own.
 * - `failed`: the function's decision is unknown. `why` is shown to the caller, so it contains no address and no secret. `isReached`:
 *   something responded for the function, so this call failed but the next one may not. `isRefused`: nothing accepted the connection, so
 *   the event's content cannot be the reason.
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

/** A target that is called instead of the Lambda function of an ARN. */
export interface TriggerTarget {
  /**
   * Calls the function once. Never rejects.
   * @param signal aborts when the response is no longer needed
   * @param id a UUID of the call, the same at every attempt
   */
  invoke(event: TriggerEvent, signal: AbortSignal, id: string): Promise<TriggerOutcome>;
}

/** Resolves the ARNs in the settings of pools. */
export interface TriggerInvoker {
  /** Returns the target of an ARN; undefined if none is configured, so that nothing may be called. */
  targetOf(arn: string): TriggerTarget | undefined;
}

/** What a request passes on to triggers: its app client and its metadata. */
export interface TriggerInput {
  readonly ClientId?: string | undefined;
  readonly ClientMetadata?: Readonly<Record<string, string>> | undefined;
}
