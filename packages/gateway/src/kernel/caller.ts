import type { AdminScope } from '@poolgate/provider';

/** An end user, proven by an access token of the pool that has not ended. */
export interface UserCaller {
  readonly kind: 'user';
  readonly accessToken: string;
  readonly sub: string;
  readonly username: string;
  readonly groups: readonly string[];
  /** The login that the token belongs to; undefined where the pool does not revoke tokens. */
  readonly originJti: string | undefined;
  readonly authTimeSeconds: number;
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
}

/** A privileged backend identity, proven by an admin key. Never an end user. */
export interface AdminCaller {
  readonly kind: 'admin';
  readonly keyId: string;
  readonly scopes: ReadonlySet<AdminScope>;
  /** The region that its signature is for; absent for a bearer key. */
  readonly region?: string;
}

/** Nobody in particular: a route that takes credentials or shows public facts. */
export interface PublicCaller {
  readonly kind: 'public';
}

/** Who is asking. */
export type Caller = UserCaller | AdminCaller | PublicCaller;
