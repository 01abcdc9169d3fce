import { type PasswordRule, ProviderError, type ProviderErrorCode, type RefusalReason } from '@poolgate/provider';
import type { CommandRow, RequestProof } from './command-row.ts';
import { type FailureKind, isDeclaredError, type UpstreamFailure } from './upstream-failure.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A rule that recognizes the reason of an error. */
interface RefusalSign {
  readonly code: ProviderErrorCode;
  /** What Cognito's message must contain; anything by default. */
  readonly says?: RegExp;
  /** What the request must prove; anything by default. */
  readonly proof?: RequestProof;
  /** The requests to which it does not apply. */
  readonly unless?: (request: Fields) => boolean;
  readonly reason: RefusalReason;
  /** Cognito's text, if it differs from the reason's. */
  readonly text?: string;
}

/** Whether a request contains a new password, to which a policy applies. */
function setsPassword({ ChallengeName, Password, ProposedPassword }: Fields): boolean {
  return ChallengeName === 'NEW_PASSWORD_REQUIRED' || Password !== undefined || ProposedPassword !== undefined;
}

const TOO_MANY_GUESSES = 'Attempt limit exceeded, please try after some time.';

/** In order: the first match gives the reason. */
const REFUSAL_SIGNS: readonly RefusalSign[] = [
  { code: 'NotAuthorizedException', says: /secret/i, reason: 'client_secret' },
  { code: 'NotAuthorizedException', says: /unauthorized attribute/i, reason: 'attribute_not_writable' },
  { code: 'NotAuthorizedException', says: /user is disabled/i, reason: 'user_disabled' },
  { code: 'NotAuthorizedException', says: /refresh token/i, reason: 'invalid_grant' },
  { code: 'NotAuthorizedException', says: /access token/i, reason: 'invalid_token' },
  { code: 'NotAuthorizedException', says: /session/i, reason: 'invalid_session' },
  { code: 'NotAuthorizedException', says: /attempt(s| limit) exceeded/i, reason: 'locked' },
  { code: 'NotAuthorizedException', says: /temporary password/i, reason: 'temporary_password_expired' },
  { code: 'NotAuthorizedException', says: /password.*expired/i, reason: 'password_expired' },
  { code: 'NotAuthorizedException', says: /incorrect username or password/i, reason: 'invalid_credentials' },
  { code: 'NotAuthorizedException', proof: 'refresh', reason: 'invalid_grant' },
  { code: 'InvalidPasswordException', proof: 'login', unless: setsPassword, reason: 'invalid_credentials' },
  { code: 'UserNotFoundException', proof: 'refresh', reason: 'invalid_grant' },
  { code: 'UserNotFoundException', proof: 'login', reason: 'invalid_credentials' },
  { code: 'UserNotFoundException', proof: 'token', reason: 'invalid_token' },
  { code: 'RefreshTokenReuseException', reason: 'invalid_grant' },
  { code: 'UnauthorizedException', says: /secret/i, reason: 'client_secret' },
  { code: 'UnauthorizedException', reason: 'invalid_grant' },
  { code: 'LimitExceededException', says: /attempt/i, reason: 'locked', text: TOO_MANY_GUESSES },
  { code: 'TooManyFailedAttemptsException', reason: 'locked', text: TOO_MANY_GUESSES },
  {
    code: 'InvalidParameterException',
    says: /not enabled for (this|the) client|auth method/i,
    reason: 'flow_disabled',
  },
  { code: 'InvalidParameterException', says: /at 'session' failed/i, reason: 'invalid_session' },
  { code: 'InvalidParameterException', says: /challenge/i, proof: 'login', reason: 'challenge_mismatch' },
  { code: 'ResourceNotFoundException', says: /pool client/i, reason: 'client_not_found' },
  { code: 'ResourceNotFoundException', says: /user ?pool/i, reason: 'pool_not_found' },
];

