import type { RefusalReason } from './provider-error.ts';

/**
 * What a caller must hold to run an operation.
 *
 * - `client`: a client id, and the client's secret proof where the client has a secret.
 * - `access-token`: an end user's access token in the request.
 * - `access-token-or-session`: an access token, or the session of a pending challenge.
 * - `admin`: a privileged backend identity, proven outside the request body (AWS Signature V4 at the Cognito-compatible API).
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-public-server-side.html
 */
export type Access = 'client' | 'access-token' | 'access-token-or-session' | 'admin';

/** The rights that an admin key can carry. An operation or a route names the one that it needs. */
export const ADMIN_SCOPES = [
  'users:read',
  'users:write',
  'groups:write',
  'mfa:write',
  'sessions:write',
  'pool:read',
  'pool:write',
  'clients:write',
  'webhooks:write',
  'audit:read',
] as const;

/** One of {@link ADMIN_SCOPES}. */
export type AdminScope = (typeof ADMIN_SCOPES)[number];

/** Who may call an operation. */
export type AccessRow =
  | { readonly access: Exclude<Access, 'admin'> }
  | { readonly access: 'admin'; readonly scope: AdminScope };

/** What a request counts as towards the limit per address: `login` is whatever tries a secret or sends a code. */
export type LimitClass = 'read' | 'login';

/** What an audit log keeps of an operation: nothing of one that `reads`, the outcome of one that `logs-in`, the intent and the outcome of one that `changes`. */
export type AuditClass = 'reads' | 'logs-in' | 'changes';

/**
 * What an operation that succeeded has revoked.
 *
 * - `one-login`: one login of a user.
 * - `logins`: every login of the user.
 * - `logins-without-factors`: every login of the user, if it took the last second factor away.
 * - `account`: the user, and every login with it.
 */
export type RevocationEffect = 'nothing' | 'one-login' | 'logins' | 'logins-without-factors' | 'account';

/** Where a request carries the proof that the client has its secret. */
export type ClientSecretPlace = 'SecretHash' | 'AuthParameters' | 'ChallengeResponses' | 'ClientSecret' | 'Secret';

/** Whether the login of the access token must be recent: `by-request` if the request asks for something that needs it. */
export type RecentLoginRequirement = 'never' | 'by-request' | 'always';

/** What is known of every operation, whoever calls it. */
interface OperationFacts {
  readonly limit: LimitClass;
  readonly audit: AuditClass;
  readonly revokes: RevocationEffect;
  /** Whether it may change that the user must reset the password. */
  readonly mayChangeReset: boolean;
  /**
   * Whether the request may be sent again although it may have been carried out. Never if it holds what can be used once
   * (a code, a proof, a session, a refresh token), sends a message, or counts as a guess.
   */
  readonly repeatable: boolean | 'by-request';
  /** Whether it is allowed by a code that was sent, and by nothing else. */
  readonly verifiesCode: boolean;
  /** Null if the request has no place for it. */
  readonly clientSecret: ClientSecretPlace | null;
  /** What a `ResourceNotFoundException` says is missing; null if it can be several things. */
  readonly missing: RefusalReason | null;
}

/** All that is known of one operation beside its shapes. */
export type OperationRow = OperationFacts &
  (
    | { readonly access: 'client' }
    | { readonly access: 'access-token' | 'access-token-or-session'; readonly recentLogin: RecentLoginRequirement }
    | { readonly access: 'admin'; readonly scope: AdminScope }
  );
