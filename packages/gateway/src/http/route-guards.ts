import type { Route, RouteName } from '@poolgate/contract';
import { ADMIN_SCOPES, type AdminScope, type CallContext } from '@poolgate/provider';
import type { FastifyRequest } from 'fastify';
import { authenticateAdmin } from '../guards/admin-key.ts';
import { authenticateOperator } from '../guards/authenticate-operator.ts';
import { authenticateUser, readBearerToken } from '../guards/authenticate-user.ts';
import { requireRecentLogin } from '../guards/recent-login.ts';
import type { RawRequest } from '../guards/sigv4-canonical.ts';
import type { Caller } from '../kernel/caller.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { readRawBody } from './json-body.ts';

/** Authenticates a caller. */
export type Authenticator = (request: FastifyRequest, call: CallContext) => Promise<Caller>;

/**
 * Creates the guard of a route, including the recent login if required.
 * @throws {TypeError} the route's scope is not one of an admin key
 */
export function createRouteGuard(runtime: GatewayRuntime, name: RouteName, route: Route): Authenticator {
  return addRecentLoginCheck(runtime, route, GUARDS[route.guard](runtime, name, route));
}

/** Adds the recent login if the route requires it. */
export function addRecentLoginCheck(runtime: GatewayRuntime, route: Route, authenticate: Authenticator): Authenticator {
  if (!route.recentLogin) return authenticate;
  return async (request, call) => {
    const caller = await authenticate(request, call);
    if (caller.kind === 'user') requireRecentLogin(runtime, caller);
    return caller;
  };
}

const PUBLIC: Caller = { kind: 'public' };

const GUARDS: Readonly<
  Record<Route['guard'], (runtime: GatewayRuntime, name: RouteName, route: Route) => Authenticator>
> = {
  public: () => async () => PUBLIC,
  user: (runtime, _name, route) => {
    const readToken = route.tokenInBody ? readHeaderOrBodyToken : readHeaderToken;
    return (request, call) => authenticateUser(runtime, readToken(request), call);
  },
  'user-or-session': (runtime) => async (request, call) =>
    readUncheckedField(request, 'session') === undefined
      ? authenticateUser(runtime, readHeaderToken(request), call)
      : PUBLIC,
  admin: (runtime, _name, route) => {
    const scope = requireAdminScope(route);
    return (request, call) => authenticateAdmin(runtime, toRawRequest(request), scope, call);
  },
  operator: (runtime, name, route) => createOperatorGuard(runtime, name, route, ({ headers }) => headers.authorization),
};

/**
 * The guard of an operator route.
 * @param readCredential reads a request's credential
 */
export function createOperatorGuard(
  runtime: GatewayRuntime,
  name: RouteName,
  route: Route,
  readCredential: (request: FastifyRequest) => string | undefined,
): Authenticator {
  const scope = requireAdminScope(route);
  return (request, call) => {
    const username = readUncheckedField(request, 'username');
    const asked = {
      route: name,
      scope,
      authorization: readCredential(request),
      signed: toRawRequest(request),
      username: typeof username === 'string' ? username : undefined,
    };
    return authenticateOperator(runtime, asked, call);
  };
}

/**
 * Reads the token of the header. Only some routes accept one in the body, but a body with a different token is always refused, because its
 * sender expects the route to use that token.
 * @throws {GatewayError} conflicting_tokens: header and body contain different tokens
 */
function readHeaderToken(request: FastifyRequest): string | undefined {
  const inHeader = readBearerToken(request.headers.authorization);
  const inBody = readBodyToken(request);
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody)
    throw new GatewayError('conflicting_tokens');
  return inHeader;
}

/** @throws {GatewayError} conflicting_tokens: header and body contain different tokens */
function readHeaderOrBodyToken(request: FastifyRequest): string | undefined {
  return readHeaderToken(request) ?? readBodyToken(request);
}

function readBodyToken(request: FastifyRequest): string | undefined {
  const inBody = readUncheckedField(request, 'access_token');
  return typeof inBody === 'string' ? inBody : undefined;
}

/** A member of an unvalidated body, which can be any JSON value. */
function readUncheckedField({ body }: FastifyRequest, name: 'access_token' | 'session' | 'username'): unknown {
  return (body as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/** @throws {TypeError} the route's scope is not one of an admin key */
export function requireAdminScope({ path, scope }: Route): AdminScope {
  const known = ADMIN_SCOPES.find((name) => name === scope);
  if (known === undefined) throw new TypeError(`scope of ${path} is no admin scope`);
  return known;
}

function toRawRequest(request: FastifyRequest): RawRequest {
  const { raw } = request;
  return { method: raw.method ?? '', target: raw.url ?? '', rawHeaders: raw.rawHeaders, body: readRawBody(request) };
}
