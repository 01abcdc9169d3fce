/**
 * Who has to act on an error, and its HTTP status at the Cognito-compatible API.
 *
 * - `caller`: the request, or the state of the user that it names.
 * - `setup`: the pool's settings, messages or triggers. The same request succeeds after an operator has fixed them.
 * - `limit`: a limit was exceeded. The same request may succeed later.
 * - `service`: the provider itself failed.
 *
 * `status` is the HTTP status in the AWS JSON protocol. Cognito returns 400 for everything except its own failures.
 */
export const FAULTS = {
  caller: { status: 400, retryable: false },
  setup: { status: 400, retryable: false },
  limit: { status: 400, retryable: true },
  service: { status: 500, retryable: true },
} as const;

/** One of {@link FAULTS}. */
export type Fault = keyof typeof FAULTS;

/**
 * The error names of the Amazon Cognito user-pools API, each with its {@link Fault}. It contains every name that an operation in
 * `cognito-ops.json` declares.
 *
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/CommonErrors.html
 */
export const ERRORS = {
  AccessDeniedException: 'caller',
  AliasExistsException: 'caller',
  CodeDeliveryFailureException: 'setup',
  CodeMismatchException: 'caller',
  ConcurrentModificationException: 'caller',
  DeviceKeyExistsException: 'caller',
  DuplicateProviderException: 'caller',
  EnableSoftwareTokenMFAException: 'caller',
  ExpiredCodeException: 'caller',
  FeatureUnavailableInTierException: 'setup',
  ForbiddenException: 'caller',
  GroupExistsException: 'caller',
  InternalErrorException: 'service',
  InternalServerException: 'service',
  InvalidEmailRoleAccessPolicyException: 'setup',
  InvalidLambdaResponseException: 'setup',
  InvalidOAuthFlowException: 'caller',
  InvalidParameterException: 'caller',
  InvalidPasswordException: 'caller',
  InvalidSmsRoleAccessPolicyException: 'setup',
  InvalidSmsRoleTrustRelationshipException: 'setup',
  InvalidUserPoolConfigurationException: 'setup',
  LimitExceededException: 'limit',
  MFAMethodNotFoundException: 'caller',
  ManagedLoginBrandingExistsException: 'caller',
  NotAuthorizedException: 'caller',
  OperationNotEnabledException: 'setup',
  PasswordHistoryPolicyViolationException: 'caller',
  PasswordResetRequiredException: 'caller',
  PreconditionNotMetException: 'caller',
  RefreshTokenReuseException: 'caller',
  ResourceNotFoundException: 'caller',
  ScopeDoesNotExistException: 'caller',
  ServiceQuotaExceededException: 'setup',
  SoftwareTokenMFANotFoundException: 'caller',
  TermsExistsException: 'caller',
  TierChangeNotAllowedException: 'caller',
  TooManyFailedAttemptsException: 'limit',
  TooManyRequestsException: 'limit',
  UnauthorizedException: 'caller',
  UnexpectedLambdaException: 'setup',
  UnsupportedIdentityProviderException: 'caller',
  UnsupportedOperationException: 'caller',
  UnsupportedTokenTypeException: 'caller',
  UnsupportedUserStateException: 'caller',
  UserImportInProgressException: 'caller',
  UserLambdaValidationException: 'caller',
  UserNotConfirmedException: 'caller',
  UserNotFoundException: 'caller',
  UserPoolAddOnNotEnabledException: 'setup',
  UserPoolTaggingException: 'caller',
  UsernameExistsException: 'caller',
  WebAuthnChallengeNotFoundException: 'caller',
  WebAuthnClientMismatchException: 'caller',
  WebAuthnConfigurationMissingException: 'setup',
  WebAuthnCredentialNotSupportedException: 'caller',
  WebAuthnNotEnabledException: 'setup',
  WebAuthnOriginNotAllowedException: 'caller',
  WebAuthnRelyingPartyMismatchException: 'caller',
} as const satisfies Record<string, Fault>;

/** The name of a provider error: a key of {@link ERRORS}. */
export type ProviderErrorCode = keyof typeof ERRORS;

/** Why a provider refused, if the code alone is ambiguous and a caller must know. It is never shown to end users. */
export type RefusalReason =
  | 'invalid_session'
  | 'invalid_credentials'
  | 'invalid_token'
  | 'invalid_grant'
  | 'locked'
  | 'user_disabled'
  | 'registration_unconfirmed'
  | 'temporary_password_expired'
  | 'password_expired'
  | 'challenge_mismatch'
  | 'device_not_found'
  | 'pool_not_found'
  | 'client_not_found'
  | 'identity_provider_not_found'
  | 'identity_not_found'
  | 'last_way_in'
  | 'resource_server_not_found'
  | 'flow_disabled'
  | 'feature_disabled'
  | 'client_secret'
  | 'invalid_credential'
  | 'attribute_not_writable'
  | 'passkey_not_found'
  | 'group_not_found'
  | 'login_not_found'
  | 'provider_unavailable'
  | 'provider_timeout'
  | 'provider_unknown';

/** A password rule that a new password broke. */
export type PasswordRule =
  | 'too_short'
  | 'needs_uppercase'
  | 'needs_lowercase'
  | 'needs_number'
  | 'needs_symbol'
  | 'too_common'
  | 'own_name'
  | 'leaked'
  | 'temporary_again'
  | 'used_before';

/** Details of a {@link ProviderError} in addition to code and message. */
export interface ProviderErrorOptions {
  readonly reason?: RefusalReason;
  /** For limits: the number of seconds until another try is useful. */
  readonly retryAfterSeconds?: number;
  /** For a rejected new password: the broken rules, as far as they are known. */
  readonly brokenRules?: readonly PasswordRule[];
  readonly cause?: unknown;
}

/**
 * An error of the identity provider, in Cognito's vocabulary. The message is Cognito's own text, because clients match on it. It never
 * contains a secret.
 */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;
  readonly reason: RefusalReason | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly brokenRules: readonly PasswordRule[];

  constructor(code: ProviderErrorCode, message: string, options: ProviderErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProviderError';
    this.code = code;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.brokenRules = options.brokenRules ?? [];
  }

  /** Who has to act: the row of {@link ERRORS} for this code. */
  get fault(): Fault {
    return ERRORS[this.code];
  }
}
