import { CognitoIdentityProviderServiceException } from '@aws-sdk/client-cognito-identity-provider';
import { ERRORS, type ProviderErrorCode } from '@poolgate/provider';

/** How an attempt of a call can fail. */
export type FailureKind = keyof typeof FAILURES;

interface FailureRow {
  /** Whether another attempt may follow. `unsent`: also for a request that must not be received twice. */
  readonly retry: 'no' | 'repeatable' | 'unsent';
  /** What it says about the service. */
  readonly breaker: 'failed' | 'worked' | undefined;
}

/** The consequences of each kind of failure. */
export const FAILURES = {
  /** No connection was established, so nothing was received. */
  unsent: { retry: 'unsent', breaker: 'failed' },
  /** The connection broke, so the request may have been carried out. */
  lost: { retry: 'repeatable', breaker: 'failed' },
  /** No response in time: the same. */
  slow: { retry: 'repeatable', breaker: 'failed' },
  /** Cognito reports its own failure. */
  broken: { retry: 'repeatable', breaker: 'failed' },
  /** An invalid response. */
  nonsense: { retry: 'no', breaker: 'failed' },
  /** A quota of the account is exhausted. */
  throttled: { retry: 'repeatable', breaker: 'worked' },
  /** An error that Cognito declares. */
  refused: { retry: 'no', breaker: 'worked' },
  /** An error with an unknown name. */
  unknown: { retry: 'no', breaker: 'worked' },
  /** AWS does not accept the signature. */
  unsigned: { retry: 'no', breaker: 'worked' },
  /** No credentials were found, and Cognito was not called. */
  no_credentials: { retry: 'no', breaker: undefined },
  /** This service's own limiter refused the call. */
  limited: { retry: 'no', breaker: undefined },
  /** The circuit breaker is open. */
  open: { retry: 'no', breaker: undefined },
} as const satisfies Record<string, FailureRow>;

/** The details of a failure in addition to its kind. */
export interface FailureDetails {
  readonly name?: string;
  /** For `nonsense`: the path of the invalid member in the operation's own shape. */
  readonly member?: string;
  /** For `nonsense`: the member is text, as it should be, but cannot be stored. Users write texts. */
  readonly isUnstorable?: true;
  readonly status?: number;
  /** AWS's request id, for its support. */
  readonly awsRequestId?: string;
  /** For `limited` and `open`: when to try again. */
  readonly waitMs?: number;
}

/** A failed attempt. It contains none of AWS's texts, which repeat the input and may contain a password. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly kind: FailureKind;
  readonly details: FailureDetails;
  readonly #words: string;

  constructor(kind: FailureKind, details: FailureDetails = {}, words = '') {
    super(details.name === undefined ? kind : `${kind}: ${details.name}`);
    this.kind = kind;
    this.details = details;
    this.#words = words;
  }

  /** Whether AWS's message matches. The message can be tested but not read. */
  matchesText(pattern: RegExp): boolean {
    return pattern.test(this.#words);
  }
}

/** AWS's error names for throttling; some come from infrastructure in front of Cognito. */
const THROTTLES: ReadonlySet<string> = new Set([
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
]);

/** AWS's error names for a rejected signature. */
const BAD_SIGNATURES: ReadonlySet<string> = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'ExpiredTokenException',
  'IncompleteSignature',
  'IncompleteSignatureException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'MissingAuthenticationToken',
  'MissingAuthenticationTokenException',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
]);

/** Node's error codes if no connection was established. */
const NOT_SENT_CODES: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
]);
const NO_CONNECTION_IN_TIME = /did not establish a connection/;

/** Whether a name is one of Cognito's declared errors. */
export function isDeclaredError(name: string): name is ProviderErrorCode {
  return Object.hasOwn(ERRORS, name);
}

/** Converts an error from the SDK into a failure; undefined if the error is a bug. */
export function toUpstreamFailure(thrown: unknown): UpstreamFailure | undefined {
  if (thrown instanceof UpstreamFailure) return thrown;
  if (thrown instanceof CognitoIdentityProviderServiceException) return toAnswerFailure(thrown);
  if (!(thrown instanceof Error)) return undefined;
  // The chain of credentials gave up, or a service that it asked for them refused.
  if ('tryNextLink' in thrown || '$fault' in thrown)
    return new UpstreamFailure('no_credentials', { name: thrown.name });
  const { code, $metadata } = thrown as { code?: unknown; $metadata?: { httpStatusCode?: number } };
  if (typeof code === 'string')
    return new UpstreamFailure(NOT_SENT_CODES.has(code) ? 'unsent' : 'lost', { name: code });
  if (thrown.name === 'TimeoutError') {
    return new UpstreamFailure(NO_CONNECTION_IN_TIME.test(thrown.message) ? 'unsent' : 'slow');
  }
  const status = $metadata?.httpStatusCode;
  return status === undefined ? undefined : createUnreadableResponseFailure(status);
}

/** An answer that the SDK cannot read, as a failure. */
export function createUnreadableResponseFailure(status: number): UpstreamFailure {
  return new UpstreamFailure(status >= 500 ? 'broken' : 'nonsense', { status });
}

function toAnswerFailure(thrown: CognitoIdentityProviderServiceException): UpstreamFailure {
  const { httpStatusCode: status = 0, requestId } = thrown.$metadata;
  const name = pickText(thrown.name, /^[\w.]{1,80}$/) ?? 'unnamed';
  const awsRequestId = pickText(requestId, /^[\w-]{1,80}$/);
  const details = { name, status, ...(awsRequestId === undefined ? {} : { awsRequestId }) };
  return new UpstreamFailure(findFailureKind(name, status), details, pickText(thrown.message, /^/)?.slice(0, 2_000));
}

/** The SDK declares these members as strings, but passes them on from the response unchecked. */
function pickText(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

function findFailureKind(name: string, status: number): FailureKind {
  if (THROTTLES.has(name) || status === 429) return 'throttled';
  if (BAD_SIGNATURES.has(name)) return 'unsigned';
  if (status >= 500) return 'broken';
  if (!isDeclaredError(name)) return 'unknown';
  return ERRORS[name] === 'service' ? 'broken' : 'refused';
}
