import type { ErrorCode } from './error-codes.ts';
import type { ObjectSchema, Schema } from './schema.ts';

/** The methods that routes use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One address of a route. `{name}` in a path is a parameter; one that the path of an alias leaves out is a member of the
 * body there.
 */
export interface Address {
  readonly method: Method;
  readonly path: string;
}

/** What a successful answer looks like. */
export interface ResponseDefinition {
  readonly description: string;
  /** Of the body; {@link NO_BODY} where there is none. */
  readonly schema: Schema;
  /** Default `application/json`. */
  readonly contentType?: string;
}

/** The schema of an answer without a body. */
export const NO_BODY = { type: 'null', description: 'No body.' } as const satisfies Schema;

/**
 * One route of the service. Who may call it and how often are properties of the route, never of the path or mount, so
 * that an alias cannot have another guard.
 */
export interface Route extends Address {
  readonly aliases: readonly Address[];
  /** `routes`: at the root, under the API prefix and under the prefix of browser sessions; `root`: at the root only; `web`: under that last prefix only. */
  readonly mount: 'routes' | 'root' | 'web';
  /**
   * Who may call it. `user`: the holder of an access token. `user-or-session`: that, or whoever sends the `session` of a
   * pending challenge. `admin`: an admin key. `operator`: an admin key, or a user whom the operator's rule lets.
   */
  readonly guard: 'public' | 'user' | 'user-or-session' | 'admin' | 'operator';
  /** The right that an admin key must carry. With the guards that take one, and only there. */
  readonly scope?: string;
  /** True: the access token may also stand in the body, as `access_token`. */
  readonly tokenInBody?: true;
  /** True: a user's login must be recent. */
  readonly recentLogin?: true;
  /** True: an `Idempotency-Key` header makes a repeated request answer what the first one answered. */
  readonly idempotent?: true;
  /** Which allowance of the caller's address a request counts against. */
  readonly limit: 'read' | 'login' | 'none';
  /** True: answered on a loopback host only, and never through a proxy. */
  readonly loopbackOnly?: boolean;
  readonly summary: string;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly body?: ObjectSchema;
  /** True: at its `GET` addresses the members of the body may come as a JSON body or in the query. */
  readonly bodyOnGet?: true;
  readonly responses: Readonly<Record<number, ResponseDefinition>>;
  /** Codes of its own; those that every route of its kind can answer with are added by {@link import('./route-table.ts')}. */
  readonly errors: readonly ErrorCode[];
}

/** Keeps the literal types of a family of routes. */
export function defineRoutes<const Family extends Readonly<Record<string, Route>>>(family: Family): Family {
  return family;
}
