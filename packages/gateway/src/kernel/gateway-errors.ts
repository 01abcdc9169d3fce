import { ERRORS, type ErrorCode, type FieldError } from '@poolgate/contract';
import { type PasswordRule, ProviderError, type ProviderErrorCode, type RefusalReason } from '@poolgate/provider';
import type { UnavailableError } from '../records/index.ts';

/** The address at which a client opened this service, beside the one that the service has. */
export interface WrongAddress {
  /** An origin, or a host where the scheme is unknown. A stranger wrote it: ASCII without quotes or spaces, at most 128 characters. */
  readonly opened: string;
  readonly baseUrl: string;
}

/** Details of a {@link GatewayError} beyond its code. */
export interface GatewayErrorOptions {
  /** For 422: the fields. */
  readonly errors?: readonly FieldError[];
  /** For 429 and 503: sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Headers that the answer carries, e.g. `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For 401: why a token or key is not taken; otherwise what keeps a browser out. The answer's `reason`. */
  readonly reason?: ErrorReason;
  /** With the reason `wrong_address`: both addresses. */
  readonly address?: WrongAddress;
  /** For 429 to a password: the other first factors that the pool offers. */
  readonly availableChallenges?: readonly string[];
  /** For a confirmation that lacks something: what a client needs to go on. */
  readonly registration?: RegistrationRequirement;
  readonly cause?: unknown;
}

/** What is missing to confirm a registration without its session. */
export interface RegistrationRequirement {
  /** The SRP identity and the salt of its password; absent where the provider does not tell them. */
  readonly username?: string;
  readonly salt?: string;
  /** Attributes that have to be sent with a new password. */
  readonly required_attributes: readonly string[];
}

/** Why a token or an admin key is not taken. Of a token that the pool did not sign only that is said. */
export type TokenErrorReason = 'missing' | 'invalid' | 'expired' | 'not_an_access_token' | 'revoked' | 'no_admin_key';

/** What keeps a browser from sending a form that is accepted: the address at which the page was opened, or its missing cookies. */
export type BrowserErrorReason = 'wrong_address' | 'cookies_missing';

/** A stable word that says more than the code. */
export type ErrorReason = TokenErrorReason | BrowserErrorReason;

/**
 * A refusal that the caller sees as problem+json. Code decides status and title;
 * `detail` is shown, so it holds no secret and never says whether a user exists.
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
  /** The error of RFC 6750 §3.1; none where nothing was sent to judge. */
  readonly error?: 'invalid_token';
}

const TOKEN_ERROR_TEXTS: Readonly<Record<TokenErrorReason, TokenErrorText>> = {
  missing: { detail: 'No access token was sent. Send one as Authorization: Bearer.' },
  invalid: { detail: 'The token is malformed, or not one of this pool and app client.', error: 'invalid_token' },
  expired: { detail: 'The access token expired. Refresh it, or log in again.', error: 'invalid_token' },
  not_an_access_token: {
    detail: 'The token is no access token. Send the access token of a login.',
    error: 'invalid_token',
  },
  revoked: { detail: 'The access token was revoked. Log in again.', error: 'invalid_token' },
  no_admin_key: {
    detail: 'No admin key that is good here was sent: Authorization: Bearer pg_…, or AWS Signature Version 4.',
  },
};

/** 401 with the challenge of RFC 6750 §3, and why. */
export function unauthenticatedError(reason: TokenErrorReason, cause?: unknown): GatewayError {
  const { detail, error } = TOKEN_ERROR_TEXTS[reason];
  const challenge = error === undefined ? 'Bearer' : `Bearer error="${error}", error_description="${detail}"`;
  return new GatewayError('unauthenticated', detail, { headers: { 'www-authenticate': challenge }, reason, cause });
}

/** 403 for a user's token that does not act for its user here (RFC 6750 §3.1). */
export function insufficientScopeError(scope: string): GatewayError {
  const detail = `The access token lacks the scope ${scope}. Ask for it, or log in at this API.`;
  const challenge = `Bearer error="insufficient_scope", error_description="${detail}", scope="${scope}"`;
  return new GatewayError('forbidden', detail, { headers: { 'www-authenticate': challenge } });
}

/** One wrong field: 422. */
export function invalidFieldError(field: string, code: string, message: string, cause?: unknown): GatewayError {
  return new GatewayError('validation_failed', 'The request is not valid.', {
    errors: [{ field, code, message }],
    cause,
  });
}