/** Cognito's words for what a new password lacks. */
const RULES: readonly { readonly code: ProviderErrorCode; readonly says: RegExp; readonly rule: PasswordRule }[] = [
  { code: 'InvalidPasswordException', says: /not long enough/i, rule: 'too_short' },
  { code: 'InvalidPasswordException', says: /uppercase/i, rule: 'needs_uppercase' },
  { code: 'InvalidPasswordException', says: /lowercase/i, rule: 'needs_lowercase' },
  { code: 'InvalidPasswordException', says: /numeric/i, rule: 'needs_number' },
  { code: 'InvalidPasswordException', says: /symbol/i, rule: 'needs_symbol' },
  { code: 'PasswordHistoryPolicyViolationException', says: /^/, rule: 'used_before' },
];

/** Cognito's stable texts, on which clients match. Its actual message is not repeated. */
const TEXTS: Partial<Readonly<Record<RefusalReason | ProviderErrorCode, string>>> = {
  AliasExistsException: 'An account with the given alias already exists.',
  CodeMismatchException: 'Invalid verification code provided, please try again.',
  DeviceKeyExistsException: 'Device already exists.',
  EnableSoftwareTokenMFAException: 'Code mismatch',
  ExpiredCodeException: 'Invalid code provided, please request a code again.',
  GroupExistsException: 'A group with the name already exists.',
  InvalidPasswordException: 'Password did not conform with policy',
  LimitExceededException: TOO_MANY_GUESSES,
  PasswordResetRequiredException: 'Password reset required for the user',
  UserNotConfirmedException: 'User is not confirmed.',
  UserNotFoundException: 'User does not exist.',
  UsernameExistsException: 'User already exists',
  attribute_not_writable: 'A client attempted to write unauthorized attribute',
  challenge_mismatch: 'ChallengeName does not match the pending challenge.',
  client_not_found: 'The app client does not exist.',
  client_secret: 'Unable to verify secret hash for the client.',
  device_not_found: 'Device does not exist.',
  flow_disabled: 'Auth flow not enabled for this client',
  group_not_found: 'Group not found.',
  invalid_credentials: 'Incorrect username or password.',
  invalid_grant: 'Invalid Refresh Token',
  invalid_session: 'Invalid session for the user.',
  invalid_token: 'Invalid Access Token',
  locked: 'Password attempts exceeded',
  passkey_not_found: 'The passkey does not exist.',
  pool_not_found: 'The user pool does not exist.',
  temporary_password_expired: 'Temporary password has expired and must be reset by an administrator.',
  user_disabled: 'User is disabled.',
};

/**
 * The errors after a code besides a wrong code. Cognito returns `ExpiredCodeException` if no code was requested, and therefore also for an
 * unknown username.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-managing-errors.html
 */
const REVEALING_CODES: ReadonlySet<ProviderErrorCode> = new Set([
  'ExpiredCodeException',
  'NotAuthorizedException',
  'PasswordResetRequiredException',
  'UserNotConfirmedException',
  'UserNotFoundException',
]);

/** Reasons of such errors that are the same for every user. */
const USER_INDEPENDENT_REASONS: ReadonlySet<RefusalReason> = new Set(['client_secret', 'locked']);

interface FailureAnswer {
  readonly code: ProviderErrorCode;
  readonly reason?: RefusalReason;
  readonly text: string;
  /** When to retry, if the failure itself does not say. */
  readonly retryAfterSeconds?: number;
}

const UNREACHABLE: FailureAnswer = {
  code: 'InternalErrorException',
  reason: 'provider_unavailable',
  text: 'Amazon Cognito cannot be reached.',
  retryAfterSeconds: 1,
};
const UPSTREAM_FAULT: FailureAnswer = {
  code: 'InternalErrorException',
  reason: 'provider_unknown',
  text: 'Amazon Cognito answered in a way that is not known.',
};

