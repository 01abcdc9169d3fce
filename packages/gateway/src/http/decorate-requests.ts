import type { ErrorCode } from '@poolgate/contract';
import type { FastifyInstance } from 'fastify';
import type { GatewayError } from '../kernel/gateway-errors.ts';
import type { Browser } from '../web/browser.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True: browsers show to people what the route answers, its errors too. */
    isPage?: boolean;
  }
  interface FastifyRequest {
    /** The address of the end client, once somebody has asked for it. */
    clientAddress: string | null;
    /** Of a request without a route: what it asked for, in a form that a log may show. */
    loggedPath: string | null;
    /** The browser that asks, below the prefix of browser sessions. */
    browser: Browser | null;
    /** Every byte of the body, which is what a signature is over; null where none was read. */
    rawBody: Buffer | null;
  }
  interface FastifyReply {
    /** The code of the problem that was sent; null where it was none. */
    problemCode: ErrorCode | null;
    /** What the request was refused with; null where it was not. */
    refusal: GatewayError | null;
  }
}

/** Gives requests and replies the members in which this service keeps what it found out about them. */
export function decorateRequests(app: FastifyInstance): void {
  for (const name of ['clientAddress', 'loggedPath', 'browser', 'rawBody'] as const) app.decorateRequest(name, null);
  for (const name of ['problemCode', 'refusal'] as const) app.decorateReply(name, null);
}
