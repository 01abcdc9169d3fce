/**
 * What every part of the gateway builds on: its dependencies, errors, callers and revocations. Knows neither the web framework nor a
 * route.
 */
import type { RouteName } from '@poolgate/contract';
import type { AdminScope, IdentityProvider } from '@poolgate/provider';
import type { SrpComputations, SrpEngine } from '@poolgate/srp';
import type { GatewayRecords } from '../records/index.ts';
import type { AdminCaller, UserCaller } from './caller.ts';
import type { Documentation, Pages } from './pages.ts';

/** Milliseconds since the epoch. A parameter, so that tests move time instead of waiting. */
export interface Clock {
  now(): number;
}

/** Cryptographically strong random bytes. */
export type Random = (byteLength: number) => Uint8Array<ArrayBuffer>;

/** Encrypts what must not lie in the database in clear; bound to a purpose and to associated data. */
export interface KeyRing {
  encrypt(purpose: string, plaintext: Uint8Array, associatedData: string): string;
  /** Undefined where the text was not encrypted by a known key for this purpose and these data. */
  decrypt(purpose: string, encrypted: string, associatedData: string): Uint8Array<ArrayBuffer> | undefined;
}

/** An admin key that lives in memory only: from the environment, or a development start. */
export interface BootstrapAdminKey {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly AdminScope[];
}

