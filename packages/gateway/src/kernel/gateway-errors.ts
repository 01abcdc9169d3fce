import { ERRORS, type ErrorCode, type FieldError } from '@poolgate/contract';
import { type PasswordRule, ProviderError, type ProviderErrorCode, type RefusalReason } from '@poolgate/provider';
import type { UnavailableError } from '../records/index.ts';

/** The address at which a client opened this service, and the correct one. */
export interface WrongAddress {
  /** An origin, or a host if the scheme is unknown. It comes from a stranger: ASCII without quotes or spaces, at most 128 characters. */
  readonly opened: string;
  readonly baseUrl: string;
}

/** Details of a {@link GatewayError} in addition to its code. */
export interface GatewayErrorOptions {
  /** For 422: the invalid fields. */
  readonly errors?: readonly FieldError[];
  /** For 429 and 503: sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Additional headers of the response, such as `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For 401: why a token or key was rejected; otherwise why a browser was refused. Sent as `reason`. */
  readonly reason?: ErrorReason;
  /** With the reason `wrong_address`: both addresses. */
  readonly address?: WrongAddress;
  /** For 429 after a password: the other first factors that the pool offers. */
  readonly availableChallenges?: readonly string[];
  /** For an incomplete confirmation: what a client needs to continue. */
  readonly registration?: RegistrationRequirement;
  readonly cause?: unknown;
}

/** What a confirmation without the registration's session still needs. */
export interface RegistrationRequirement {
  /** The SRP identity and the salt of its password; absent if the provider does not reveal them. */
  readonly username?: string;
  readonly salt?: string;
  /** Attributes that must be sent with a new password. */
  readonly required_attributes: readonly string[];
}

/** Why a token or an admin key was rejected. If the pool did not sign the token, no other reason is given. */
export type TokenErrorReason = 'missing' | 'invalid' | 'expired' | 'not_an_access_token' | 'revoked' | 'no_admin_key';

/** Why a form from a browser was refused: the page was opened at a wrong address, or its cookies are missing. */
export type BrowserErrorReason = 'wrong_address' | 'cookies_missing';

/** A stable word that refines the code. */
export type ErrorReason = TokenErrorReason | BrowserErrorReason;

/**
 * An error that the caller receives as problem+json. The code defines status and title. `detail` is shown, so it contains no secret and
 * never reveals whether a user exists.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: ErrorReason | undefined;
  readonly address: WrongAddress | undefined;
  readonly availableChallenges: readonly string[] | undefined;
  readonly registration: RegistrationRequirement | undefined;

  constructor(code: ErrorCode, detail: string = ERRORS[code].explanation, options: GatewayErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.reason = options.reason;
    this.address = options.address;
    this.availableChallenges = options.availableChallenges;
    this.registration = options.registration;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

interface TokenErrorText {
  readonly detail: string;
  /** The error of RFC 6750 §3.1; absent if no token was sent. */
  readonly error?: 'invalid_token';
}

const TOKEN_ERROR_TEXTS: Readonly<Record<TokenErrorReason, TokenErrorText>> = {
  missing: { detail: 'The access token is missing. Send it as Authorization: Bearer.' },
  invalid: { detail: 'The token is malformed or belongs to another user pool or app client.', error: 'invalid_token' },
  expired: { detail: 'The access token has expired. Refresh it or log in again.', error: 'invalid_token' },
  not_an_access_token: {
    detail: 'The token is not an access token. Send the access token of a login.',
    error: 'invalid_token',
  },
  revoked: { detail: 'The access token was revoked. Log in again.', error: 'invalid_token' },
  no_admin_key: {
    detail: 'Missing or invalid admin key. Send one as Authorization: Bearer pg_… or with AWS Signature Version 4.',
  },
};

/** Creates a 401 with the challenge of RFC 6750 §3, and the reason. */
export function unauthenticatedError(reason: TokenErrorReason, cause?: unknown): GatewayError {
  const { detail, error } = TOKEN_ERROR_TEXTS[reason];
  const challenge = error === undefined ? 'Bearer' : `Bearer error="${error}", error_description="${detail}"`;
  return new GatewayError('unauthenticated', detail, { headers: { 'www-authenticate': challenge }, reason, cause });
}

/** Creates a 403 for a user's token that may not act for its user here (RFC 6750 §3.1). */
export function insufficientScopeError(scope: string): GatewayError {
  const detail = `The access token lacks the scope ${scope}. Request that scope or log in through this API.`;
  const challenge = `Bearer error="insufficient_scope", error_description="${detail}", scope="${scope}"`;
  return new GatewayError('forbidden', detail, { headers: { 'www-authenticate': challenge } });
}

/** Creates a 422 for one invalid field. */
export function invalidFieldError(field: string, code: string, message: string, cause?: unknown): GatewayError {
  return new GatewayError('validation_failed', 'The request is invalid.', {
    errors: [{ field, code, message }],
    cause,
  });
}

