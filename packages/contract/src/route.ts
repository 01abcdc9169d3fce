import type { ErrorCode } from './errors.ts';
import type { ObjectSchema, Schema } from './schema.ts';

/** The methods that routes use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One door to a route. `{name}` in a path is a parameter. */
export interface Address {
  readonly method: Method;
  readonly path: string;
}

/** What a successful answer looks like. */
export interface ResponseRow {
  readonly description: string;
  readonly schema: Schema;
  /** Default `application/json`. */
  readonly contentType?: string;
}

/**
 * One route of the service. Who may call it and how often are properties of the route, never of the path or mount, so
 * that an alias cannot have another guard.
 */
export interface Route extends Address {
  readonly aliases: readonly Address[];
  /** `routes`: at the root and under the API prefix; `root`: at the root only. */
  readonly mount: 'routes' | 'root';
  readonly guard: 'public' | 'user' | 'admin';
  /** The right that an admin key must carry. With guard `admin`, and only there. */
  readonly scope?: string;
  /** Which allowance of the caller's address a request counts against. */
  readonly limit: 'read' | 'login' | 'none';
  /** True: answered on a loopback host only, and never through a proxy. */
  readonly loopbackOnly?: boolean;
  readonly summary: string;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly body?: ObjectSchema;
  readonly responses: Readonly<Record<number, ResponseRow>>;
  /** Codes of its own; those that every route of its kind can answer with are added by {@link import('./routes.ts')}. */
  readonly errors: readonly ErrorCode[];
}

/** Keeps the literal types of a family of routes. */
export function routes<const Family extends Readonly<Record<string, Route>>>(family: Family): Family {
  return family;
}
