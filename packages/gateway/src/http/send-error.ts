import { WEB_ROUTES } from '@poolgate/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayDeps } from '../kernel/deps.ts';
import type { GatewayError } from '../kernel/gateway-errors.ts';
import { acceptsPage, isPageRequest, sendErrorPage } from './error-page.ts';
import { describeFailure, selectFailureLevel } from './log.ts';
import { sendProblem, toHttpGatewayError } from './problem.ts';

/** Sends any error as a response, and logs it if the service is at fault. */
export function sendError(
  deps: GatewayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  const refusal = toHttpGatewayError(error);
  if (refusal.status >= 500) {
    request.log[selectFailureLevel(error)]({ failure: describeFailure(error) }, 'failure');
  }
  return sendRefusal(deps, request, reply, refusal);
}

/** Sends an error: to a person as a page, to a program as a problem. */
export function sendRefusal(
  deps: GatewayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: GatewayError,
): FastifyReply {
  reply.refusal = refusal;
  const send = isShownAsPage(deps, request, refusal) ? sendErrorPage : sendProblem;
  return send(request, reply, refusal);
}

/** Like {@link sendError}, for a request whose address could not be read, so that no route identifies the caller. */
export function sendFrameworkError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const send = isPageRequest(request) ? sendErrorPage : sendProblem;
  return send(request, reply, toHttpGatewayError(error));
}

/** The path of a request, without its query. */
export function readPath({ raw }: FastifyRequest): string {
  return (raw.url ?? '').replace(/\?.*/s, '');
}

/** A person gets a page: for unknown addresses, for everything that browsers open, and where the response would have been a page. */
function isShownAsPage({ settings }: GatewayDeps, request: FastifyRequest, { code }: GatewayError): boolean {
  if (request.routeOptions.config.isPage === true) return acceptsPage(request);
  const path = readPath(request);
  const isOfBrowsers = path.startsWith(`${settings.webPrefix}/`) || path === WEB_ROUTES.webForwardAuthCallback.path;
  const isOfPages = request.is404 || code === 'not_found' || isOfBrowsers;
  return isOfPages && isPageRequest(request);
}
