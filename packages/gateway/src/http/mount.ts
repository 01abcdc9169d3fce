import {
  type Address,
  type AnyRouteName,
  findReadRoute,
  hasEntityTag,
  listAddresses,
  ROUTES,
  type Route,
  type RouteName,
} from '@poolgate/contract';
import type { CallContext } from '@poolgate/provider';
import { constantTimeEqual, utf8 } from '@poolgate/srp';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseScopes } from '../guards/admin-key-errors.ts';
import { readBearerToken } from '../guards/authenticate-user.ts';
import type { Caller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';
import { findRouteUsername } from '../limits/login-step-limit.ts';
import type { PoolSites } from '../runtime/pool-sites.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { RouteNeeds } from './decorate-requests.ts';
import { handlers } from './handlers.ts';
import { isLoopback, parseHost } from './host.ts';
import { type IdempotentRequest, respondOnce, type StoredResponse } from './idempotency.ts';
import { hasBody, readRawBody } from './json-body.ts';
import { memoizeLast, memoizeObjects } from './memoize.ts';
import { changeIfUnmodified, createEntityTag } from './preconditions.ts';
import { type Authenticator, createRouteGuard } from './route-guards.ts';
import { createInputReader } from './route-input.ts';
import { readUserAgent } from './user-agent.ts';

/** The dependencies that all routes share. */
export interface RouteDeps {
  readonly runtime: GatewayRuntime;
  readonly readClientAddress: (request: FastifyRequest) => string;
  /** Whether it comes directly from a trusted proxy. */
  readonly isFromProxy: (request: FastifyRequest) => boolean;
  /** Undefined if only one pool is served. */
  readonly sites?: PoolSites | undefined;
}

/** Returns the runtime of the request's pool. */
export function selectRuntime(
  { runtime }: Pick<RouteDeps, 'runtime'>,
  { poolRuntime }: FastifyRequest,
): GatewayRuntime {
  return poolRuntime ?? runtime;
}

/** Mounts the whole contract at the root, and its routes again under the API prefix. */
export function mountRoutes(app: FastifyInstance, shared: RouteDeps): void {
  const { apiPrefix } = shared.runtime.settings;
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const route: Route = ROUTES[name];
    const prefixes = route.mount === 'root' || apiPrefix === '' ? [''] : ['', apiPrefix];
    const authenticate = createRouteGuard(shared.runtime, name, route);
    const handle = handlers[name] as AnyHandler;
    for (const prefix of prefixes) {
      mountRoute(app, shared, { name, route, prefix, addresses: listAddresses(route), authenticate, handle });
    }
  }
}

/** A route with some of its addresses under a prefix. */
export interface MountedRoute {
  readonly name: AnyRouteName;
  readonly route: Route;
  readonly prefix: string;
  readonly addresses: readonly Address[];
  readonly authenticate: Authenticator;
  readonly handle: AnyHandler;
  /** Whether every pool with a domain has the route. Default: only the served pool. */
  readonly servesPools?: boolean;
  /** The ways to sign in that a pool must have for the route. */
  readonly needs?: RouteNeeds | undefined;
  /** Whether the route belongs to the console. */
  readonly isConsole?: boolean;
}

/** The pages that links in messages open. Every pool sends messages. */
const MAIL_PAGES: ReadonlySet<AnyRouteName> = new Set<AnyRouteName>(['confirmPage', 'notMePage']);

