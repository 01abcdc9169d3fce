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
  | 'slow_down'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type';

/** A refusal by the authorization server of a pool. Clients see its message as `error_description`: ASCII, without quotes. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode;
  /** Where the browser is to be sent with it; undefined before it is proven that the address is the client's. */
  readonly location: string | undefined;
  /** The fields that the browser posts there; undefined where it is redirected. */
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

/** How a browser takes the answer to an authorization request to the client. */
export interface AuthorizationResponse {
  /** Where the browser is sent. */
  readonly Location: string;
  /** The fields that it posts there (OAuth 2.0 Form Post Response Mode); absent where it is redirected. */
  readonly Form?: Readonly<Record<string, string>> | undefined;
}

/** A member of `prompt` (OpenID Connect Core §3.1.2.1; `create`: Initiating User Registration via OpenID Connect). */
export type OAuthPrompt = 'none' | 'login' | 'select_account' | 'consent' | 'create';

/** What a client asks for at the authorization endpoint, once it was found to be allowed. */
export interface OAuthAuthorizationRequest {
  /** As the client sent it, or its default. */
  readonly redirectUri: string;
  /** Whether the client sent it: then it must come with the code again (RFC 6749 §4.1.3). */
  readonly isRedirectUriSent: boolean;
  readonly responseType: 'code' | 'token';
  /** Absent: the query for a code, the fragment for tokens. */
  readonly responseMode?: 'form_post';
  /** With spaces between, in the order of the request. */
  readonly scope: string;
  /** Whether the client named none, and got all that it may ask for. */
  readonly isScopeOmitted?: boolean;
  readonly state: string | null;
  readonly nonce: string | null;
  /** S256 (RFC 7636); null where the client did without. */
  readonly codeChallenge: string | null;
  /** The resource that the access token is bound to (RFC 8707). */
  readonly audience: string | null;
  readonly prompts: readonly OAuthPrompt[];
  /** How many seconds ago the login may be. */
  readonly maxAgeSeconds: number | null;
  /** The user that an `id_token_hint` names: nobody else is answered for; absent without a hint. */
  readonly hintedSub?: string;
}

/** What an ID token of the pool says, when a client shows it as a hint. */
export interface IdTokenHint {
  readonly ClientId: string;
  readonly Sub: string;
}

/** A request of a client, with what decides whether a login that is there will do. */
export interface CheckedAuthorizationRequest {
  readonly ClientId: string;
  readonly ClientName: string;
  readonly Issuer: string;
  /** How old a login may be that is used again for this client (Cognito `SSOSession`). */
  readonly SsoSeconds: number;
  readonly Request: OAuthAuthorizationRequest;
}

/** One that waits for its user. */
export interface PendingAuthorizationRequest extends CheckedAuthorizationRequest {
  /** Seconds since the epoch: a login that is younger was made for it. */
  readonly RequestedAt: number;
}

/** An answer of the token endpoint. */
export interface OAuthTokens {
  readonly AccessToken: string;
  /** Absent for machines, and without the scope `openid`. */
  readonly IdToken?: string;
  /** Absent for machines, and after a refresh that does not rotate. */
  readonly RefreshToken?: string;
  /** Seconds. */
  readonly ExpiresIn: number;
  /** What the access token is for, as it says itself, with spaces between; empty where it is for nothing. */
  readonly Scope: string;
  /** Whether it is another scope than was asked for: then the client must be told (RFC 6749 §5.1). It is one where nothing was asked. */
  readonly IsScopeChanged: boolean;
}

/** Who asks at the token and revocation endpoints. */
interface OAuthClientCredentials {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly ClientSecret?: string;
  /** The JWT by which the client proves itself in place of a secret (RFC 7523). */
  readonly ClientAssertion?: string;
}

/** A user as the pool knows it now, as far as a token says who it is. */
export interface IdentifiedUser {
  readonly Sub: string;
  readonly Username: string;
  /** The address, once it is verified, and where the token is for it. */
  readonly VerifiedEmail?: string;
  /** Those that the pool keeps, whatever the token says. */
  readonly Groups: readonly string[];
}

/**
 * The authorization server of a pool. Every function rejects with {@link OAuthError} where the protocol knows the refusal.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html
 */