/**
 * The meaning of a provider's code, if neither a reason nor the route is more specific. Errors that would reveal whether a user exists look
 * like a failed login here; administrative handlers report them openly.
 */
const ERROR_BY_PROVIDER_CODE = {
  AccessDeniedException: 'provider_error',
  AliasExistsException: 'user_exists',
  CodeDeliveryFailureException: 'provider_error',
  CodeMismatchException: 'code_mismatch',
  ConcurrentModificationException: 'unavailable',
  DeviceKeyExistsException: 'device_exists',
  DuplicateProviderException: 'provider_error',
  EnableSoftwareTokenMFAException: 'code_mismatch',
  ExpiredCodeException: 'code_expired',
  FeatureUnavailableInTierException: 'feature_disabled',
  ForbiddenException: 'forbidden',
  GroupExistsException: 'group_exists',
  InternalErrorException: 'unavailable',
  InternalServerException: 'unavailable',
  InvalidEmailRoleAccessPolicyException: 'provider_error',
  InvalidLambdaResponseException: 'provider_error',
  InvalidOAuthFlowException: 'feature_disabled',
  InvalidParameterException: 'invalid_parameter',
  InvalidPasswordException: 'validation_failed',
  InvalidSmsRoleAccessPolicyException: 'provider_error',
  InvalidSmsRoleTrustRelationshipException: 'provider_error',
  InvalidUserPoolConfigurationException: 'feature_disabled',
  LimitExceededException: 'too_many_requests',
  MFAMethodNotFoundException: 'challenge_mismatch',
  ManagedLoginBrandingExistsException: 'provider_error',
  NotAuthorizedException: 'invalid_credentials',
  OperationNotEnabledException: 'feature_disabled',
  PasswordHistoryPolicyViolationException: 'validation_failed',
  PasswordResetRequiredException: 'password_reset_required',
  PreconditionNotMetException: 'invalid_user_state',
  RefreshTokenReuseException: 'invalid_grant',
  ResourceNotFoundException: 'provider_error',
  ScopeDoesNotExistException: 'provider_error',
  ServiceQuotaExceededException: 'unavailable',
  SoftwareTokenMFANotFoundException: 'mfa_not_configured',
  TermsExistsException: 'provider_error',
  TierChangeNotAllowedException: 'provider_error',
  TooManyFailedAttemptsException: 'too_many_requests',
  TooManyRequestsException: 'too_many_requests',
  UnauthorizedException: 'forbidden',
  UnexpectedLambdaException: 'provider_error',
  UnsupportedIdentityProviderException: 'provider_error',
  UnsupportedOperationException: 'feature_disabled',
  UnsupportedTokenTypeException: 'invalid_grant',
  UnsupportedUserStateException: 'invalid_user_state',
  UserImportInProgressException: 'unavailable',
  UserLambdaValidationException: 'trigger_refused',
  // Otherwise the password of a new registration would differ from one whose name was taken.
  UserNotConfirmedException: 'invalid_credentials',
  UserNotFoundException: 'invalid_credentials',
  UserPoolAddOnNotEnabledException: 'feature_disabled',
  UserPoolTaggingException: 'provider_error',
  UsernameExistsException: 'user_exists',
  WebAuthnChallengeNotFoundException: 'invalid_credential',
  WebAuthnClientMismatchException: 'invalid_credential',
  WebAuthnConfigurationMissingException: 'feature_disabled',
  WebAuthnCredentialNotSupportedException: 'invalid_credential',
  WebAuthnNotEnabledException: 'feature_disabled',
  WebAuthnOriginNotAllowedException: 'invalid_credential',
  WebAuthnRelyingPartyMismatchException: 'invalid_credential',
} as const satisfies Record<ProviderErrorCode, ErrorCode>;

/** The meaning of a reason, which has priority over the code. */
const ERROR_BY_PROVIDER_REASON = {
  invalid_session: 'invalid_session',
  invalid_credentials: 'invalid_credentials',
  invalid_token: 'unauthenticated',
  invalid_grant: 'invalid_grant',
  locked: 'too_many_requests',
  user_disabled: 'invalid_credentials',
  registration_unconfirmed: 'user_not_confirmed',
  temporary_password_expired: 'invalid_credentials',
  password_expired: 'invalid_credentials',
  challenge_mismatch: 'challenge_mismatch',
  device_not_found: 'device_not_found',
  feature_disabled: 'feature_disabled',
  invalid_credential: 'invalid_credential',
  attribute_not_writable: 'validation_failed',
  passkey_not_found: 'passkey_not_found',
  group_not_found: 'group_not_found',
  login_not_found: 'session_not_found',
  pool_not_found: 'provider_error',
  client_not_found: 'provider_error',
  identity_provider_not_found: 'provider_error',
  identity_not_found: 'identity_not_found',
  last_way_in: 'last_way_in',
  resource_server_not_found: 'provider_error',
  flow_disabled: 'feature_disabled',
  client_secret: 'provider_error',
  provider_unavailable: 'unavailable',
  provider_timeout: 'timeout',
  provider_unknown: 'provider_error',
} as const satisfies Record<RefusalReason, ErrorCode>;