/**
 * What a provider's code means to a caller where neither a reason nor the route says it better. What would tell whether
 * a user exists reads like a failed login here; the administrative handlers say it openly.
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
  // Else the password of a new registration could be told from that of one whose name was taken.
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

/** What a reason means; it goes before the code. */
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
  passkey_not_found: 'passkey_not_found',
  group_not_found: 'group_not_found',
  login_not_found: 'session_not_found',
  pool_not_found: 'provider_error',
  client_not_found: 'provider_error',
  identity_provider_not_found: 'provider_error',
  resource_server_not_found: 'provider_error',
  flow_disabled: 'feature_disabled',
  client_secret: 'provider_error',
  provider_unavailable: 'unavailable',
  provider_timeout: 'timeout',
  provider_unknown: 'provider_error',
} as const satisfies Record<RefusalReason, ErrorCode>;

/** The contract's code for a provider's refusal, before any route says otherwise. */
export function toErrorCode(error: ProviderError): ErrorCode {
  return error.reason === undefined ? ERROR_BY_PROVIDER_CODE[error.code] : ERROR_BY_PROVIDER_REASON[error.reason];
}

/** Codes whose answer tells when to come back, and after how many seconds where the provider does not say. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = { too_many_requests: 1, unavailable: 1 };

/** A provider's refusal as the caller sees it. The provider's own text and names stay in `cause`. */
export function convertProviderError(error: ProviderError, code: ErrorCode = toErrorCode(error)): GatewayError {
  if (code === 'validation_failed') return weakPasswordError('password', error);
  if (code === 'unauthenticated') return unauthenticatedError('revoked', error);
  if (code === 'trigger_refused') return new GatewayError(code, readTriggerMessage(error), { cause: error });
  const retryAfterSeconds = error.retryAfterSeconds ?? RETRY_AFTER_SECONDS[code];
  return new GatewayError(code, undefined, {
    cause: error,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** What a trigger says is meant for whoever asked; Cognito puts its own words around it. */
function readTriggerMessage({ message }: ProviderError): string {
  return /^\w+ failed with error (.+)\.$/s.exec(message)?.[1] ?? message;
}

/** The code of a field's error for each rule that a new password can break, and what it says. */
const PASSWORD_RULE_ERRORS: Readonly<Record<PasswordRule, readonly [code: string, message: string]>> = {
  too_short: ['password_too_short', 'has fewer characters than the password policy asks for'],
  needs_uppercase: ['password_needs_uppercase', 'needs an upper-case letter'],
  needs_lowercase: ['password_needs_lowercase', 'needs a lower-case letter'],
  needs_number: ['password_needs_number', 'needs a digit'],
  needs_symbol: ['password_needs_symbol', 'needs a symbol'],
  too_common: ['password_too_common', 'is one of the most used passwords'],
  own_name: ['password_own_name', 'must not be a name of the user'],
  leaked: ['password_leaked', 'has leaked elsewhere'],
  temporary_again: ['password_temporary_again', 'must differ from the temporary one'],
  used_before: ['password_used_before', 'was used before'],
};

/** A password that the pool's policy refuses: 422 on the field that carried it, with an error for each rule that is known. */
export function weakPasswordError(field: string, cause: unknown): GatewayError {
  const rules = cause instanceof ProviderError ? cause.brokenRules : [];
  if (rules.length === 0) {
    return invalidFieldError(field, 'weak_password', 'does not meet the password policy of the pool', cause);
  }
  const errors = rules.map((rule) => {
    const [code, message] = PASSWORD_RULE_ERRORS[rule];
    return { field, code, message };
  });
  return new GatewayError('validation_failed', 'The request is not valid.', { errors, cause });
}

/** What a route makes of single codes of the provider, where it means something else there than everywhere. */
export type ErrorMapping = Partial<Record<ProviderErrorCode, ErrorCode | ((error: ProviderError) => GatewayError)>>;

/** What a provider's refusals mean on the routes that a user calls with a token. */
export const TOKEN_ERRORS: ErrorMapping = {
  NotAuthorizedException: 'unauthenticated',
  UserNotFoundException: 'unauthenticated',
  UserNotConfirmedException: 'unauthenticated',
  PasswordResetRequiredException: 'unauthenticated',
};

/**
 * Awaits a call to the provider and translates its refusals as this route wants them. A reason that the provider gave
 * goes first, since it says more than the code.
 * @throws {GatewayError} for every refusal by the provider
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

/** Whatever was thrown, as an error of the contract; what nobody foresaw is a defect and says nothing. */
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