export interface OAuthServer {
  /** Whether the pool has a domain, and with it the endpoints. */
  isOpen(input: { readonly UserPoolId: string }, call: CallContext): Promise<boolean>;
  /**
   * Checks a request to the authorization endpoint.
   * @param input.Parameters as they came: of each name every value
   * @param input.RequiresPkce whether a client without secret must use PKCE
   * @param input.IsPushed whether the client pushed them, so that nobody else wrote them
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
   * Takes a request of a client that is proven, ahead of its browser (RFC 9126), and checks it as {@link authorize} does.
   * @param input.Parameters with what the client proves itself by, which is no part of the request
   */
  pushAuthorizationRequest(
    input: OAuthClientCredentials & {
      readonly Parameters: Readonly<Record<string, readonly string[]>>;
      readonly RequiresPkce: boolean;
    },
    call: CallContext,
  ): Promise<{ readonly RequestUri: string; readonly ExpiresIn: number }>;
  /** The parameters of a pushed request, for its client: once, and for a minute. */
  redeemPushedRequest(
    input: { readonly UserPoolId: string; readonly ClientId: string; readonly RequestUri: string },
    call: CallContext,
  ): Promise<{ readonly Parameters: Readonly<Record<string, readonly string[]>> }>;
  /**
   * Keeps a checked request until its user has logged in, an hour at most.
   * @param input.Browser a secret that the browser holds: nobody else goes on with the request
   * @returns what holds it, for this browser alone: letters, digits, `-`, `_` and a dot
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
  /** The request that a browser goes on with. */
  decryptAuthorizationRequest(
    input: { readonly UserPoolId: string; readonly Handle: string; readonly Browser: string },
    call: CallContext,
  ): Promise<PendingAuthorizationRequest>;
  /** Ends a request that was kept: once. Whoever comes later is refused. */
  consumeAuthorizationRequest(
    input: { readonly UserPoolId: string; readonly Handle: string; readonly Browser: string },
    call: CallContext,
  ): Promise<void>;
  /** Answers a checked request for the user of an access token. */
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
   * What an app client proves by what it brings. Changes nothing, and rejects for no client: each grant asks again by itself.
   * @returns `unknown`: there is no such client; `refused`: its secret is wrong, or missing, or it has none and brings one
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
      /** The resource that the tokens are to be bound to; of a code that is bound to one already the same. */
      readonly Resource?: string;
    },
    call: CallContext,
  ): Promise<OAuthTokens>;
  /** Checks what a device asks for (RFC 8628), of a client that is proven and may use that grant. */
  authorizeDevice(
    input: OAuthClientCredentials & { readonly Scope?: string },
    call: CallContext,
  ): Promise<CheckedAuthorizationRequest>;
  /** The code for a device, whose user is that of the access token: single-use, and never shown to anybody. */
  grantDevice(
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly Request: OAuthAuthorizationRequest;
      readonly AccessToken: string;
    },
    call: CallContext,
  ): Promise<{ readonly Code: string }>;
  /** The tokens of a device, for that code, bound to a resource where the device names one. */
  exchangeDeviceCode(
    input: OAuthClientCredentials & { readonly Code: string; readonly Resource?: string },
    call: CallContext,
  ): Promise<OAuthTokens>;
  /** The grant `refresh_token`. */
  refresh(
    input: OAuthClientCredentials & {
      readonly RefreshToken: string;
      readonly Scopes?: readonly string[];
      /** The resource that the access token is to be bound to; of a login that is bound to one already the same. */
      readonly Resource?: string;
    },
    call: CallContext,
  ): Promise<OAuthTokens>;
  /** The grant `client_credentials`. The metadata goes to the trigger before the token. */
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
   * What a token is worth, for a client that is proven (RFC 7662): a token of its own, or one for a resource server that it runs.
   * Of everything else it says `{ active: false }`.
   */
  introspect(
    input: OAuthClientCredentials & { readonly Token: string },
    call: CallContext,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * The user of an access token that one client has. It is not bound to a resource; whatever else it is for does not count.
   * @throws {OAuthError} `invalid_token`
   */
  identifyUser(
    input: { readonly UserPoolId: string; readonly ClientId: string; readonly AccessToken: string },
    call: CallContext,
  ): Promise<IdentifiedUser>;
  /** The claims of the userInfo endpoint, for an access token with the scope `openid`. */
  userInfo(
    input: { readonly UserPoolId: string; readonly AccessToken: string },
    call: CallContext,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Whose ID token an `id_token_hint` is. It may have expired.
   * @returns undefined for any text that the pool did not sign as an ID token
   */
  readIdTokenHint(
    input: { readonly UserPoolId: string; readonly Hint: string },
    call: CallContext,
  ): Promise<IdTokenHint | undefined>;
  /** Lets a login go on with the browser's session of another login of the same user, which it takes the place of. */
  continueSession(
    input: { readonly UserPoolId: string; readonly FromLoginId: string; readonly ToLoginId: string },
    call: CallContext,
  ): Promise<void>;
  /**
   * Signs a logout token for the end of a session.
   * @returns with the address that it is posted to; undefined where the client has none
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
  /** Whether a client has registered an address to be sent to after a logout, or after another login. */
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

/** Where a browser is sent with the answer to a request: in the query for a code, in the fragment for tokens (RFC 6749 §4.1.2, §4.2.2). */
export function authorizationLocation(
  { redirectUri, responseType, state }: Pick<OAuthAuthorizationRequest, 'redirectUri' | 'responseType' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams(addState(answer, state));
  // The registered address stays as it is, character by character.
  const separator = responseType === 'token' ? '#' : redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${parameters}`;
}

/** How a browser takes the answer to a request to the client: by a redirect, or by a form where the client asked for one. */
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
