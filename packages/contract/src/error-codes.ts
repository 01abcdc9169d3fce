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
    title: 'The request cannot be read',
    explanation:
      'The body is no JSON text in UTF-8, is nested too deep, or stands where no body is allowed; or the URL or a header is malformed.',
  },
  conflicting_tokens: {
    status: 400,
    title: 'Two different tokens',
    explanation: 'The Authorization header and the body carry access tokens that differ. Send one.',
  },
  code_mismatch: {
    status: 400,
    title: 'Wrong code',
    explanation:
      'The code is not the one that is expected. The same session can be answered again until the limit of wrong codes.',
  },
  code_expired: {
    status: 400,
    title: 'Code expired',
    explanation: 'The code is too old or was used before. Ask for a new one.',
  },
  challenge_mismatch: {
    status: 400,
    title: 'Another challenge is pending',
    explanation:
      'The answer is for a challenge that is not the pending one, or for a first factor that the pool does not offer. Answer the challenge that was returned last.',
  },
  device_exists: {
    status: 400,
    title: 'Device already registered',
    explanation: 'This device key was confirmed before. A device is confirmed once.',
  },
  invalid_parameter: {
    status: 400,
    title: 'Parameter refused',
    explanation:
      'The identity provider refuses a parameter of the request, for instance a device key of another login.',
  },
  invalid_credential: {
    status: 400,
    title: 'Passkey registration does not verify',
    explanation: 'The credential does not match the options that were issued. Start the registration again.',
  },
  invalid_user_state: {
    status: 400,
    title: 'Not possible in this state of the user',
    explanation: 'The identity provider refuses the change while the user account is in its present state.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Login failed',
    explanation:
      'The user name, the password or the proof is wrong, or the user cannot log in. The answer is the same in all these cases.',
  },
  invalid_session: {
    status: 401,
    title: 'Login session not valid',
    explanation:
      'The session is unknown, expired, already used, or belongs to another user or client. Start the login again.',
  },
  invalid_grant: {
    status: 401,
    title: 'Refresh token not valid',
    explanation: 'The refresh token is unknown, expired, already used or revoked. Log in again.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    explanation:
      'The route needs an access token of a user, or an admin key on administrative routes, as Authorization header; there was none, or it is not valid any more.',
  },
  password_reset_required: {
    status: 403,
    title: 'Password must be reset',
    explanation: 'The password was right, but an administrator asked for a new one. Use the "forgot password" steps.',
  },
  user_not_confirmed: {
    status: 403,
    title: 'Account not confirmed',
    explanation:
      'The password was right, but the account was not confirmed yet. Confirm it with the code that was sent.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    explanation: 'The caller is known, but has no right to do this.',
  },
  reauthentication_required: {
    status: 403,
    title: 'A fresh login is needed',
    explanation: 'Changing a factor or an address needs a recent login. Log in again and repeat the request.',
  },
  feature_disabled: {
    status: 403,
    title: 'Feature switched off',
    explanation: 'The feature is switched off by configuration, or the identity provider cannot do it.',
  },
  trigger_refused: {
    status: 403,
    title: 'Refused by a trigger',
    explanation: 'A trigger of the user pool refused; the detail is its own message.',
  },
  csrf_failed: {
    status: 403,
    title: 'Cross-site request refused',
    explanation: 'The CSRF token or the origin of the request is wrong. Reload the page and try again.',
  },
  not_found: {
    status: 404,
    title: 'No such address',
    explanation: 'There is no route at this address. Paths are case sensitive and have no slash at the end.',
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
    explanation: 'There is no such passkey.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    explanation: 'The caller has no living session with this id.',
  },
  group_not_found: {
    status: 404,
    title: 'Group not found',
    explanation: 'The pool has no group with this name.',
  },
  client_not_found: {
    status: 404,
    title: 'App client not found',
    explanation: 'The pool has no app client with this id.',
  },
  client_secret_not_found: {
    status: 404,
    title: 'Client secret not found',
    explanation: 'The app client has no secret with this id.',
  },
  resource_server_not_found: {
    status: 404,
    title: 'Resource server not found',
    explanation: 'The pool has no resource server with this identifier.',
  },
  domain_not_found: {
    status: 404,
    title: 'Domain not found',
    explanation: 'The pool has no such domain.',
  },
  webhook_not_found: {
    status: 404,
    title: 'Webhook not found',
    explanation: 'There is no webhook with this id.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The address exists, but not for this method. The Allow header lists the methods that it knows.',
  },
  request_timeout: {
    status: 408,
    title: 'Request too slow',
    explanation: 'The request did not arrive in time.',
  },
  user_exists: {
    status: 409,
    title: 'User exists',
    explanation: 'There is a user with this e-mail address or name already.',
  },
  group_exists: {
    status: 409,
    title: 'Group exists',
    explanation: 'The pool has a group with this name already.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request is still at work',
    explanation:
      'A request with this Idempotency-Key has no answer yet. Repeat it after the seconds that the Retry-After header says.',
  },
  payload_too_large: {
    status: 413,
    title: 'Body too large',
    explanation: 'The body of a request may have 64 KiB.',
  },
  uri_too_long: {
    status: 414,
    title: 'Address too long',
    explanation: 'A part of the path is longer than any that the service knows.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Not JSON',
    explanation: 'Bodies are JSON. Send them with Content-Type: application/json.',
  },
  misdirected_request: {
    status: 421,
    title: 'Unknown host',
    explanation: 'The Host header names a host for which this service does not answer. The host is set by BASE_URL.',
  },
  password_required: {
    status: 422,
    title: 'Password required',
    explanation:
      'The code or the link is right, and the request has no session of the registration. Send the password that was registered, or a new one. A new password removes everything that nobody has proven.',
  },
  validation_failed: {
    status: 422,
    title: 'Request not valid',
    explanation:
      'One or more fields are missing or have a value that is not allowed. The member errors names each of them.',
  },
  idempotency_conflict: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    explanation: 'An Idempotency-Key stands for one request, with one body. Send another request with another key.',
  },
  mfa_not_configured: {
    status: 422,
    title: 'No verified factor',
    explanation: 'MFA cannot be switched on for a user without a verified factor.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    explanation:
      'There were too many requests or too many failed attempts. The Retry-After header says how many seconds to wait.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    explanation: 'The header fields of the request are larger than the service accepts.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    explanation: 'The service has a defect. The X-Request-Id header finds the entry in its log.',
  },
  provider_error: {
    status: 502,
    title: 'Identity provider refused',
    explanation: 'The identity provider answered in a way that the service does not know.',
  },
  unavailable: {
    status: 503,
    title: 'Not available at the moment',
    explanation: 'The service, its store or the identity provider cannot answer now. Try again later.',
  },
  timeout: {
    status: 504,
    title: 'Too slow',
    explanation: 'The answer took longer than the service waits.',
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