/** The caller's error for each failure except a declared error. */
const FAILURE_ANSWERS: Readonly<Record<Exclude<FailureKind, 'refused'>, FailureAnswer>> = {
  unsent: UNREACHABLE,
  lost: UNREACHABLE,
  broken: UNREACHABLE,
  open: UNREACHABLE,
  slow: {
    code: 'InternalErrorException',
    reason: 'provider_timeout',
    text: 'Amazon Cognito did not answer in time.',
  },
  throttled: {
    code: 'TooManyRequestsException',
    reason: 'provider_unavailable',
    text: 'Too many requests',
    retryAfterSeconds: 1,
  },
  limited: { code: 'TooManyRequestsException', text: 'Too many requests' },
  nonsense: UPSTREAM_FAULT,
  unknown: UPSTREAM_FAULT,
  unsigned: { code: 'AccessDeniedException', text: 'AWS refuses the credentials of this service.' },
  no_credentials: { code: 'AccessDeniedException', text: 'This operation needs AWS credentials, and none were found.' },
};

/** Converts a failed call to the port's error. The failure itself stays in `cause`. */
export function translateFailure(failure: UpstreamFailure, row: CommandRow, request: Fields): ProviderError {
  const { kind, details } = failure;
  if (kind === 'refused') return toDeclaredRefusal(failure, row, request);
  const { code, reason, text, retryAfterSeconds } = FAILURE_ANSWERS[kind];
  const afterSeconds = details.waitMs === undefined ? retryAfterSeconds : Math.ceil(details.waitMs / 1_000);
  return new ProviderError(code, text, {
    cause: failure,
    ...(reason === undefined ? {} : { reason }),
    ...(afterSeconds === undefined ? {} : { retryAfterSeconds: afterSeconds }),
  });
}

/** Whether the client's secret was rejected, as far as Cognito says. This says nothing about the rest of the request. */
export function isSecretRefused(failure: UpstreamFailure, row: CommandRow, request: Fields): boolean {
  if (failure.kind !== 'refused') return false;
  // Only RevokeToken responds like this: to a wrong secret, and to a client that does not own the token.
  return (
    findRefusalCode(failure) === 'UnauthorizedException' || findRefusalReason(failure, row, request) === 'client_secret'
  );
}

function toDeclaredRefusal(failure: UpstreamFailure, row: CommandRow, request: Fields): ProviderError {
  const code = findRefusalCode(failure);
  const sign = findRefusalSign(failure, row, request);
  const reason = findRefusalReason(failure, row, request);
  // Any error about the user counts as a wrong code, because a wrong code for a user is one too.
  if (
    row.verifiesCode &&
    REVEALING_CODES.has(code) &&
    (reason === undefined || !USER_INDEPENDENT_REASONS.has(reason))
  ) {
    return new ProviderError('CodeMismatchException', TEXTS.CodeMismatchException ?? '', { cause: failure });
  }
  const text = sign?.text ?? (reason && TEXTS[reason]) ?? TEXTS[code] ?? code;
  const brokenRules = RULES.filter((row) => row.code === code && failure.matchesText(row.says)).map(({ rule }) => rule);
  return new ProviderError(code, text, { cause: failure, brokenRules, ...(reason === undefined ? {} : { reason }) });
}

function findRefusalCode({ details: { name = '' } }: UpstreamFailure): ProviderErrorCode {
  return isDeclaredError(name) ? name : 'InternalErrorException';
}

function findRefusalReason(failure: UpstreamFailure, row: CommandRow, request: Fields): RefusalReason | undefined {
  const missing = findRefusalCode(failure) === 'ResourceNotFoundException' ? row.missing : null;
  return findRefusalSign(failure, row, request)?.reason ?? missing ?? undefined;
}

function findRefusalSign(failure: UpstreamFailure, row: CommandRow, request: Fields): RefusalSign | undefined {
  const code = findRefusalCode(failure);
  const proof = row.proof(request);
  return REFUSAL_SIGNS.find(
    (sign) =>
      sign.code === code &&
      (sign.proof === undefined || sign.proof === proof) &&
      sign.unless?.(request) !== true &&
      (sign.says === undefined || failure.matchesText(sign.says)),
  );
}
