import {
  type AnyRouteName,
  findWebRoutePrefix,
  isUnderWebPrefix,
  listAddresses,
  ROUTES,
  type Route,
  type RouteName,
  WEB_ROUTES,
  type WebRouteName,
} from '@poolgate/contract';
import type { CallContext } from '@poolgate/provider';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../kernel/caller.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createRefusalLogLimit } from '../limits/refusal-log-limit.ts';
import { createPageHeaders } from '../pages/page-headers.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { Browser, type BrowserHeaders } from '../web/browser.ts';
import { admitBrowser, needsUser, sessionEndedError } from '../web/browser-guard.ts';
import { addResetSession, rememberResetSession } from '../web/browser-password-reset.ts';
import { addRegistrationSession, rememberRegistrationSession } from '../web/browser-registration.ts';
import { requireSameOrigin } from '../web/csrf.ts';
import { findStartedAuthenticator, forgetRefusedFlow, rememberFlow } from '../web/remember-flow.ts';
import { removeSession } from '../web/remove-session.ts';
import { mayCodeSignIn, signInByCode } from '../web/sign-in-by-code.ts';
import type { WebLog } from '../web/web-handler.ts';
import type { RouteNeeds } from './decorate-requests.ts';
import { handlers } from './handlers.ts';
import type { StoredResponse } from './idempotency.ts';
import { type AnyHandler, mountRoute, type RouteDeps, selectRuntime } from './mount.ts';
import { type Authenticator, addRecentLoginCheck, createOperatorGuard } from './route-guards.ts';
import { webHandlers } from './web-handlers.ts';

/**
 * Mounts everything for browsers with a session cookie: the routes of {@link WEB_ROUTES}, and the usual handlers for the others. The
 * service's pages are mounted on the same instance and get the headers of pages.
 */
export function mountWeb(app: FastifyInstance, shared: RouteDeps): void {
  const { runtime } = shared;
  const prefix = runtime.settings.webPrefix;
  // Before the body is read, so that another site's form is refused with the right error.
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request;
    const { baseUrl } = selectRuntime(shared, request).settings;
    if (method !== 'GET' && method !== 'HEAD') requireSameOrigin(baseUrl, headers as BrowserHeaders);
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const cookies = request.browser?.setCookies ?? [];
    if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
    if (String(reply.getHeader('content-type')).startsWith('text/html'))
      reply.headers(createPageHeaders(reply.getHeaders()));
    done();
  });
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const route: Route = ROUTES[name];
    const addresses = listAddresses(route).filter((address) => isUnderWebPrefix(route, address));
    const authenticate = createWebGuard(
      shared,
      route,
      route.guard === 'operator' ? createWebOperatorGuard(shared, route, name) : undefined,
    );
    const servesPools = route.guard !== 'operator' && route.guard !== 'admin';
    const handle = wrapSharedHandler(name);
    mountRoute(app, shared, {
      name,
      route,
      prefix,
      addresses,
      authenticate,
      handle,
      servesPools,
      needs: findNeeds(name, route),
    });
  }
  const warnings = createBoundedLog(shared);
  for (const name of Object.keys(WEB_ROUTES) as WebRouteName[]) {
    const route: Route = WEB_ROUTES[name];
    const handle = webHandlers[name] as (runtime: GatewayRuntime, input: never) => Promise<StoredResponse>;
    mountRoute(app, shared, {
      name,
      route,
      prefix: findWebRoutePrefix(route, prefix),
      addresses: listAddresses(route),
      authenticate: createWebGuard(shared, route),
      servesPools: !OF_SERVED_POOL.has(name),
      needs: findNeeds(name, route),
      handle: async (runtime, input: object, request) => {
        const { browser } = request;
        const asked = addRegistrationSession(runtime, name, browser, input);
        const answer = await handle(runtime, { ...asked, browser, log: warnings(request) } as never).catch(
          (error: unknown) => {
            forgetRefusedFlow(browser, input, error);
            throw error;
          },
        );
        rememberFlow(runtime, name, browser, { request: input, answer: answer.body });
        return answer;
      },
    });
  }
}

/** Without a client that admits the pool's own users, strangers must not get credentials of the pool. */
function findNeeds(name: AnyRouteName, { guard, method, path }: Route): RouteNeeds | undefined {
  if (MAIL_PAGE_ROUTES.has(name)) return undefined;
  return guard === 'public' && method !== 'GET' && LOCAL_USERS.test(path) ? 'all' : 'federated';
}

/** The requests of pages that links in messages open. Every pool sends messages, and `webSession` gives these pages their CSRF token. */
const MAIL_PAGE_ROUTES: ReadonlySet<AnyRouteName> = new Set<AnyRouteName>([
  'notMe',
  'registerVerifyLink',
  'webSession',
]);

