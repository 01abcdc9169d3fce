/**
 * The foundation of the gateway: its dependencies, errors, callers and revocations. It depends on neither the web framework nor any route.
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

/** Encrypts what the database must not contain in plain text, bound to a purpose and associated data. */
export interface KeyRing {
  encrypt(purpose: string, plaintext: Uint8Array, associatedData: string): string;
  /** Undefined unless a known key encrypted the text for this purpose and data. */
  decrypt(purpose: string, encrypted: string, associatedData: string): Uint8Array<ArrayBuffer> | undefined;
}

/** An admin key in memory only, from the environment or a development start. */
export interface BootstrapAdminKey {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly AdminScope[];
}

/** A message in the development outbox. */
export interface OutboxEntry {
  /** The same at every attempt. */
  readonly id: string;
  readonly to: string;
  readonly channel: 'email' | 'sms';
  readonly subject: string;
  readonly text: string;
  /** The HTML text of an email. */
  readonly html?: string;
  readonly code?: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** The development outbox, newest first. Absent in production. */
export interface OutboxView {
  list(to: string | undefined): readonly OutboxEntry[];
}

/** A saved state of the whole store. */
export interface SavedSnapshot {
  readonly name: string;
  readonly bytes: number;
  readonly savedAtMs: number;
}

/** Why a snapshot was not restored: it does not exist, or it does not fit this service. */
export interface SnapshotRefusal {
  readonly kind: 'missing' | 'unusable';
  /** A sentence. */
  readonly reason: string;
}

/** Saves and restores the whole store, in development. A name consists of letters, digits, hyphens and underscores. */
export interface Snapshots {
  list(): Promise<readonly SavedSnapshot[]>;
  save(name: string): Promise<void>;
  /** Returns why nothing was changed, if so. */
  restore(name: string): Promise<SnapshotRefusal | undefined>;
  /** Returns whether the snapshot existed. */
  delete(name: string): Promise<boolean>;
  /** Empties the store and sets it up as a first start does. */
  reset(): Promise<void>;
}

/** How many requests one address may make, and how many login steps by other criteria. 0 disables a limit. */
export interface RateLimits {
  readonly readsPerMinute: number;
  readonly loginStepsPerMinute: number;
  /** For one user from anywhere, on all replicas together. */
  readonly userStepsPerMinute: number;
  /** For one app client, on all replicas together. */
  readonly clientStepsPerMinute: number;
}

/** The lifetimes of browser sessions in seconds. */
export interface BrowserSessionTimes {
  /** After the last request. */
  readonly idleSeconds: number;
  /** After the login, despite any activity. */
  readonly longestSeconds: number;
  /** The same for users who stay signed in, without an idle limit; 0 disables staying signed in. */
  readonly staySeconds: number;
}

/** A second factor, in order of preference. */
export type MfaType = 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA' | 'EMAIL_OTP';

/** A call to a route whose authorization rule the integrator may replace. */
export interface OperatorAccessRequest {
  readonly route: RouteName;
  /** Authenticated by a valid access token, or an admin key with the route's scope. */
  readonly caller: UserCaller | AdminCaller;
  /** The user that the request names; undefined if none. Not validated yet. */
  readonly username: string | undefined;
}

/** An event to post to a webhook. */
export interface WebhookPost {
  readonly url: string;
  /** The Standard Webhooks secret, `whsec_` and base64. */
  readonly secret: string;
  /** The same at every attempt, so that the receiver can recognize duplicates. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** The result: accepted, or the reason as a code word, and whether a retry may help. */
export type WebhookOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: string; readonly mayRetry: boolean };

/** Signs and posts an event. It never rejects, and connects to private addresses only if the operator allows it. */
export type PostWebhook = (post: WebhookPost, signal: AbortSignal) => Promise<WebhookOutcome>;

/** A logout token to post to an application. */
export interface LogoutTokenPost {
  readonly url: string;
  readonly logoutToken: string;
}

/** Posts a logout token like {@link PostWebhook} posts an event. */
export type PostLogoutToken = (post: LogoutTokenPost, signal: AbortSignal) => Promise<WebhookOutcome>;

/**
 * Whether a webhook's host is, or resolves to, an address to which events must not be posted. A name that currently does not resolve is not
 * refused, because each post resolves it again.
 */
export type IsWebhookUrlRefused = (url: string) => Promise<boolean>;

/** Calls back later. A parameter, so that tests need not wait. */
export interface Timer {
  /** Runs a function once after a delay. Returns a function that cancels it. The timer does not keep the process alive. */
  after(delayMs: number, run: () => void): () => void;
}

/** The gateway's part of the configuration. */
export interface GatewaySettings {
  /** The public base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** The prefix of the routes in addition to their short paths, such as `/api/cognito`. */
  readonly apiPrefix: string;
  /** The prefix of the routes for browsers, with a session cookie instead of tokens, such as `/cognito`. */
  readonly webPrefix: string;
  readonly browserSessions: BrowserSessionTimes;
  /** Whether the console is served. */
  readonly console: boolean;
  /** The origin that serves the console, and nothing else; undefined: that of `baseUrl`. */
  readonly consoleUrl?: string | undefined;
  /** Origins of other sites to which a browser may return after a login. */
  readonly returnOrigins: readonly string[];
  /** Addresses and CIDR ranges of proxies whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins that may read the `api` routes from a browser. */
  readonly corsOrigins: readonly string[];
  /** Whether the Cognito-compatible API (AWS JSON 1.1) is served. */
  readonly cognitoApi: boolean;
  /** The AWS account that `sts:GetCallerIdentity` names. */
  readonly accountId?: string | undefined;
  /** Whether the OAuth endpoints are served, if the provider supports them and the pool has a domain. */
  readonly oauth: boolean;
  /** Whether clients without a secret must use PKCE. */
  readonly pkce: 'required' | 'as-cognito';
  /** The app client whose access tokens forward authentication accepts; undefined: none. */
  readonly forwardAuthClient?: string | undefined;
  /** The accepted regions of its signatures: the pool's (default), or any. */
  readonly cognitoApiRegions?: 'one' | 'any';
  /** False to refuse responses that would send a password equivalent or a private value to the service. */
  readonly srpAssisted: boolean;
  /** `srp`: the service uses SRP with the provider. `password`: it sends the password. */
  readonly loginFlow: 'srp' | 'password';
  /** Asks the provider about every access token, so that logins that ended elsewhere are detected at once. */
  readonly introspect: boolean;
  readonly rateLimits: RateLimits;
  /** `OFF`: second factors cannot be activated or enabled here. */
  readonly mfaSetup: 'OFF' | 'OPTIONAL' | 'ON';
  /** How long a challenge can be answered; undefined where the provider decides. */
  readonly challengeSeconds?: number | undefined;
  /** The second factors that may be used, the preferred one first. */
  readonly mfaTypes: readonly MfaType[];
  /** `builtin`: QR codes are created here. Otherwise, the prefix of a URL to which the percent-encoded TOTP URI is appended. */
  readonly mfaQrLibrary: string;
  /** The product name that users know, which authenticator apps show. Default: the host of {@link baseUrl}. */
  readonly appName?: string;
  /** The maximum age of a login that can change a factor. */
  readonly recentLoginSeconds: number;
  /** Whether the Cognito-compatible API requires it too. */
  readonly recentLoginOnCognitoApi: boolean;
  /** Members of these groups may turn other users' MFA on and off. */
  readonly adminGroups: readonly string[];
  /** Whether a client may set a password with its own verifier, if the provider supports it. */
  readonly verifierPasswords: boolean;
  /** How long events are kept, in days. */
  readonly auditDays: number;
  /** Whether webhooks may use private addresses and plain HTTP. */
  readonly privateWebhooks: boolean;
  /** How late the event loop may be, in milliseconds, before requests get 503; 0 for no limit. */
  readonly overloadMs: number;
  readonly logLevel: string;
}

/** A request as observers see it: with its route's pattern, never its path. */
export interface ObservedRequest {
  readonly method: string;
  readonly route: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What observers learn about a response. */
export interface RequestResult {
  readonly status: number;
  readonly seconds: number;
}

/** Observes a request: runs it once with `proceed`, and receives its result. */
export type RequestObserver = (request: ObservedRequest, proceed: () => void) => (answered: RequestResult) => void;

/** The health of a part of the service. */
export interface HealthCheckResult {
  readonly check: string;
  /** False if a failure is reported but the service continues. */
  readonly isVital: boolean;
  readonly holds: boolean;
}

/** The credentials for https as PEM: a certificate with its chain, and the key. */
export interface TlsCredentials {
  readonly cert: string;
  readonly key: string;
}

/** A place on a map. */
export interface Place {
  readonly city: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** All dependencies of the gateway; it uses nothing else. */
export interface GatewayDeps {
  readonly provider: IdentityProvider;
  /** The pool and client for the routes' logins. */
  readonly userPoolId: string;
  readonly clientId: string;
  readonly records: GatewayRecords;
  readonly keyRing: KeyRing;
  readonly engine: SrpEngine;
  /** The expensive computations of SRP. */
  readonly srp: SrpComputations;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: GatewaySettings;
  readonly adminKeys: readonly BootstrapAdminKey[];
  readonly outbox: OutboxView | undefined;
  /** Undefined in production, and without the embedded pool. */
  readonly snapshots?: Snapshots | undefined;
  /** The bearer token for `/dev/*`; undefined: available from this machine only. */
  readonly devToken?: string | undefined;
  /** The pages for people; undefined for none. */
  readonly pages?: Pages | undefined;
  /** The page of the console with its files; undefined: only its routes are served. */
  readonly consolePages?: Pages | undefined;
  /** The documentation, in development; undefined: `/docs` redirects to the reference of the routes. */
  readonly documentation?: Documentation | undefined;
  /**
   * Where an address probably is, with the city in a language of an `Accept-Language` header; undefined if unknown. Absent without a
   * database.
   */
  readonly findPlace?: (address: string, acceptLanguage: string | undefined) => Place | undefined;
  readonly timer: Timer;
  readonly postWebhook: PostWebhook;
  readonly postLogoutToken: PostLogoutToken;
  readonly isWebhookUrlRefused: IsWebhookUrlRefused;
  /** Replaces the rule for who may turn other users' MFA on and off, which is an admin key or a member of an admin group. */
  readonly authorize?: (question: OperatorAccessRequest) => boolean | Promise<boolean>;
  /** If absent, http is served. */
  readonly tls?: TlsCredentials;
  /** If absent, requests are not observed. */
  readonly observe?: RequestObserver;
  /** Checks the parts of the service. If absent, only the store and the existence of the pool are checked. */
  readonly lookAtParts?: () => Promise<readonly HealthCheckResult[]>;
  /** The destination of log lines (JSON, one object a line). */
  readonly logStream: { write(line: string): void };
}
