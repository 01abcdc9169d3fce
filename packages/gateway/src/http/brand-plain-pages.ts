import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Pages } from '../kernel/pages.ts';
import { brandPlainPage } from '../pages/plain-style.ts';
import type { RouteDeps } from './mount.ts';
import { findDefaultPageScope, findPageScope } from './page-scope.ts';

/** Answers to a client that sends too much, or to any while the service is overloaded. They must cost little. */
const CHEAP: ReadonlySet<number> = new Set([429, 503]);

/** Gives the pages that the service renders without files the look of the brand: errors, refusals and the questions of OAuth. */
export function brandPlainPages(app: FastifyInstance, shared: Pick<RouteDeps, 'runtime'>, pages: Pages): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const policy = reply.getHeader('content-security-policy');
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (!isPage || typeof payload !== 'string' || typeof policy !== 'string') return payload;
    // A page about a failure must not fail because of its look.
    const rules = await findRules(request, reply).catch(() => undefined);
    if (rules === undefined) return payload;
    const branded = brandPlainPage({ html: payload, policy }, rules);
    reply.header('content-security-policy', branded.policy);
    return branded.html;
  });

  async function findRules(request: FastifyRequest, { statusCode }: FastifyReply): Promise<string | undefined> {
    // Requests with a body are counted only after it was read.
    const isCounted = request.isAccepted && request.method === 'GET' && !CHEAP.has(statusCode);
    return pages.plainStyle?.(await (isCounted ? findPageScope : findDefaultPageScope)(shared, request));
  }
}