/** Mounts one route. */
export function mountRoute(app: FastifyInstance, shared: RouteDeps, mounted: MountedRoute): void {
  const { name, route, prefix, addresses, servesPools = MAIL_PAGES.has(name), needs, isConsole = false } = mounted;
  const run = createRouteRunner(shared, mounted);
  for (const address of addresses) {
    const read = createInputReader(route, address);
    app.route({
      method: address.method,
      exposeHeadRoute: isPage(route),
      config: { isPage: isPage(route), servesPools, isConsole, ...(needs && { needs }) },
      url: `${prefix}${address.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      onRequest: createAdmissionHook(shared, route, address),
      handler: (request, reply) => run(request, reply, read),
    });
  }
}

type RouteRunner = (
  request: FastifyRequest,
  reply: FastifyReply,
  read: ReturnType<typeof createInputReader>,
) => Promise<FastifyReply>;

/** Guard, input, handler, response, in this order, so that an unknown caller does not learn what is valid. */
function createRouteRunner(shared: RouteDeps, mounted: MountedRoute): RouteRunner {
  const { readClientAddress } = shared;
  const { name, route, authenticate, handle } = mounted;
  const contentTypes = new Map(
    Object.entries(route.responses).map(([status, row]) => [Number(status), row.contentType ?? JSON_TYPE]),
  );
  const write = WRITTEN_ONCE.get(name)?.() ?? serializeBody;
  const readRoute = findReadRoute(route);
  const isVersioned = hasEntityTag(route);
  return async (request, reply, read) => {
    const served = selectRuntime(shared, request);
    const asked: CallContext = {
      requestId: request.id,
      sourceAddress: readClientAddress(request),
      entryPoint: 'routes',
      ...readUserAgent(request),
    };
    const caller = await authenticate(request, asked);
    const call = createCallContext(route, caller, asked);
    const acceptLanguage = request.headers['accept-language'];
    const sent = read(request);
    const runtime = route.namesPool ? await selectNamedPool(served, request, { caller, call }) : served;
    if (route.limit === 'login') await admitLoginStep(runtime, sent, caller, asked);
    const input = { ...sent, caller, call, acceptLanguage };
    const repeatable = toIdempotentRequest(name, route, caller, request);
    const change = (): Promise<StoredResponse> => handle(runtime, input as never, request);
    const { 'if-match': ifMatch } = request.headers;
    const work =
      readRoute === undefined || ifMatch === undefined
        ? change
        : () => changeIfUnmodified(runtime, { ifMatch, read: () => readResource(runtime, readRoute, input) }, change);
    const answer = await (repeatable === undefined ? work() : respondOnce(runtime, repeatable, work));
    if (answer.body === null)
      return reply
        .code(answer.status)
        .headers(answer.headers ?? {})
        .send();
    const type = contentTypes.get(answer.status) ?? JSON_TYPE;
    if (isVersioned) reply.header('etag', createEntityTag(answer.body));
    return reply
      .code(answer.status)
      .headers(answer.headers ?? {})
      .type(type)
      .send(write(answer.body, type));
  };
}

/** Reads what a request changes, with the handler of the route that returns it. */
function readResource(runtime: GatewayRuntime, name: RouteName, input: object): Promise<StoredResponse> {
  const handle = handlers[name] as AnyReadHandler;
  return handle(runtime, { ...input, query: {}, body: undefined } as never);
}

/**
 * The pool that an administrator names in the query. The Cognito-compatible API asks for `pool:write` to change any pool, so changes of
 * another pool need it here too.
 */
async function selectNamedPool(
  runtime: GatewayRuntime,
  { method, query }: FastifyRequest,
  { caller, call }: { readonly caller: Caller; readonly call: CallContext },
): Promise<GatewayRuntime> {
  const userPoolId = readNamedPool(query);
  if (userPoolId === undefined || userPoolId === runtime.userPoolId) return runtime;
  if (caller.kind !== 'admin') throw new GatewayError('forbidden');
  if (method !== 'GET' && !caller.scopes.has('pool:write')) {
    const detail = 'To change another user pool, use an admin key with the scope pool:write.';
    await refuseScopes(runtime, caller.keyId, { scopes: ['pool:write'], detail }, call);
  }
  if ((await runtime.provider.describe(userPoolId)) !== undefined) return { ...runtime, userPoolId };
  throw invalidFieldError('user_pool_id', 'unknown', 'is not a user pool of this service');
}

function readNamedPool(query: unknown): string | undefined {
  return (query as { readonly user_pool_id?: string } | undefined)?.user_pool_id;
}

type WriteBody = (body: unknown, type: string) => unknown;

function serializeBody(body: unknown, type: string): unknown {
  return type === JSON_TYPE ? JSON.stringify(body) : body;
}

function serializeToBytes(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Serializers for values that many requests share. Large ones are bytes, because as text each slow reader would hold a copy. */
const WRITTEN_ONCE: ReadonlyMap<AnyRouteName, () => WriteBody> = new Map<AnyRouteName, () => WriteBody>([
  ['docs', () => memoizeLast(serializeToBytes)],
  ['openapi', () => memoizeLast(serializeToBytes)],
  // This saves more than 2 % of the benchmark row `browser-sessions`.
  ['webSession', () => memoizeObjects(JSON.stringify)],
]);

/** Counted across all replicas, and only here, where the caller is known and everything that this process alone can refuse has passed. */
async function admitLoginStep(
  { sharedLimit, clientId }: GatewayRuntime,
  sent: Parameters<typeof findRouteUsername>[0],
  caller: Caller,
  { sourceAddress }: CallContext,
): Promise<void> {
  // An authenticated caller does not use up shared anonymous limits.
  const username = caller.kind === 'public' ? findRouteUsername(sent) : undefined;
  await sharedLimit.admit({ address: sourceAddress, username, clientId });
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The caller to report to the provider, if it is not the token's user. */
function createCallContext({ guard }: Route, caller: Caller, asked: CallContext): CallContext {
  if (guard !== 'admin' && guard !== 'operator') return asked;
  switch (caller.kind) {
    case 'admin':
      return { ...asked, actor: { kind: 'admin', id: caller.keyId } };
    case 'user':
      return { ...asked, actor: { kind: 'user', id: caller.sub } };
    case 'public':
      return asked;
  }
}

function toIdempotentRequest(
  name: AnyRouteName,
  { idempotent }: Route,
  caller: Caller,
  request: FastifyRequest,
): IdempotentRequest | undefined {
  const { 'idempotency-key': key } = request.headers;
  if (!idempotent || key === undefined || caller.kind !== 'admin') return undefined;
  const body = readRawBody(request);
  const pool = readNamedPool(request.query);
  const named = pool === undefined ? {} : { pool };
  const target = formatTarget(name, { ...Object(request.params), ...named });
  return { key: [key].flat().join(), route: target, callerId: caller.keyId, body };
}

/** A route with its pool and path parameters, so that a response about one resource is never returned for another. */
function formatTarget(name: AnyRouteName, params: object): string {
  const values = Object.values(params).map((value) => encodeURIComponent(String(value)));
  return [name, ...values].join('/');
}

/** A handler whose request was validated against its route's schemas, which the compiler cannot follow through a loop. */
export type AnyHandler = (runtime: GatewayRuntime, input: never, request: FastifyRequest) => Promise<StoredResponse>;

type AnyReadHandler = (runtime: GatewayRuntime, input: never) => Promise<StoredResponse>;

/** Rejects requests before their body is read. */
function createAdmissionHook({ runtime, readClientAddress }: RouteDeps, route: Route, { method }: Address) {
  const { limit, loopbackOnly = false } = route;
  const takesBody = method === 'GET' ? route.bodyOnGet === true : route.body !== undefined;
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    if (limit !== 'none') runtime.rateLimit.admit(readClientAddress(request), limit);
    if (loopbackOnly) requireDeveloper(request, runtime, isPage(route));
    if (!takesBody && hasBody(request))
      throw new GatewayError('malformed_request', 'This route does not accept a body.');
    done();
  };
}

/** Whether browsers show its responses to people. */
function isPage({ responses }: Route): boolean {
  return responses[200]?.contentType?.startsWith('text/html') === true;
}

/** @throws {GatewayError} forbidden, unauthenticated */
function requireDeveloper(request: FastifyRequest, { devToken }: GatewayDeps, asksBrowser: boolean): void {
  if (devToken === undefined) {
    if (!isDirectLoopback(request)) throw new GatewayError('forbidden');
    return;
  }
  // If others can reach the service, no header proves that the caller is on this machine.
  const { authorization } = request.headers;
  const token = readBearerToken(authorization) ?? (asksBrowser ? readBasicPassword(authorization) : undefined) ?? '';
  if (constantTimeEqual(utf8(token), utf8(devToken))) return;
  // A browser sends no bearer token. It asks the user and sends what was typed.
  const headers = asksBrowser ? { headers: { 'www-authenticate': 'Basic realm="Poolgate development"' } } : {};
  throw new GatewayError('unauthenticated', NO_DEV_TOKEN, headers);
}

/** The password of HTTP Basic (RFC 7617), for any username. */
function readBasicPassword(authorization: string | undefined): string | undefined {
  const [, base64] = /^Basic +([\w+/=]+) *$/i.exec(authorization ?? '') ?? [];
  return base64 === undefined
    ? undefined
    : Buffer.from(base64, 'base64')
        .toString()
        .replace(/^[^:]*:/, '');
}

const NO_DEV_TOKEN =
  'This route requires the token that the service printed when it started. Send it as Authorization: Bearer.';

/** Headers that proxies, tunnels and CDNs add to a request. */
const FORWARDED =
  /^(?:forwarded|via|x-(?:forwarded|original|envoy)-.*|x-(?:real|client|cluster-client)-ip|(?:true|fastly)-client-ip|(?:cf|tailscale|ngrok)-.*)$/;

function isDirectLoopback({ headers, raw }: FastifyRequest): boolean {
  // A proxy may not identify itself: nginx uses HTTP/1.0 by default, and no current client does.
  const isForwarded = raw.httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDED.test(name));
  return isLoopback(parseHost(headers.host)) && !isForwarded;
}
