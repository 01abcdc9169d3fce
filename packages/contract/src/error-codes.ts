/** What an error code means to the caller. */
export interface ErrorDefinition {
  /** The HTTP status that always accompanies this code. */
  readonly status: number;
  /** A short summary that never changes for this code (RFC 9457 §3.1.3). */
  readonly title: string;
  /** What happened and how to fix it, shown on the page that `type` links to. */
  readonly explanation: string;
}

/** Every error that a route can return, by its stable `code`. */
export const ERRORS = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    explanation:
      'The URL, a header or the body is malformed. Send the body as JSON in UTF-8, and only to routes that take one.',
  },
  conflicting_tokens: {
    status: 400,
    title: 'Conflicting access tokens',
    explanation: 'The Authorization header and the body contain different access tokens. Send only one.',
  },
  code_mismatch: {
    status: 400,
    title: 'Wrong code',
    explanation: 'The code is incorrect. Try again with the same session until you reach the limit for wrong codes.',
  },
  code_expired: {
    status: 400,
    title: 'Code expired',
    explanation: 'The code has expired or was already used. Request a new one.',
  },
  challenge_mismatch: {
    status: 400,
    title: 'Unexpected challenge',
    explanation:
      'The response is for a challenge that is not pending, or for a first factor that the pool does not offer. Respond to the challenge that was returned last.',
  },
  device_exists: {
    status: 400,
    title: 'Device already registered',
    explanation: 'This device key was already confirmed. A device can be confirmed only once.',
  },
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    explanation:
      'The identity provider rejected a parameter of the request, for example a device key from another login.',
  },
  invalid_credential: {
    status: 400,
    title: 'Invalid passkey registration',
    explanation: 'The credential does not match the options that were issued. Start the registration again.',
  },
  invalid_user_state: {
    status: 400,
    title: 'User status does not allow this',
    explanation: "The user's current status does not allow this change.",
  },
  invalid_credentials: {
    status: 401,
    title: 'Login failed',
    explanation:
      'The username, password or proof is incorrect, or the user cannot log in. The response is the same in all these cases.',
  },
  invalid_session: {
    status: 401,
    title: 'Invalid login session',
    explanation:
      'The session is unknown, expired, already used, or belongs to another user or client. Start the login again.',
  },
  invalid_grant: {
    status: 401,
    title: 'Invalid refresh token',
    explanation: 'The refresh token is unknown, expired, already used or revoked. Log in again.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    explanation:
      "The Authorization header is missing or no longer valid. Send a user's access token or, on administrative routes, an admin key.",
  },
  password_reset_required: {
    status: 403,
    title: 'Password reset required',
    explanation:
      'The password is correct, but an administrator requires a new one. Reset it with the forgot-password routes.',
  },
  user_not_confirmed: {
    status: 403,
    title: 'Account not confirmed',
    explanation: 'The password is correct, but the account is not confirmed. Confirm it with the code that was sent.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    explanation: 'The caller is authenticated but does not have permission to do this.',
  },
  reauthentication_required: {
    status: 403,
    title: 'Recent login required',
    explanation: 'Changing a factor or an address requires a recent login. Log in again and repeat the request.',
  },
  feature_disabled: {
    status: 403,
    title: 'Feature disabled',
    explanation: 'The configuration disables this feature, or the identity provider does not support it.',
  },
  trigger_refused: {
    status: 403,
    title: 'Rejected by a trigger',
    explanation: 'A trigger of the user pool rejected the request. The detail contains its message.',
  },
  csrf_failed: {
    status: 403,
    title: 'Cross-site request rejected',
    explanation: 'The CSRF token or the origin of the request is invalid. Reload the page and try again.',
  },
  not_found: {
    status: 404,
    title: 'Route not found',
    explanation: 'No route has this path. Paths are case-sensitive and have no trailing slash.',
  },
  device_not_found: {
    status: 404,
    title: 'Device not found',
    explanation: 'The caller has no device with this key.',
  },
  user_not_found: {
    status: 404,
    title: 'User not found',
    explanation: 'The pool has no user with this name.',
  },
  passkey_not_found: {
    status: 404,
    title: 'Passkey not found',
    explanation: 'No passkey has this ID.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    explanation: 'The caller has no active session with this ID.',
  },
  group_not_found: {
    status: 404,
    title: 'Group not found',
    explanation: 'The pool has no group with this name.',
  },
  client_not_found: {
    status: 404,
    title: 'App client not found',
    explanation: 'The pool has no app client with this ID.',
  },
  client_secret_not_found: {
    status: 404,
    title: 'Client secret not found',
    explanation: 'The app client has no secret with this ID.',
  },
  resource_server_not_found: {
    status: 404,
    title: 'Resource server not found',
    explanation: 'The pool has no resource server with this identifier.',
  },
  identity_provider_not_found: {
    status: 404,
    title: 'Identity provider not found',
    explanation: 'The pool has no identity provider with this name.',
  },
  identity_not_found: {
    status: 404,
    title: 'Connected account not found',
    explanation: 'The user has no connected account with this ID.',
  },
  domain_not_found: {
    status: 404,
    title: 'Domain not found',
    explanation: 'The pool has no domain with this name.',
  },
  admin_key_not_found: {
    status: 404,
    title: 'Admin key not found',
    explanation: 'No active admin key has this ID.',
  },
  webhook_not_found: {
    status: 404,
    title: 'Webhook not found',
    explanation: 'No webhook has this ID.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The path exists, but does not support this method. The Allow header lists the supported methods.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    explanation: 'The request did not arrive in time. Send it again.',
  },
  last_way_in: {
    status: 409,
    title: 'Last way to sign in',
    explanation: 'The user could not sign in without this account. Set a password or connect another account first.',
  },
  user_exists: {
    status: 409,
    title: 'User already exists',
    explanation: 'A user with this email address or username already exists.',
  },
  group_exists: {
    status: 409,
    title: 'Group already exists',
    explanation: 'The pool already has a group with this name.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request still in progress',
    explanation:
      'The first request with this Idempotency-Key is still being processed. Retry after the number of seconds in the Retry-After header.',
  },
  precondition_failed: {
    status: 412,
    title: 'Changed in the meantime',
    explanation:
      'The resource has changed since the response with this ETag, or another change of it is running. Read it again, check what has changed, and repeat the request with the new ETag in If-Match.',
  },
  payload_too_large: {
    status: 413,
    title: 'Body too large',
    explanation: 'The request body is larger than 64 KiB.',
  },
  uri_too_long: {
    status: 414,
    title: 'Path too long',
    explanation: 'A segment of the path is too long.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    explanation: 'The request body must be JSON. Send it with Content-Type: application/json.',
  },
  misdirected_request: {
    status: 421,
    title: 'Unknown host',
    explanation: 'The Host header does not match this service. Use the host of BASE_URL, or change BASE_URL.',
  },
  password_required: {
    status: 422,
    title: 'Password required',
    explanation:
      'The code or link is valid, but the request has no registration session. Send the registered password or a new one. A new password removes everything that was never verified.',
  },
  validation_failed: {
    status: 422,
    title: 'Invalid request',
    explanation: 'One or more fields are missing or invalid. The errors member lists each of them.',
  },
  idempotency_conflict: {
    status: 422,
    title: 'Idempotency-Key reused',
    explanation: 'This Idempotency-Key was already used for a different request. Use a new key for each request.',
  },
  mfa_not_configured: {
    status: 422,
    title: 'MFA not configured',
    explanation: 'MFA cannot be turned on for a user without a verified factor. Verify one first.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    explanation: 'Too many requests or failed attempts. Retry after the number of seconds in the Retry-After header.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    explanation:
      'The request headers are larger than the service accepts. Send fewer or smaller headers, for example fewer cookies.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    explanation: 'The service failed unexpectedly. Look up the X-Request-Id in its log.',
  },
  provider_error: {
    status: 502,
    title: 'Identity provider error',
    explanation: 'The identity provider returned an unexpected response. The log of the service has the details.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    explanation: 'The service, its database or the identity provider is temporarily unavailable. Try again later.',
  },
  timeout: {
    status: 504,
    title: 'Timed out',
    explanation: 'The identity provider took too long to respond. Try again.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/** A stable error code; see {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

/** An invalid field of a request (status 422). It never repeats the value. */
export interface FieldError {
  /** The member's name. Nested names are joined with a dot, as in `attributes.email`. */
  readonly field: string;
  /** A stable code for the kind of error. */
  readonly code: string;
  readonly message: string;
}

/** Returns the `type` of an error (RFC 9457 §3.1.1): the path of the page of this service that explains it. */
export function errorType(code: ErrorCode): string {
  return `/errors/${code}`;
}