const LOCAL_USERS = /^\/(?:login|register|password)(?:\/|$)/;

/** Forward authentication admits users of the served pool only. */
const OF_SERVED_POOL: ReadonlySet<WebRouteName> = new Set([
  'webForwardAuth',
  'webForwardAuthStart',
  'webForwardAuthCallback',
]);

/** Strangers can cause some of these warnings, so their number is limited in total and for each network, and each appears once an hour. */
const WARNING_BOUNDS = { windowMs: 3_600_000, most: 20, perNetwork: 5 } as const;

function createBoundedLog({ runtime, readClientAddress }: RouteDeps): (request: FastifyRequest) => WebLog {
  const allowance = createRefusalLogLimit(runtime.clock, WARNING_BOUNDS);
  return (request) => ({
    warn(facts, message) {
      if (allowance.mayRecord(readClientAddress(request), `${JSON.stringify(facts)} ${message}`))
        request.log.warn(facts, message);
    },
  });
}

/** The usual guards, with the credential from the cookie's session. */
function createWebGuard(shared: RouteDeps, route: Route, operator?: Authenticator): Authenticator {
  const { isFromProxy } = shared;
  const authenticate: Authenticator = async (request, call): Promise<Caller> => {
    const { headers, method, query, body } = request;
    const runtime = selectRuntime(shared, request);
    const browser = new Browser(runtime, headers as BrowserHeaders, isFromProxy(request));
    request.browser = browser;
    const isForAnother =
      route === WEB_ROUTES.webForwardAuthCallback || (route === WEB_ROUTES.webForwardAuth && browser.isFromProxy);
    await admitBrowser(runtime, { browser, method, query, body, isForAnother, call }, needsUser(route, body));
    return operator?.(request, call) ?? browser.session?.caller ?? { kind: 'public' };
  };
  return addRecentLoginCheck(shared.runtime, route, authenticate);
}

function createWebOperatorGuard({ runtime }: RouteDeps, route: Route, name: RouteName): Authenticator {
  return createOperatorGuard(runtime, name, route, ({ browser }) => `Bearer ${browser?.session?.content.accessToken}`);
}

/** Routes that end the browser's session. */
const ENDS_SESSION: ReadonlySet<RouteName> = new Set(['logoutForced', 'userDelete', 'userDeletionSchedule']);

function wrapSharedHandler(name: RouteName): AnyHandler {
  const handle = handlers[name] as AnyHandler;
  return async (runtime, input: never, request) => {
    const { browser } = request;
    const { call } = input as { readonly call: CallContext };
    const asked = addRegistrationSession(runtime, name, browser, addResetSession(name, browser, input));
    const known = findStartedAuthenticator(runtime, name, browser, asked);
    if (known !== undefined) return known;
    const isSignedInByCode = mayCodeSignIn(name, browser, asked);
    const { codeLogin, ...accepted } = await handle(runtime, asked, request).catch(async (error: unknown) => {
      forgetRefusedFlow(browser, asked, error);
      // The provider no longer accepts the tokens, for whatever reason.
      if (!(error instanceof GatewayError) || error.code !== 'unauthenticated') throw error;
      await closeBrowserSession(runtime, request);
      throw sessionEndedError(error);
    });
    requireNoTokens(name, accepted);
    rememberResetSession(name, browser, input, accepted.body);
    rememberRegistrationSession(name, browser, accepted.body);
    const login =
      isSignedInByCode && codeLogin && browser
        ? await signInByCode(runtime, name, browser, codeLogin, call)
        : undefined;
    const answer = login === undefined ? accepted : { ...accepted, body: { ...(accepted.body as object), login } };
    rememberFlow(runtime, name, browser, { request: input, answer: answer.body });
    if (ENDS_SESSION.has(name)) await closeBrowserSession(runtime, request);
    return answer;
  };
}

async function closeBrowserSession(runtime: GatewayRuntime, { browser }: FastifyRequest): Promise<void> {
  if (!browser?.session) return;
  await removeSession(runtime, browser.session.record.idDigestHex);
  browser.closeSession();
}

const TOKEN_MEMBERS = ['access_token', 'refresh_token', 'id_token'];

/** Fails if a route that was forgotten here would send a token to a page. */
function requireNoTokens(name: RouteName, { body }: StoredResponse): void {
  if (typeof body !== 'object' || body === null) return;
  if (TOKEN_MEMBERS.some((member) => Object.hasOwn(body, member)))
    throw new TypeError(`${name} answers tokens to a page`);
}
