import type { CallContext } from './call-context.ts';

/**
 * The error codes of the OAuth endpoints.
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1
 * @see https://openid.net/specs/openid-connect-core-1_0.html#AuthError
 */
export type OAuthErrorCode =
  | 'access_denied'
  | 'authorization_pending'
  | 'consent_required'
  | 'expired_token'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'slow_down'
  | 'unmet_authentication_requirements'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type';

/** A refusal by the pool's authorization server. Clients receive its message as `error_description`: ASCII, without quotes. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode;
  /** The redirect address for the error; undefined until the address is known to be the client's. */
  readonly location: string | undefined;
  /** The form fields to post there; undefined for a redirect. */
  readonly form: AuthorizationResponse['Form'];

  constructor(
    error: OAuthErrorCode,
    message: string,
    options: { location?: string; form?: AuthorizationResponse['Form']; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OAuthError';
    this.error = error;
    this.location = options.location;
    this.form = options.form;
  }
}

/** How a browser takes an authorization response to the client. */
export interface AuthorizationResponse {
  /** The redirect address. */
  readonly Location: string;
  /** The form fields to post there (OAuth 2.0 Form Post Response Mode); absent for a redirect. */
  readonly Form?: Readonly<Record<string, string>> | undefined;
}

/** A value of `prompt` (OpenID Connect Core §3.1.2.1; `create`: Initiating User Registration via OpenID Connect). */
export type OAuthPrompt = 'none' | 'login' | 'select_account' | 'consent' | 'create';

/** A validated authorization request of a client. */
export interface OAuthAuthorizationRequest {
  /** As sent by the client, or its default. */
  readonly redirectUri: string;
  /** Whether the client sent it. If so, it must be sent again with the code (RFC 6749 §4.1.3). */
  readonly isRedirectUriSent: boolean;
  readonly responseType: 'code' | 'token';
  /** Absent for the default: the query for a code, the fragment for tokens. */
  readonly responseMode?: 'form_post';
  /** Space-separated, in the order of the request. */
  readonly scope: string;
  /** Whether the client requested no scope and got everything that it is allowed. */
  readonly isScopeOmitted?: boolean;
  readonly state: string | null;
  readonly nonce: string | null;
  /** S256 (RFC 7636); null if the client does not use PKCE. */
  readonly codeChallenge: string | null;
  /** The resource that the access token is bound to (RFC 8707). */
  readonly audience: string | null;
  readonly prompts: readonly OAuthPrompt[];
  /** The maximum age of the login in seconds. */
  readonly maxAgeSeconds: number | null;
  /** The requested authentication levels (`acr_values`), from 1 to 4 and in the order of preference; absent if none was requested. */
  readonly levels?: readonly number[];
  /** The user of the `id_token_hint`, for whom alone the request may succeed; absent without a hint. */
  readonly hintedSub?: string;
  /** The identity provider that the client named; absent where the user chooses. */
  readonly identityProvider?: string;
}

/** The claims of a pool's ID token that a client sends as a hint. */
export interface IdTokenHint {
  readonly ClientId: string;
  readonly Sub: string;
}

/** A client's request, with the facts that decide whether an existing login is enough. */
export interface CheckedAuthorizationRequest {
  readonly ClientId: string;
  readonly ClientName: string;
  readonly Issuer: string;
  /** The maximum age of a login that this client may reuse (Cognito `SSOSession`). */
  readonly SsoSeconds: number;
  /** Whether users of the pool itself may sign in. */
  readonly AdmitsLocalUsers: boolean;
  /** The names of the other identity providers whose users may sign in. */
  readonly IdentityProviders: readonly string[];
  readonly Request: OAuthAuthorizationRequest;
}

/** A request that waits for its user. */
export interface PendingAuthorizationRequest extends CheckedAuthorizationRequest {
  /** Seconds since the epoch. A later login was made for this request. */
  readonly RequestedAt: number;
}

/** A login compared with requested authentication levels. */
export interface LevelCheck {
  /** Whether it has the first requested level that its user can reach. */
  readonly IsReached: boolean;
  /** Whether its user can reach one of them at the pool itself. */
  readonly IsReachable: boolean;
  /** Whether it has one of them. */
  readonly IsAcceptable: boolean;
  /** The names of the levels, space-separated, in the order of the request. */
  readonly AcrValues: string;
}

/** A response of the token endpoint. */
export interface OAuthTokens {
  readonly AccessToken: string;
  /** Absent for machines and without the scope `openid`. */
  readonly IdToken?: string;
  /** Absent for machines and after a refresh without rotation. */
  readonly RefreshToken?: string;
  /** Seconds. */
  readonly ExpiresIn: number;
  /** The scope of the access token, space-separated; may be empty. */
  readonly Scope: string;
  /** Whether it differs from the requested scope, so that the response must include it (RFC 6749 §5.1). True if none was requested. */
  readonly IsScopeChanged: boolean;
}

