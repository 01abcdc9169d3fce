import type { ErrorCode } from './error-codes.ts';
import type { ObjectSchema, Schema } from './schema.ts';

/** The methods that routes use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * An address of a route. `{name}` in a path is a parameter. If an alias omits a parameter from its path, it becomes a member of the body.
 */
export interface Address {
  readonly method: Method;
  readonly path: string;
}

/** A successful response. */
export interface ResponseDefinition {
  readonly description: string;
  /** The schema of the body; {@link NO_BODY} for an empty response. */
  readonly schema: Schema;
  /** Default `application/json`. */
  readonly contentType?: string;
}

/** The schema of a response without a body. */
export const NO_BODY = { type: 'null', description: 'No body.' } as const satisfies Schema;

/** A route of the service. The guard and the rate limit belong to the route, not to a path or mount, so aliases always share them. */
export interface Route extends Address {
  readonly aliases: readonly Address[];
  /**
   * `routes`: at the root, under the API prefix and under the browser session prefix. `root`: at the root only. `web`: under the browser
   * session prefix only.
   */
  readonly mount: 'routes' | 'root' | 'web';
  /**
   * Who may call the route. `user`: the holder of an access token. `user-or-session`: a user, or a caller with the `session` of a pending
   * challenge. `admin`: an admin key. `operator`: an admin key, or a user that the operator's rule allows.
   */
  readonly guard: 'public' | 'user' | 'user-or-session' | 'admin' | 'operator';
  /** The scope that an admin key needs. Set exactly for guards that accept admin keys. */
  readonly scope?: string;
  /** True if the access token may also be sent in the body, as `access_token`. */
  readonly tokenInBody?: true;
  /** True if the user must have logged in recently. */
  readonly recentLogin?: true;
  /** True if a console session must be recent, because the route destroys something or creates credentials. */
  readonly recentConsoleSignIn?: true;
  /** True if a repeated request with the same `Idempotency-Key` header returns the first response. */
  readonly idempotent?: true;
  /** The rate limit of the caller's address that a request counts against. */
  readonly limit: 'read' | 'login' | 'none';
  /** True if the route is available on loopback hosts only, and never through a proxy. */
  readonly loopbackOnly?: boolean;
  readonly summary: string;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** True if the query can name another user pool than the served one, as `user_pool_id`. */
  readonly namesPool?: true;
  readonly body?: ObjectSchema;
  /** True if `GET` requests may send the members of the body as JSON or in the query. */
  readonly bodyOnGet?: true;
  readonly responses: Readonly<Record<number, ResponseDefinition>>;
  /** The route's own error codes. {@link import('./route-table.ts')} adds those that its guard, limit and input imply. */
  readonly errors: readonly ErrorCode[];
}

/** Preserves the literal types of a family of routes. */
export function defineRoutes<const Family extends Readonly<Record<string, Route>>>(family: Family): Family {
  return family;
}