/** One message that waits in the development outbox. */
export interface OutboxEntry {
  /** The same at every try. */
  readonly id: string;
  readonly to: string;
  readonly channel: 'email' | 'sms';
  readonly subject: string;
  readonly text: string;
  /** The other text of a mail. */
  readonly html?: string;
  readonly code?: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** The development outbox, newest first. Absent in production. */
export interface OutboxView {
  list(to: string | undefined): readonly OutboxEntry[];
}

/** How many requests one address may make, and how many login steps others together. 0 switches a limit off. */
export interface RateLimits {
  readonly readsPerMinute: number;
  readonly loginStepsPerMinute: number;
  /** Of one user, from wherever; by all replicas together. */
  readonly userStepsPerMinute: number;
  /** Of one app client, by all replicas together. */
  readonly clientStepsPerMinute: number;
}

/** How long sessions of browsers live, in seconds. */
export interface BrowserSessionTimes {
  /** After the last request. */
  readonly idleSeconds: number;
  /** After the login, whatever is done. */
  readonly longestSeconds: number;
  /** The same for users who stay signed in, who may be idle all that time; 0: nobody stays. */
  readonly staySeconds: number;
}

/** A second factor, in the order of preference where several may be used. */
export type MfaType = 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA' | 'EMAIL_OTP';

/** Who wants to do what to whom, on a route whose rule the integrator may replace. */
export interface OperatorAccessRequest {
  readonly route: RouteName;
  /** Proven: a living access token, or an admin key with the route's scope. */
  readonly caller: UserCaller | AdminCaller;
  /** The user that the request names; undefined where it names none. Not checked yet. */
  readonly username: string | undefined;
}

/** An event that is to be posted to a webhook. */
export interface WebhookPost {
  readonly url: string;
  /** The Standard Webhooks secret, `whsec_` and base64. */
  readonly secret: string;
  /** The same at every try, so that the receiver can tell. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** What became of it: accepted, or why not (a code word), and whether another try may help. */
export type WebhookOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: string; readonly mayRetry: boolean };

/** Signs and posts an event. It never rejects, and connects to no private address unless the operator allows it. */
export type PostWebhook = (post: WebhookPost, signal: AbortSignal) => Promise<WebhookOutcome>;

/** A logout token that is to be posted to an application. */
export interface LogoutTokenPost {
  readonly url: string;
  readonly logoutToken: string;
}

/** Posts a logout token, as {@link PostWebhook} posts an event. */
export type PostLogoutToken = (post: LogoutTokenPost, signal: AbortSignal) => Promise<WebhookOutcome>;

/**
 * Whether a webhook's host is, or stands for, an address that events must not be posted to. A name that no server knows now is not
 * refused: each post looks it up again.
 */
export type IsWebhookUrlRefused = (url: string) => Promise<boolean>;

/** Calls back later. A parameter, so that tests need not wait. */
export interface Timer {
  /** Runs something once, after so many milliseconds; gives what calls it off. It keeps no process alive. */
  after(delayMs: number, run: () => void): () => void;
}

/** The gateway's slice of the configuration. */
export interface GatewaySettings {
  /** The public base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** The prefix under which the routes are mounted beside the short paths, e.g. `/api/cognito`. */
  readonly apiPrefix: string;
  /** The prefix under which browsers find them, with a session cookie in place of tokens, e.g. `/cognito`. */
  readonly webPrefix: string;
  readonly browserSessions: BrowserSessionTimes;
  /** Origins of other sites to which a browser may be sent back after a login. */
  readonly returnOrigins: readonly string[];
  /** Addresses and CIDR ranges whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Origins that may read the `api` routes from a browser. */
  readonly corsOrigins: readonly string[];
  /** Whether the Cognito-compatible API (AWS JSON 1.1) is served. */
  readonly cognitoApi: boolean;
  /** Whether the OAuth endpoints are served, where the provider has them and the pool a domain. */
  readonly oauth: boolean;
  /** Whether clients without a secret must use PKCE. */
  readonly pkce: 'required' | 'as-cognito';
  /** The app client whose access tokens open forward authentication; undefined: no token does. */
  readonly forwardAuthClient?: string | undefined;
  /** For which regions its requests may be signed: that of the pool, or any. Default: that of the pool. */
  readonly cognitoApiRegions?: 'one' | 'any';
  /** False: answers that would bring a password equivalent or a private value to the service are refused. */
  readonly srpAssisted: boolean;
  /** `srp`: the service itself speaks SRP to the provider; `password`: it sends the password. */
  readonly loginFlow: 'srp' | 'password';
  /** Ask the provider about every access token, so that what was ended elsewhere is seen at once. */
  readonly introspect: boolean;
  readonly rateLimits: RateLimits;
  /** `OFF`: nobody can activate or enable a second factor here. */
  readonly mfaSetup: 'OFF' | 'OPTIONAL' | 'ON';
  /** The second factors that may be used; the first one is preferred. */
  readonly mfaTypes: readonly MfaType[];
  /** `builtin`: QR codes are made here. Else the prefix of a URL to which the percent-encoded TOTP URI is appended. */
  readonly mfaQrLibrary: string;
  /** How old a login may be whose token changes a factor. */
  readonly recentLoginSeconds: number;
  /** Whether the Cognito-compatible API asks for it too. */
  readonly recentLoginOnCognitoApi: boolean;
  /** Members of these groups may switch other users' MFA on and off. */
  readonly adminGroups: readonly string[];
  /** Whether a client may set a password by a verifier that it made, where the provider can. */
  readonly verifierPasswords: boolean;
  /** How long events are kept, in days. */
  readonly auditDays: number;
  /** Webhooks may lead to private addresses, and over plain HTTP. */
  readonly privateWebhooks: boolean;
  /** How late the event loop may be, in milliseconds, before requests are answered 503; 0: as late as it likes. */
  readonly overloadMs: number;
  readonly logLevel: string;
}

/** A request as observers see it: the pattern of its route, never its path. */
export interface ObservedRequest {
  readonly method: string;
  readonly route: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What observers hear of an answer. */
export interface RequestResult {
  readonly status: number;
  readonly seconds: number;
}

/** Watches a request: runs it by `proceed`, once, and gives what is told about its answer. */
export type RequestObserver = (request: ObservedRequest, proceed: () => void) => (answered: RequestResult) => void;

/** How a part of the service stands, without which it may not be able to serve. */
export interface HealthCheckResult {
  readonly check: string;
  /** False: it is reported, and the service serves on. */
  readonly isVital: boolean;
  readonly holds: boolean;
}

/** What https is served with, as PEM: a certificate with the chain behind it, and its key. */
export interface TlsCredentials {
  readonly cert: string;
  readonly key: string;
}

/** Everything that the gateway is given; it reaches for nothing by itself. */
export interface GatewayDeps {
  readonly provider: IdentityProvider;
  /** The pool and client that the routes log in on. */
  readonly userPoolId: string;
  readonly clientId: string;
  readonly records: GatewayRecords;
  readonly keyRing: KeyRing;
  readonly engine: SrpEngine;
  /** What takes milliseconds of SRP. */
  readonly srp: SrpComputations;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: GatewaySettings;
  readonly adminKeys: readonly BootstrapAdminKey[];
  readonly outbox: OutboxView | undefined;
  /** What `/dev/*` asks for as a bearer token; undefined: it answers who asks from this machine. */
  readonly devToken?: string | undefined;
  /** The pages that people see; undefined: there are none. */
  readonly pages?: Pages | undefined;
  /** The documentation, in development; undefined: `/docs` leads to the reference of the routes. */
  readonly documentation?: Documentation | undefined;
  readonly timer: Timer;
  readonly postWebhook: PostWebhook;
  readonly postLogoutToken: PostLogoutToken;
  readonly isWebhookUrlRefused: IsWebhookUrlRefused;
  /** Replaces the rule who may switch other users' MFA on and off: an admin key, or a member of an admin group. */
  readonly authorize?: (question: OperatorAccessRequest) => boolean | Promise<boolean>;
  /** Absent: http is served. */
  readonly tls?: TlsCredentials;
  /** Absent: nobody watches requests. */
  readonly observe?: RequestObserver;
  /** Looks at the parts of the service. Absent: only the store is looked at, and whether the pool exists. */
  readonly lookAtParts?: () => Promise<readonly HealthCheckResult[]>;
  /** Where log lines (JSON, one a line) go. */
  readonly logStream: { write(line: string): void };
}
