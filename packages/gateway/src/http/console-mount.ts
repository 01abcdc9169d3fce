import {
  CONSOLE_ROUTES,
  type ConsoleRouteName,
  isUnderConsolePrefix,
  listAddresses,
  ROUTES,
  type Route,
  type RouteName,
} from '@poolgate/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { admitConsoleBrowser, authenticateConsole } from '../console/admit-console.ts';
import { ConsoleBrowser } from '../console/console-browser.ts';
import {
  type ConsoleHandler,
  logInToConsole,
  logOutOfConsole,
  showConsoleSession,
} from '../console/console-handlers.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Pages } from '../kernel/pages.ts';
import { selectShell } from '../pages/page-answer.ts';
import { createPageHeaders } from '../pages/page-headers.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { BrowserHeaders } from '../web/browser.ts';
import { requireSameOrigin } from '../web/csrf.ts';
import { handlers } from './handlers.ts';
import type { StoredResponse } from './idempotency.ts';
import { type AnyHandler, mountRoute, type RouteDeps } from './mount.ts';
import { readPreferredLanguage, sendImmutableFile, sendShell } from './page-mount.ts';
import { type Authenticator, requireAdminScope } from './route-guards.ts';

const consoleHandlers: { readonly [Name in ConsoleRouteName]: ConsoleHandler<Name> } = {
  consoleSession: showConsoleSession,
  consoleLogin: logInToConsole,
  consoleLogout: logOutOfConsole,
};

/** Mounts the console: its sign-in, the routes for admin keys under `/console/api`, and its page. */
export function mountConsole(app: FastifyInstance, shared: RouteDeps): void {
  const { runtime } = shared;
  const { webPrefix } = runtime.settings;
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request;
    const { consoleUrl, baseUrl } = runtime.settings;
    // Before the body is read, so that another site's form is refused with the right error.
    if (method !== 'GET' && method !== 'HEAD') requireSameOrigin(consoleUrl ?? baseUrl, headers as BrowserHeaders);
    request.consoleBrowser = new ConsoleBrowser(runtime, headers as BrowserHeaders);
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const cookies = request.consoleBrowser?.setCookies ?? [];
    if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
    if (String(reply.getHeader('content-type')).startsWith('text/html'))
      reply.headers(createPageHeaders(reply.getHeaders()));
    done();
  });
  mountSignIn(app, shared, webPrefix);
  mountAdminRoutes(app, shared, `${webPrefix}/console/api`);
  if (runtime.consolePages !== undefined) mountConsolePage(app, shared, runtime.consolePages);
}

function mountSignIn(app: FastifyInstance, shared: RouteDeps, prefix: string): void {
  const authenticate: Authenticator = async (request, call) => {
    await admitConsoleBrowser(shared.runtime, { browser: requireBrowser(request), method: request.method, call });
    return { kind: 'public' };
  };
  for (const name of Object.keys(CONSOLE_ROUTES) as ConsoleRouteName[]) {
    const route: Route = CONSOLE_ROUTES[name];
    const handle = consoleHandlers[name] as (runtime: GatewayRuntime, input: never) => Promise<StoredResponse>;
    mountRoute(app, shared, {
      name,
      route,
      prefix,
      addresses: listAddresses(route),
      authenticate,
      isConsole: true,
      handle: (runtime, input: object, request) =>
        handle(runtime, { ...input, browser: requireBrowser(request) } as never),
    });
  }
}

function mountAdminRoutes(app: FastifyInstance, shared: RouteDeps, prefix: string): void {
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const route: Route = ROUTES[name];
    if (!isUnderConsolePrefix(route)) continue;
    const scope = requireAdminScope(route);
    mountRoute(app, shared, {
      name,
      route,
      prefix,
      addresses: listAddresses(route),
      isConsole: true,
      handle: handlers[name] as AnyHandler,
      authenticate: (request, call) =>
        authenticateConsole(
          shared.runtime,
          { browser: requireBrowser(request), method: request.method, call },
          { scope, needsRecentSignIn: route.recentConsoleSignIn === true },
        ),
    });
  }
}

interface FileRequest {
  Params: { readonly file: string };
}

const PAGE = { exposeHeadRoute: true, config: { isConsole: true } };

/** The page has one address. What it shows is in the fragment, so that names of users never reach the log of a proxy. */
function mountConsolePage(app: FastifyInstance, { runtime, readClientAddress }: RouteDeps, pages: Pages): void {
  const { webPrefix } = runtime.settings;
  const admit = (request: FastifyRequest): void => runtime.rateLimit.admit(readClientAddress(request), 'read');
  app.get(`${webPrefix}/console`, PAGE, async (request, reply) => {
    admit(request);
    const shell = selectShell(readPreferredLanguage(request), await pages.shells('console', runtime));
    return sendShell(request, reply, shell.language, runtime.renderedShells.of(shell, {}));
  });
  app.get<FileRequest>(`${webPrefix}/console/assets/:file`, PAGE, async (request, reply) => {
    admit(request);
    return sendImmutableFile(request, reply, await pages.file(request.params.file));
  });
}

function requireBrowser({ consoleBrowser }: FastifyRequest): ConsoleBrowser {
  if (consoleBrowser === null) throw new GatewayError('internal_error');
  return consoleBrowser;
}
