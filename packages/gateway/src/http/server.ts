import type { TLSSocket } from 'node:tls';
import { WEB_ROUTES } from '@poolgate/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { wrongHostError } from '../guards/wrong-address.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { findClientAddress, isTrustedProxy, parseTrustedProxies } from '../limits/client-address.ts';
import { HOST_OVERLOAD_CLOCK, type OverloadClock, type OverloadMonitor, watchOverload } from '../limits/overload.ts';
import { createPoolSites, type PoolSites } from '../runtime/pool-sites.ts';
import { clearCaches, createRuntime, type GatewayRuntime } from '../runtime/runtime.ts';
import type { ShutdownState } from '../runtime/shutdown-state.ts';
import { createStoredCaches, type StoredCaches } from '../runtime/stored-caches.ts';
import { brandPlainPages } from './brand-plain-pages.ts';
import { mountCognitoApi } from './cognito-api.ts';
import { isConsoleHost, isServedAt } from './console-host.ts';
import { mountConsole } from './console-mount.ts';
import { addDeadline } from './deadline.ts';
import { decorateRequests, type RouteNeeds } from './decorate-requests.ts';
import { mountDiscovery } from './discovery.ts';
import { mountDocumentation } from './documentation-mount.ts';
import { isPageRequest } from './error-page.ts';
import { isServedHost, parseHost } from './host.ts';
import { acceptJson } from './json-body.ts';
import { LIMITS } from './limits.ts';
import { createLoggerOptions, createRequestLog, describeFailure, RequestLogger } from './log.ts';
import { mountRoutes, type RouteDeps } from './mount.ts';
import { trackRoutes } from './not-found.ts';
import { mountOAuth } from './oauth-mount.ts';
import { observeRequests } from './observe.ts';
import { createOriginLog, type OriginLog } from './origins.ts';
import { mountPages } from './page-mount.ts';
import { PlainConnections } from './plain-http.ts';
import { findPoolRuntime, type PoolAddress, PoolPaths } from './pool-requests.ts';
import { findRepeatedHeader } from './repeated-header.ts';
import { createRequestId } from './request-id.ts';
import { FORMS, IMAGES } from './route-constraints.ts';
import { createSecurityHeaders, formatDateHeader } from './security-headers.ts';
import { readPath, sendError, sendFrameworkError, sendRefusal } from './send-error.ts';
import { respondToSocketError } from './socket-errors.ts';
import { selectStartPage } from './start-page.ts';
import { TLS_RULES } from './tls.ts';
import { mountWeb } from './web-mount.ts';

/** Paths that a load balancer requests with any host name. */
const PATHS_FOR_ANY_HOST: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Creates the service as one Fastify instance that does not listen yet. */
export async function createServer(
  deps: GatewayDeps,
  stopping?: ShutdownState,
  times: OverloadClock = HOST_OVERLOAD_CLOCK,
  caches: StoredCaches = createStoredCaches(),
): Promise<FastifyInstance> {
  const logOrigin = createOriginLog(deps);
  const paths = new PoolPaths();
  const app = createApp(deps, logOrigin, paths);
  if (deps.tls !== undefined) addPlainHttpResponse(app, deps);
  for (const { strategy } of [FORMS, IMAGES]) app.addConstraintStrategy(strategy);
  const runtime = createRuntime(deps, stopping);
  const { oauth } = deps.settings.oauth ? deps.provider.extensions : {};
  const sites = oauth && createPoolSites(runtime, oauth);
  caches.add(() => clearCaches(runtime));
  caches.add(() => sites?.clear());
  const shared = { runtime, sites, ...createAddressReaders(deps) };
  decorateRequests(app);
  observeRequests(app, deps.observe);
  if (deps.pages !== undefined) brandPlainPages(app, shared, deps.pages);
  const missing = trackRoutes(app);
  addDeadline(app, LIMITS);
  const overload = addOverloadMonitor(app, deps, times);
  addRequestHooks(app, shared, { overload, logOrigin, paths });
  acceptJson(app);
  app.setErrorHandler((error, request, reply) => sendError(shared.runtime, request, reply, error));
  const { webPrefix } = deps.settings;
  const pages = { webPrefix, has: (name: string) => app.hasRoute({ method: 'GET', url: `${webPrefix}/${name}` }) };
  app.setNotFoundHandler(async (request, reply) => {
    shared.runtime.rateLimit.admit(shared.readClientAddress(request), 'read');
    const { error, path } = missing(request.raw.url ?? '');
    request.loggedPath = path;
    const start = isStartPageRequest(request) ? selectStartPage(pages, request.headers) : undefined;
    if (start === undefined) throw error;
    return reply.header('vary', 'Accept, Cookie').redirect(start, 303);
  });
  const cors = await loadCors(deps);
  app.register((routes, _options, done) => {
    if (cors) routes.register(cors, createCorsOptions(deps));
    mountRoutes(routes, shared);
    done();
  });
  // Separate from the routes that other origins' pages may read: responses for browser sessions have no CORS headers.
  app.register((web, _options, done) => {
    mountWeb(web, shared);
    if (deps.pages) mountPages(web, shared, deps.pages);
    mountDocumentation(web, shared, deps.documentation);
    done();
  });
  if (deps.settings.console)
    app.register((console, _options, done) => {
      mountConsole(console, shared);
      done();
    });
  if (deps.settings.cognitoApi) addCognitoApi(app, shared);
  if (deps.settings.cognitoApi || sites !== undefined) addDiscovery(app, shared);
  if (sites !== undefined) addOAuth(app, shared);
  await app.ready();
  return app;
}

