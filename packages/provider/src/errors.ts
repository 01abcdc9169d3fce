/** The error names of the Amazon Cognito user-pools API that a provider may answer with. */
export const ERROR_CODES = [
  'AliasExistsException',
  'CodeDeliveryFailureException',
  'CodeMismatchException',
  'ExpiredCodeException',
  'ForbiddenException',
  'InternalErrorException',
  'InvalidParameterException',
  'InvalidPasswordException',
  'LimitExceededException',
  'NotAuthorizedException',
  'PasswordResetRequiredException',
  'RefreshTokenReuseException',
  'ResourceNotFoundException',
  'TooManyFailedAttemptsException',
  'TooManyRequestsException',
  'UnauthorizedException',
  'UnsupportedOperationException',
  'UnsupportedTokenTypeException',
  'UnsupportedUserStateException',
  'UserNotConfirmedException',
  'UserNotFoundException',
  'UsernameExistsException',
] as const;

/** One of {@link ERROR_CODES}. */
export type ProviderErrorCode = (typeof ERROR_CODES)[number];

/** Why a provider refused, where the code alone does not tell and a caller must know. Never shown to end users. */
export type RefusalReason =
  | 'invalid_session'
  | 'invalid_credentials'
  | 'invalid_token'
  | 'invalid_grant'
  | 'locked'
  | 'user_disabled'
  | 'temporary_password_expired'
  | 'password_expired'
  | 'challenge_mismatch'
  | 'device_not_found'
  | 'pool_not_found'
  | 'client_not_found'
  | 'flow_disabled'
  | 'client_secret';

/** Details of a {@link ProviderError} beyond code and message. */
export interface ProviderErrorOptions {
  readonly reason?: RefusalReason;
  /** For limits: after how many seconds another try makes sense. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/**
 * A refusal by the identity provider, in Cognito's vocabulary.
 * The message is Cognito's own text: clients match on it, and it never holds a secret.
 */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;
  readonly reason: RefusalReason | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProviderErrorCode, message: string, options: ProviderErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProviderError';
    this.code = code;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