/** Returns the contract's code for a provider's error, unless a route overrides it. */
export function toErrorCode(error: ProviderError): ErrorCode {
  return error.reason === undefined ? ERROR_BY_PROVIDER_CODE[error.code] : ERROR_BY_PROVIDER_REASON[error.reason];
}

/** Codes whose response says when to try again, with the seconds to use if the provider does not say. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = { too_many_requests: 1, unavailable: 1 };

/** Converts a provider's error to the caller's form. The provider's own text and names stay in `cause`. */
export function convertProviderError(error: ProviderError, code: ErrorCode = toErrorCode(error)): GatewayError {
  if (error.reason === 'attribute_not_writable') return notWritableError(error);
  if (code === 'validation_failed') return weakPasswordError('password', error);
  if (code === 'unauthenticated') return unauthenticatedError('revoked', error);
  if (code === 'trigger_refused') return new GatewayError(code, readTriggerMessage(error), { cause: error });
  const retryAfterSeconds = error.retryAfterSeconds ?? RETRY_AFTER_SECONDS[code];
  return new GatewayError(code, undefined, {
    cause: error,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function notWritableError(cause: ProviderError): GatewayError {
  return invalidFieldError('attributes', 'not_allowed', 'contains an attribute that this app client cannot set', cause);
}

/** A trigger's message is meant for the caller. Cognito wraps it in its own words. */
function readTriggerMessage({ message }: ProviderError): string {
  return /^\w+ failed with error (.+)\.$/s.exec(message)?.[1] ?? message;
}

/** The field error for each rule that a new password can break. */
const PASSWORD_RULE_ERRORS: Readonly<Record<PasswordRule, readonly [code: string, message: string]>> = {
  too_short: ['password_too_short', 'is shorter than the password policy allows'],
  needs_uppercase: ['password_needs_uppercase', 'must contain an uppercase letter'],
  needs_lowercase: ['password_needs_lowercase', 'must contain a lowercase letter'],
  needs_number: ['password_needs_number', 'must contain a number'],
  needs_symbol: ['password_needs_symbol', 'must contain a symbol'],
  too_common: ['password_too_common', 'is one of the most common passwords'],
  own_name: ['password_own_name', 'must not be a name or address of the user'],
  leaked: ['password_leaked', 'appeared in a data breach'],
  temporary_again: ['password_temporary_again', 'must differ from the temporary password'],
  used_before: ['password_used_before', 'was already used'],
};

/** Creates a 422 for a password that the pool's policy rejects, with an error for each known rule. */
export function weakPasswordError(field: string, cause: unknown): GatewayError {
  const rules = cause instanceof ProviderError ? cause.brokenRules : [];
  if (rules.length === 0) {
    return invalidFieldError(field, 'weak_password', 'does not meet the password policy of the user pool', cause);
  }
  const errors = rules.map((rule) => {
    const [code, message] = PASSWORD_RULE_ERRORS[rule];
    return { field, code, message };
  });
  return new GatewayError('validation_failed', 'The request is invalid.', { errors, cause });
}

/** A route's overrides for codes that have another meaning there. */
export type ErrorMapping = Partial<Record<ProviderErrorCode, ErrorCode | ((error: ProviderError) => GatewayError)>>;

/** The meaning of a provider's errors on routes that a user calls with a token. */
export const TOKEN_ERRORS: ErrorMapping = {
  NotAuthorizedException: 'unauthenticated',
  UserNotFoundException: 'unauthenticated',
  UserNotConfirmedException: 'unauthenticated',
  PasswordResetRequiredException: 'unauthenticated',
};

/**
 * Awaits a provider call and converts its errors for this route. The provider's reason has priority, because it is more specific than the
 * code.
 * @throws {GatewayError} for every error of the provider
 */
export async function mapProviderErrors<T>(call: Promise<T>, mapping: ErrorMapping): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const meaning = error.reason === undefined ? mapping[error.code] : undefined;
    if (typeof meaning === 'function') throw meaning(error);
    throw convertProviderError(error, meaning);
  }
}

/** Converts anything that was thrown to an error of the contract. Unexpected errors reveal nothing. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof ProviderError) return convertProviderError(thrown);
  if (isStoreUnavailable(thrown)) {
    return new GatewayError('unavailable', undefined, { cause: thrown, retryAfterSeconds: 1 });
  }
  return new GatewayError('internal_error', undefined, { cause: thrown });
}

function isStoreUnavailable(thrown: unknown): boolean {
  const code: UnavailableError['code'] = 'store_unavailable';
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