const SOCKET_LIMITS = {
  maxHeaderSize: LIMITS.headerBytes,
  headersTimeout: LIMITS.headersMs,
  connectionsCheckingInterval: LIMITS.connectionsCheckMs,
} as const;

function createApp(deps: GatewayDeps, logOrigin: OriginLog, { rewriteUrl }: PoolPaths): FastifyInstance {
  const { random, tls } = deps;
  return Fastify({
    logger: createLoggerOptions(deps),
    childLoggerFactory: (logger, bindings) => new RequestLogger(logger, bindings),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => createRequestId(random),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    rewriteUrl,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: LIMITS.requestMs,
    keepAliveTimeout: LIMITS.keepAliveMs,
    forceCloseConnections: 'idle',
    // Requests that arrived on a persistent connection before it ends are answered normally.
    return503OnClosing: false,
    ...(tls === undefined ? { http: SOCKET_LIMITS } : { https: { ...SOCKET_LIMITS, ...TLS_RULES, ...tls } }),
    routerOptions: { maxParamLength: LIMITS.paramCharacters },
    // The contract's own validation reads requests, so the framework's schema compilers would be loaded for nothing.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(deps, request, reply);
      sendFrameworkError(request, reply, error);
    },
    clientErrorHandler: (error, socket) => {
      logOrigin.logConnectionError(error, socket.remoteAddress);
      respondToSocketError(error, socket, createRequestId(random));
    },
  });
}

/** Tells a client that uses http on an https port the correct address. */
function addPlainHttpResponse({ server }: FastifyInstance, { settings, random }: GatewayDeps): void {
  const connections = new PlainConnections(server);
  server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    if (error.code !== 'ERR_SSL_HTTP_REQUEST') return;
    connections.answer(socket, settings.baseUrl, createRequestId(random));
  });
}

function refuseSchemas(): never {
  throw new TypeError('routes carry no schema of the framework');
}

/** The headers of every response. The date comes from the service's own clock, because signing clients correct theirs by it. */
function setCommonHeaders({ settings, clock }: GatewayDeps, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(createSecurityHeaders(settings.baseUrl)).headers({
    'x-request-id': request.id,
    date: formatDateHeader(clock.now()),
  });
}

/** The first and last steps of every request. */
function addRequestHooks(
  app: FastifyInstance,
  shared: RouteDeps,
  { overload, logOrigin, paths }: RequestHookParts,
): void {
  const { runtime, readClientAddress, isFromProxy } = shared;
  const logRequest = createRequestLog(runtime);
  // A proxy uses any host name it knows, and names the actual one in other headers.
  const pathForProxies = `${runtime.settings.webPrefix}${WEB_ROUTES.webForwardAuth.path}`;
  app.addHook('onRequest', (request, reply, done) => {
    // Read each time, because with a port that the system chooses, the address is known only once the service listens.
    const { baseUrl } = runtime.settings;
    setCommonHeaders(runtime, request, reply);
    const repeated = findRepeatedHeader(request.raw.rawHeaders);
    if (repeated !== undefined)
      return done(new GatewayError('malformed_request', `The header ${repeated} was sent twice.`));
    const { url = '', config } = request.routeOptions;
    const { isConsole = false } = config;
    const host = parseHost(request.headers.host);
    const isConsoleHostAsked = isConsoleHost(runtime.settings, host);
    const isOwnHost = isConsoleHostAsked || isServedHost(baseUrl, host);
    const pathPool = paths.of(request);
    const isAsked =
      (isOwnHost && pathPool === undefined) ||
      PATHS_FOR_ANY_HOST.has(url) ||
      (url === pathForProxies && isFromProxy(request)) ||
      // It consumes the ticket before it refuses an unknown host.
      url === WEB_ROUTES.webForwardAuthCallback.path;
    if (overload.hasTooMuchWork() && !PATHS_FOR_ANY_HOST.has(url)) sendRefusal(runtime, request, reply, OVERLOADED);
    else if (isConsoleHostAsked && isStartPageRequest(request))
      reply.redirect(`${runtime.settings.webPrefix}/console`, 303);
    else if (!PATHS_FOR_ANY_HOST.has(url) && !isServedAt(runtime.settings, host, isConsole))
      sendRefusal(runtime, request, reply, new GatewayError('not_found'));
    else if (isAsked) done();
    else
      admitPoolRequest(shared, request, { host, isOwnHost, pathPool }).then((refusal) => {
        if (refusal === undefined) done();
        else sendRefusal(runtime, request, reply, refusal);
      }, done);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    request.isAccepted = true;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const address = readClientAddress(request);
    logRequest(request, reply, address);
    logOrigin.logResponse(request, reply, address);
    done();
  });
  closeConnections(app, runtime.shutdownState);
}

