import type { TLSSocket } from 'node:tls';
import { WEB_ROUTES } from '@poolgate/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { wrongHostError } from '../guards/wrong-address.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { findClientAddress, isTrustedProxy, parseTrustedProxies } from '../limits/client-address.ts';
import { HOST_OVERLOAD_CLOCK, type OverloadClock, type OverloadMonitor, watchOverload } from '../limits/overload.ts';
import { createRuntime } from '../runtime/runtime.ts';
import type { ShutdownState } from '../runtime/shutdown-state.ts';
import { mountCognitoApi } from './cognito-api.ts';
import { addDeadline } from './deadline.ts';
import { decorateRequests } from './decorate-requests.ts';
import { mountDiscovery } from './discovery.ts';
import { mountDocumentation } from './documentation-mount.ts';
import { isPageRequest } from './error-page.ts';
import { FORM_CONSTRAINT_STRATEGY } from './form-routes.ts';
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
import { findRepeatedHeader } from './repeated-header.ts';
import { createRequestId } from './request-id.ts';
import { createSecurityHeaders, formatDateHeader } from './security-headers.ts';
import { readPath, sendError, sendFrameworkError, sendRefusal } from './send-error.ts';
import { respondToSocketError } from './socket-errors.ts';
import { selectStartPage } from './start-page.ts';
import { TLS_RULES } from './tls.ts';
import { mountWeb } from './web-mount.ts';

/** Paths that a load balancer asks for by whatever address it knows. */
const PATHS_FOR_ANY_HOST: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** The whole service as one Fastify instance that listens nowhere yet. */
export async function createServer(
  deps: GatewayDeps,
  stopping?: ShutdownState,
  times: OverloadClock = HOST_OVERLOAD_CLOCK,
): Promise<FastifyInstance> {
  const logOrigin = createOriginLog(deps);
  const app = createApp(deps, logOrigin);
  if (deps.tls !== undefined) addPlainHttpResponse(app, deps);
  app.addConstraintStrategy(FORM_CONSTRAINT_STRATEGY);
  const shared = { runtime: createRuntime(deps, stopping), ...createAddressReaders(deps) };
  decorateRequests(app);
  observeRequests(app, deps.observe);
  const missing = trackRoutes(app);
  addDeadline(app, LIMITS);
  const overload = addOverloadMonitor(app, deps, times);
  addRequestHooks(app, shared, { overload, logOrigin });
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
  // Apart from the routes that pages of other origins may read: no answer to a browser's session has CORS headers.
  app.register((web, _options, done) => {
    mountWeb(web, shared);
    if (deps.pages) mountPages(web, shared, deps.pages);
    mountDocumentation(web, shared, deps.documentation);
    done();
  });
  const hasOAuth = deps.settings.oauth && deps.provider.extensions.oauth !== undefined;
  if (deps.settings.cognitoApi) addCognitoApi(app, shared);
  if (deps.settings.cognitoApi || hasOAuth) addDiscovery(app, shared);
  if (hasOAuth) addOAuth(app, shared);
  await app.ready();
  return app;
}

const SOCKET_LIMITS = {
  maxHeaderSize: LIMITS.headerBytes,
  headersTimeout: LIMITS.headersMs,
  connectionsCheckingInterval: LIMITS.connectionsCheckMs,
} as const;

function createApp(deps: GatewayDeps, logOrigin: OriginLog): FastifyInstance {
  const { random, tls } = deps;
  return Fastify({
    logger: createLoggerOptions(deps),
    childLoggerFactory: (logger, bindings) => new RequestLogger(logger, bindings),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => createRequestId(random),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: LIMITS.requestMs,
    keepAliveTimeout: LIMITS.keepAliveMs,
    forceCloseConnections: 'idle',
    // What arrived on a kept connection before its end is answered like anything else.
    return503OnClosing: false,
    ...(tls === undefined ? { http: SOCKET_LIMITS } : { https: { ...SOCKET_LIMITS, ...TLS_RULES, ...tls } }),
    routerOptions: { maxParamLength: LIMITS.paramCharacters },
    // The contract's own check reads requests: the framework's compilers of schemas would only be loaded.
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

/** Who opens the port by http where it serves https is told the address. */
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

/** What every answer carries. The date is the service's own: clients that sign correct their clocks by it. */
function setCommonHeaders({ settings, clock }: GatewayDeps, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(createSecurityHeaders(settings.baseUrl)).headers({
    'x-request-id': request.id,
    date: formatDateHeader(clock.now()),
  });
}

/** What happens to every request first, and last. */
function addRequestHooks(
  app: FastifyInstance,
  { runtime, readClientAddress, isFromProxy }: RouteDeps,
  { overload, logOrigin }: { readonly overload: OverloadMonitor; readonly logOrigin: OriginLog },
): void {
  const logRequest = createRequestLog(runtime);
  // A proxy asks by whatever address it knows, and says in other headers for whom.
  const pathForProxies = `${runtime.settings.webPrefix}${WEB_ROUTES.webForwardAuth.path}`;
  app.addHook('onRequest', (request, reply, done) => {
    // Read each time: with a port that the system chose, the address is known only once the service listens.
    const { baseUrl } = runtime.settings;
    setCommonHeaders(runtime, request, reply);
    const repeated = findRepeatedHeader(request.raw.rawHeaders);
    if (repeated !== undefined)
      return done(new GatewayError('malformed_request', `The header ${repeated} came twice.`));
    const { url = '' } = request.routeOptions;
    const isAsked =
      isServedHost(baseUrl, parseHost(request.headers.host)) ||
      PATHS_FOR_ANY_HOST.has(url) ||
      (url === pathForProxies && isFromProxy(request)) ||
      // It consumes the ticket before it refuses a host that it does not know.
      url === WEB_ROUTES.webForwardAuthCallback.path;
    if (!isAsked) sendRefusal(runtime, request, reply, wrongHostError(baseUrl, request.headers.host));
    else if (overload.hasTooMuchWork() && !PATHS_FOR_ANY_HOST.has(url))
      sendRefusal(runtime, request, reply, OVERLOADED);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const address = readClientAddress(request);
    logRequest(request, reply, address);
    logOrigin.logResponse(request, reply, address);
    done();
  });
  closeConnections(app, runtime.shutdownState);
}

/**
 * Refuses what it cannot do in time at once, before anything is read or computed, so that the rest is done in time. Made once: an error looks
 * where it comes from, which costs a tenth of a refusal.
 */
const OVERLOADED = new GatewayError('unavailable', 'The service has more to do than it can.', { retryAfterSeconds: 1 });

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

/** Answers given while the service stops end their connection: kept alive, it would be cut off later, or hold up the end for a minute. */
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

/** Without allowed origins no browser page of another origin reads an answer. Only loaded where it is used. */
async function loadCors({ settings }: GatewayDeps) {
  return settings.corsOrigins.length === 0 ? undefined : (await import('@fastify/cors')).default;
}

function createCorsOptions({ settings }: GatewayDeps) {
  return {
    origin: [...settings.corsOrigins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Accept'],
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'WWW-Authenticate'],
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
    mountDiscovery(discovery, shared.runtime);
    done();
  });
}
