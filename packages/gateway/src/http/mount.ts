import {
  addressesOf,
  check,
  type FieldError,
  type ObjectSchema,
  ROUTES,
  type Route,
  type RouteName,
} from '@poolgate/contract';
import { ADMIN_SCOPES, type AdminScope } from '@poolgate/provider';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';
import { authenticateAdmin } from '../guards/admin-key.ts';
import { authenticateUser, bearerToken } from '../guards/bearer.ts';
import type { Caller } from '../guards/caller.ts';
import type { RateLimit } from '../guards/rate-limit.ts';
import { handlers } from '../handlers.ts';
import { hostOf, isLoopback } from './host.ts';
import { rawBodyOf } from './json-body.ts';

/** What every route shares. */
export interface RouteDoor {
  readonly deps: GatewayDeps;
  readonly rateLimit: RateLimit;
  readonly addressOf: (request: FastifyRequest) => string;
}

/** Mounts the whole contract: one tree at the root, and its routes once more under the API prefix. */
export function mountRoutes(app: FastifyInstance, door: RouteDoor): void {
  const { apiPrefix } = door.deps.settings;
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const route: Route = ROUTES[name];
    const prefixes = route.mount === 'root' || apiPrefix === '' ? [''] : ['', apiPrefix];
    for (const prefix of prefixes) mountRoute(app, door, { name, route, prefix });
  }
}

interface Mounted {
  readonly name: RouteName;
  readonly route: Route;
  readonly prefix: string;
}

function mountRoute(app: FastifyInstance, door: RouteDoor, { name, route, prefix }: Mounted): void {
  const admit = makeAdmission(door, route);
  const authenticate = GUARDS[route.guard](door.deps, route);
  const run: AnyHandler = handlers[name];
  const contentTypes = new Map(
    Object.entries(route.responses).map(([status, row]) => [Number(status), row.contentType ?? JSON_TYPE]),
  );
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const context = { requestId: request.id, sourceAddress: door.addressOf(request) };
    const caller = await authenticate(request, context);
    const answer = await run(door.deps, { ...readInput(route, request), caller, context } as never);
    const type = contentTypes.get(answer.status) ?? JSON_TYPE;
    const isJson = type === JSON_TYPE;
    return reply
      .code(answer.status)
      .type(type)
      .send(isJson ? JSON.stringify(answer.body) : answer.body);
  };
  for (const { method, path } of addressesOf(route)) {
    const url = `${prefix}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    app.route({ method, url, onRequest: admit, handler });
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** A handler whose request was checked against its route's schemas, which the compiler cannot follow through a loop. */
type AnyHandler = (deps: GatewayDeps, request: never) => Promise<{ readonly status: number; readonly body: unknown }>;

/** What is refused before a body is read. */
function makeAdmission({ rateLimit, addressOf }: RouteDoor, route: Route) {
  const { limit, loopbackOnly = false } = route;
  return async (request: FastifyRequest): Promise<void> => {
    if (limit !== 'none') rateLimit.admit(addressOf(request), limit);
    if (loopbackOnly && !isDirectLoopback(request)) throw new GatewayError('forbidden');
    if (route.body === undefined && hasBody(request)) {
      throw new GatewayError('malformed_request', 'This route takes no body.');
    }
  };
}

function isDirectLoopback({ headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some(
    (name) => name === 'forwarded' || name.startsWith('x-forwarded-') || name === 'via',
  );
  return isLoopback(hostOf(headers.host)) && !isForwarded;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

type Authenticate = (
  request: FastifyRequest,
  context: { readonly requestId: string; readonly sourceAddress: string },
) => Promise<Caller>;

/** Who is asking, by the guard that the route names. */
const GUARDS: Readonly<Record<Route['guard'], (deps: GatewayDeps, route: Route) => Authenticate>> = {
  public: () => async () => ({ kind: 'public' }),
  user: (deps) => (request, context) => authenticateUser(deps, bearerToken(request.headers.authorization), context),
  admin: (deps, route) => {
    const scope = scopeOf(route);
    return (request) => authenticateAdmin(deps, signedRequest(request), 'poolgate', scope);
  },
};

function scopeOf({ path, scope }: Route): AdminScope {
  const known = ADMIN_SCOPES.find((name) => name === scope);
  if (known === undefined) throw new TypeError(`scope of ${path} is no admin scope`);
  return known;
}

function signedRequest(request: FastifyRequest) {
  const { raw } = request;
  return { method: raw.method ?? '', target: raw.url ?? '', rawHeaders: raw.rawHeaders, body: rawBodyOf(request) };
}

function readInput(route: Route, request: FastifyRequest) {
  const body = request.body === undefined ? {} : request.body;
  const errors = [
    ...checkPart(route.params, request.params),
    ...checkPart(route.query, request.query),
    ...checkPart(route.body, body),
  ];
  if (errors.length > 0) throw new GatewayError('validation_failed', 'The request is not valid.', { errors });
  return { params: request.params, query: request.query, body };
}

function checkPart(schema: ObjectSchema | undefined, value: unknown): readonly FieldError[] {
  return schema === undefined ? [] : check(schema, value);
}