interface RequestHookParts {
  readonly overload: OverloadMonitor;
  readonly logOrigin: OriginLog;
  readonly paths: PoolPaths;
}

/**
 * Admits a request to a pool with a domain, if every pool has the route.
 * @returns the refusal if the host does not belong to this service, or the pool does not have the route
 */
async function admitPoolRequest(
  { runtime, sites, readClientAddress }: RouteDeps,
  request: FastifyRequest,
  address: PoolAddress,
): Promise<GatewayError | undefined> {
  const found = sites && (await findPool(sites));
  if (found === undefined && !address.isOwnHost) return wrongHostError(runtime.settings.baseUrl, request.headers.host);
  const { servesPools = false, needs } = request.routeOptions.config;
  if (found === undefined || !servesPools || !isOffered(found, needs)) return new GatewayError('not_found');
  request.poolRuntime = found;
  return undefined;

  function findPool(opened: PoolSites): Promise<GatewayRuntime | undefined> {
    const sourceAddress = readClientAddress(request);
    // Anyone can send any name, and each may cost a database read.
    runtime.rateLimit.admit(sourceAddress, 'read');
    return findPoolRuntime(opened, address, sourceAddress, request.id);
  }
}

function isOffered({ site: { access } }: GatewayRuntime, needs: RouteNeeds | undefined): boolean {
  return needs === undefined || access === 'all' || access === needs;
}

/**
 * Rejects a request during an overload before reading or computing anything, so that accepted requests finish in time. Created once,
 * because capturing a stack trace costs a tenth of a refusal.
 */
const OVERLOADED = new GatewayError('unavailable', 'The service is overloaded.', { retryAfterSeconds: 1 });

function addOverloadMonitor(
  app: FastifyInstance,
  { timer, settings }: GatewayDeps,
  times: OverloadClock,
): OverloadMonitor {
  const onChange = (isOverloaded: boolean, delayMs: number): void => {
    app.log.warn({ delayMs: Math.round(delayMs) }, isOverloaded ? 'overloaded' : 'no longer overloaded');
  };
  const overload = watchOverload({ timer, ...times, mostMs: settings.overloadMs, onChange });
  app.addHook('onClose', async () => overload.stop());
  return overload;
}

/** Responses during shutdown close their connection. Otherwise it would be cut off later, or delay the shutdown by a minute. */
function closeConnections(app: FastifyInstance, stopping: ShutdownState): void {
  app.addHook('preClose', async () => stopping.begin());
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping.isStopping) reply.header('connection', 'close');
    done();
  });
}

function isStartPageRequest(request: FastifyRequest): boolean {
  return readPath(request) === '/' && isPageRequest(request);
}

function createAddressReaders({ settings }: GatewayDeps): Pick<RouteDeps, 'readClientAddress' | 'isFromProxy'> {
  const trusted = parseTrustedProxies(settings.trustedProxies);
  return {
    readClientAddress(request) {
      const { headers, socket } = request.raw;
      request.clientAddress ??= findClientAddress(
        socket.remoteAddress,
        headers['x-forwarded-for']?.toString(),
        trusted,
      );
      return request.clientAddress;
    },
    isFromProxy: ({ raw }) => settings.trustedProxies.length > 0 && isTrustedProxy(raw.socket.remoteAddress, trusted),
  };
}

/** Without allowed origins, no page of another origin can read a response. Loaded only if used. */
async function loadCors({ settings }: GatewayDeps) {
  return settings.corsOrigins.length === 0 ? undefined : (await import('@fastify/cors')).default;
}

function createCorsOptions({ settings }: GatewayDeps) {
  return {
    origin: [...settings.corsOrigins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Accept', 'If-Match'],
    exposedHeaders: ['ETag', 'X-Request-Id', 'Retry-After', 'WWW-Authenticate'],
    maxAge: 600,
  };
}

function addOAuth(app: FastifyInstance, shared: RouteDeps): void {
  app.register((oauth, _options, done) => {
    mountOAuth(oauth, shared);
    done();
  });
}

function addCognitoApi(app: FastifyInstance, shared: RouteDeps): void {
  const onDefect = (error: unknown, requestId: string): void => {
    app.log.error({ requestId, failure: describeFailure(error) }, 'failure');
  };
  app.register((scope, _options, done) => {
    mountCognitoApi(scope, { ...shared, onDefect });
    done();
  });
}

function addDiscovery(app: FastifyInstance, shared: RouteDeps): void {
  app.register((discovery, _options, done) => {
    mountDiscovery(discovery, shared);
    done();
  });
}
