import type { AdminScope } from '@poolgate/provider';

/** A user, proven by a valid access token of the pool. */
export interface UserCaller {
  readonly kind: 'user';
  readonly accessToken: string;
  readonly sub: string;
  readonly username: string;
  readonly groups: readonly string[];
  /** The login of the token; undefined if the pool does not revoke tokens. */
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
  /** The region of its signature; absent for a bearer key. */
  readonly region?: string;
}

/** An anonymous caller of a route that takes credentials or shows public data. */
export interface PublicCaller {
  readonly kind: 'public';
}

/** Who is asking. */
export type Caller = UserCaller | AdminCaller | PublicCaller;
