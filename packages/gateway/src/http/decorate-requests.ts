import type { ErrorCode } from '@poolgate/contract';
import type { FastifyInstance } from 'fastify';
import type { ConsoleBrowser } from '../console/console-browser.ts';
import type { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime, SiteAccess } from '../runtime/runtime.ts';
import type { Browser } from '../web/browser.ts';

/** The pages need any way to sign in; sign-in and sign-up with the pool's own credentials need all. */
export type RouteNeeds = Exclude<SiteAccess, 'none'>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if browsers show the route's responses to people, including errors. */
    isPage?: boolean;
    /** True if every pool with a domain has the route. */
    servesPools?: boolean;
    /** True if the route belongs to the console, which may have a separate host. */
    isConsole?: boolean;
    /** The ways to sign in that a pool must have for the route. Absent: none. */
    needs?: RouteNeeds;
  }
  interface FastifyRequest {
    /** Whether the request passed the checks that come before its route and its rate limit. */
    isAccepted: boolean;
    /** The client's address, once it was needed. */
    clientAddress: string | null;
    /** For a request without a route: its path in a form that is safe to log. */
    loggedPath: string | null;
    /** The calling browser, under the browser session prefix. */
    browser: Browser | null;
    /** The calling browser, at the console. */
    consoleBrowser: ConsoleBrowser | null;
    /** The runtime of the pool that the path or the host names; null for the served pool. */
    poolRuntime: GatewayRuntime | null;
    /** Every byte of the body, which a signature covers; null if none was read. */
    rawBody: Buffer | null;
  }
  interface FastifyReply {
    /** The code of the problem response; null if it was none. */
    problemCode: ErrorCode | null;
    /** The error of the request; null if it succeeded. */
    refusal: GatewayError | null;
  }
}

/** Adds members to requests and replies for what the service learns about them. */
export function decorateRequests(app: FastifyInstance): void {
  for (const name of ['clientAddress', 'loggedPath', 'browser', 'consoleBrowser', 'poolRuntime', 'rawBody'] as const)
    app.decorateRequest(name, null);
  app.decorateRequest('isAccepted', false);
  for (const name of ['problemCode', 'refusal'] as const) app.decorateReply(name, null);
}