/** A pool with OAuth endpoints and hosted pages. */
export interface OAuthSite {
  readonly UserPoolId: string;
  /** The app client through which the hosted pages sign users in. For the served pool, the configuration names another one. */
  readonly ClientId: string;
  /** Whether any app client signs users in through the hosted pages. */
  readonly HasPages: boolean;
  /** Whether one of these clients admits the pool's own users. */
  readonly AdmitsLocalUsers: boolean;
}

/** The client's credentials at the token and revocation endpoints. */
interface OAuthClientCredentials {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly ClientSecret?: string;
  /** The JWT with which the client authenticates instead of a secret (RFC 7523). */
  readonly ClientAssertion?: string;
}

/** A user's current identity, limited to what a token reveals. */
export interface IdentifiedUser {
  readonly Sub: string;
  readonly Username: string;
  /** The verified email address, if the token's scope includes it. */
  readonly VerifiedEmail?: string;
  /** The pool's current groups of the user, whatever the token contains. */
  readonly Groups: readonly string[];
}

/**
 * The authorization server of a pool. Functions reject with {@link OAuthError} for errors that the protocol defines.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html
 */
export interface OAuthServer {
  /** Whether the pool has a domain, which enables the endpoints. */
  isOpen(input: { readonly UserPoolId: string }, call: CallContext): Promise<boolean>;
  /** Finds a pool that has a domain, by its id or by the name of one of its domains. */
  findSite(
    input: { readonly UserPoolId: string } | { readonly Domain: string },
    call: CallContext,
  ): Promise<OAuthSite | undefined>;
  /**
   * Validates an authorization request.
   * @param input.Parameters as received: every value of each name
   * @param input.RequiresPkce whether a client without a secret must use PKCE
   * @param input.IsPushed whether the client pushed them, so that no one else can have written them
   */
  authorize(
    input: {
      readonly UserPoolId: string;
      readonly Parameters: Readonly<Record<string, readonly string[]>>;
      readonly RequiresPkce: boolean;
      readonly IsPushed?: boolean;
    },
    call: CallContext,
  ): Promise<CheckedAuthorizationRequest>;
  /**
   * Accepts a pushed request of an authenticated client (RFC 9126) and validates it like {@link authorize}.
   * @param input.Parameters may include the client's credentials, which are not part of the request
   */
  pushAuthorizationRequest(
    input: OAuthClientCredentials & {
      readonly Parameters: Readonly<Record<string, readonly string[]>>;
      readonly RequiresPkce: boolean;
    },
    call: CallContext,
  ): Promise<{ readonly RequestUri: string; readonly ExpiresIn: number }>;
  /** Returns the parameters of a client's pushed request. It is single-use and expires after a minute. */
  redeemPushedRequest(
    input: { readonly UserPoolId: string; readonly ClientId: string; readonly RequestUri: string },
    call: CallContext,
  ): Promise<{ readonly Parameters: Readonly<Record<string, readonly string[]>> }>;
  /**
   * Encrypts a validated request until its user has logged in, for an hour at most.
   * @param input.Browser a secret of the browser, which alone can continue the request
   * @returns the encrypted request for this browser: letters, digits, `-`, `_` and a dot
   */
  encryptAuthorizationRequest(
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly Request: OAuthAuthorizationRequest;
      readonly Browser: string;
    },
    call: CallContext,
  ): Promise<{ readonly Handle: string }>;
  /** Decrypts the request that a browser continues. */
  decryptAuthorizationRequest(
    input: { readonly UserPoolId: string; readonly Handle: string; readonly Browser: string },
    call: CallContext,
  ): Promise<PendingAuthorizationRequest>;
  /** Consumes an encrypted request. It works once; later attempts are refused. */
  consumeAuthorizationRequest(
    input: { readonly UserPoolId: string; readonly Handle: string; readonly Browser: string },
    call: CallContext,
  ): Promise<void>;
  /** Compares the login of an access token with requested authentication levels. */
  checkLevel(
    input: { readonly UserPoolId: string; readonly Levels: readonly number[]; readonly AccessToken: string },
    call: CallContext,
  ): Promise<LevelCheck>;
  /** Answers a validated request for the user of an access token. */
  grant(
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly Request: OAuthAuthorizationRequest;
      readonly AccessToken: string;
    },
    call: CallContext,
  ): Promise<AuthorizationResponse>;
  /**
   * Authenticates an app client. It changes nothing and never rejects; each grant checks again.
   * @returns `unknown`: the client does not exist; `refused`: its secret is wrong, missing or unexpected
   */
  proveClient(
    input: OAuthClientCredentials,
    call: CallContext,
  ): Promise<{ readonly Proof: 'confidential' | 'public' | 'refused' | 'unknown' }>;
  /** The grant `authorization_code`. */
  exchangeCode(
    input: OAuthClientCredentials & {
      readonly Code: string;
      readonly RedirectUri?: string;
      readonly CodeVerifier?: string;
      /** The resource to bind the tokens to. If the code is already bound to one, it must be the same. */
      readonly Resource?: string;
    },
    call: CallContext,
  ): Promise<OAuthTokens>;
  /** Validates a device's request (RFC 8628) of an authenticated client that may use this grant. */
  authorizeDevice(
    input: OAuthClientCredentials & { readonly Scope?: string },
    call: CallContext,
  ): Promise<CheckedAuthorizationRequest>;
  /** Creates the device's single-use code for the user of the access token. It is never shown to anyone. */
  grantDevice(
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly Request: OAuthAuthorizationRequest;
      readonly AccessToken: string;
    },
    call: CallContext,
  ): Promise<{ readonly Code: string }>;
  /** Exchanges that code for the device's tokens, bound to a resource if the device names one. */
  exchangeDeviceCode(
    input: OAuthClientCredentials & { readonly Code: string; readonly Resource?: string },
    call: CallContext,
  ): Promise<OAuthTokens>;
  /** The grant `refresh_token`. */
  refresh(
    input: OAuthClientCredentials & {
      readonly RefreshToken: string;
      readonly Scopes?: readonly string[];
      /** The resource to bind the access token to. If the login is already bound to one, it must be the same. */
      readonly Resource?: string;
    },
    call: CallContext,
  ): Promise<OAuthTokens>;
  /** The grant `client_credentials`. The metadata is passed to the pre-token trigger. */
  clientCredentials(
    input: OAuthClientCredentials & {
      readonly Scopes: readonly string[];
      readonly Resource?: string;
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    },
    call: CallContext,
  ): Promise<OAuthTokens>;
  /** Revokes the login of a refresh or access token (RFC 7009). */
  revoke(input: OAuthClientCredentials & { readonly Token: string }, call: CallContext): Promise<void>;
  /**
   * Introspects a token for an authenticated client (RFC 7662): its own tokens, or those for a resource server that it operates. For all
   * other tokens the result is `{ active: false }`.
   */
  introspect(
    input: OAuthClientCredentials & { readonly Token: string },
    call: CallContext,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Returns the user of an access token of any client. The token must not be bound to a resource; its other scopes do not matter.
   * @throws {OAuthError} `invalid_token`
   */
  identifyUser(
    input: { readonly UserPoolId: string; readonly ClientId: string; readonly AccessToken: string },
    call: CallContext,
  ): Promise<IdentifiedUser>;
  /** Returns the claims of the userInfo endpoint, for an access token with the scope `openid`. */
  userInfo(
    input: { readonly UserPoolId: string; readonly AccessToken: string },
    call: CallContext,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Reads the user of an `id_token_hint`, which may have expired.
   * @returns undefined for any text that the pool did not sign as an ID token
   */
  readIdTokenHint(
    input: { readonly UserPoolId: string; readonly Hint: string },
    call: CallContext,
  ): Promise<IdTokenHint | undefined>;
  /** Lets a login take over the browser session of another login of the same user. */
  continueSession(
    input: { readonly UserPoolId: string; readonly FromLoginId: string; readonly ToLoginId: string },
    call: CallContext,
  ): Promise<void>;
  /**
   * Signs a logout token for the end of a session.
   * @returns the token with the address to post it to; undefined if the client has none
   * @see https://openid.net/specs/openid-connect-backchannel-1_0.html
   */
  createLogoutToken(
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly Sub: string;
      readonly SessionId: string;
    },
    call: CallContext,
  ): Promise<{ readonly Uri: string; readonly LogoutToken: string } | undefined>;
  /** Whether a client has registered an address for redirects after a logout or a new login. */
  isUriRegistered(
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly Uri: string;
      readonly For: 'logout' | 'login';
    },
    call: CallContext,
  ): Promise<boolean>;
}

/** Builds the redirect address of a response: in the query for a code, in the fragment for tokens (RFC 6749 §4.1.2, §4.2.2). */
export function authorizationLocation(
  { redirectUri, responseType, state }: Pick<OAuthAuthorizationRequest, 'redirectUri' | 'responseType' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams(addState(answer, state));
  // The registered address stays unchanged, character by character.
  const separator = responseType === 'token' ? '#' : redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${parameters}`;
}

/** Creates the browser's response to the client: a redirect, or a form if the client asked for one. */
export function createAuthorizationResponse(
  request: Pick<OAuthAuthorizationRequest, 'redirectUri' | 'responseType' | 'responseMode' | 'state'>,
  answer: Readonly<Record<string, string>>,
): AuthorizationResponse {
  const { redirectUri, responseMode, state } = request;
  if (responseMode === 'form_post') return { Location: redirectUri, Form: addState(answer, state) };
  return { Location: authorizationLocation(request, answer) };
}

function addState(answer: Readonly<Record<string, string>>, state: string | null): Readonly<Record<string, string>> {
  return state === null ? answer : { ...answer, state };
}
