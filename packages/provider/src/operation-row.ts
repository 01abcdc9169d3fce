import type { RefusalReason } from './provider-error.ts';

/**
 * The credentials that a caller of an operation needs.
 *
 * - `client`: a client id, and the secret hash if the client has a secret.
 * - `access-token`: an end user's access token in the request.
 * - `access-token-or-session`: an access token, or the session of a pending challenge.
 * - `admin`: a privileged backend identity, proven outside the request body (AWS Signature V4 at the Cognito-compatible API).
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-public-server-side.html
 */
export type Access = 'client' | 'access-token' | 'access-token-or-session' | 'admin';

/** The scopes of admin keys. An operation or a route names the one that it needs. */
export const ADMIN_SCOPES = [
  'users:read',
  'users:write',
  'groups:write',
  'mfa:write',
  'sessions:write',
  'pool:read',
  'pool:write',
  'clients:write',
  'keys:write',
  'webhooks:write',
  'audit:read',
] as const;

/** One of {@link ADMIN_SCOPES}. */
export type AdminScope = (typeof ADMIN_SCOPES)[number];

/** Who may call an operation. */
export type AccessRow =
  | { readonly access: Exclude<Access, 'admin'> }
  | { readonly access: 'admin'; readonly scope: AdminScope };

/** How a request counts toward the limit per address. `login` is for requests that check a secret or send a code. */
export type LimitClass = 'read' | 'login';

/** What the audit log records of an operation. `reads`: nothing. `logs-in`: the outcome. `changes`: the intent and the outcome. */
export type AuditClass = 'reads' | 'logs-in' | 'changes';

/**
 * What a successful operation revokes.
 *
 * - `one-login`: one login of a user.
 * - `logins`: every login of the user.
 * - `logins-without-factors`: every login of the user, if it removed the last second factor.
 * - `account`: the user, including every login.
 */
export type RevocationEffect = 'nothing' | 'one-login' | 'logins' | 'logins-without-factors' | 'account';

/** Where a request carries the client's secret hash. */
export type ClientSecretPlace = 'SecretHash' | 'AuthParameters' | 'ChallengeResponses' | 'ClientSecret' | 'Secret';

/** Whether the access token's login must be recent. `by-request`: only if the request asks for something that needs it. */
export type RecentLoginRequirement = 'never' | 'by-request' | 'always';

/** The facts of every operation, independent of its callers. */
interface OperationFacts {
  readonly limit: LimitClass;
  readonly audit: AuditClass;
  readonly revokes: RevocationEffect;
  /** Whether it may change that the user must reset the password. */
  readonly mayChangeReset: boolean;
  /**
   * Whether the request may be sent again although it may have succeeded. Never for requests with a single-use value (a code, a proof, a
   * session, a refresh token), that send a message or that count as a guess.
   */
  readonly repeatable: boolean | 'by-request';
  /** Whether only a code that was sent authorizes it. */
  readonly verifiesCode: boolean;
  /** Null if the request cannot carry it. */
  readonly clientSecret: ClientSecretPlace | null;
  /** The resource that `ResourceNotFoundException` reports as missing; null if there are several possibilities. */
  readonly missing: RefusalReason | null;
}

/** All facts about an operation except its shapes. */
export type OperationRow = OperationFacts &
  (
    | { readonly access: 'client' }
    | { readonly access: 'access-token' | 'access-token-or-session'; readonly recentLogin: RecentLoginRequirement }
    | { readonly access: 'admin'; readonly scope: AdminScope }
  );
