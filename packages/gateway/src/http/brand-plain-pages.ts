import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageScope, Pages } from '../kernel/pages.ts';
import { brandPlainPage } from '../pages/plain-style.ts';

/** Gives the pages that the service renders without files the look of the brand: errors, refusals and the questions of OAuth. */
export function brandPlainPages(
  app: FastifyInstance,
  pages: Pages,
  findScope: (request: FastifyRequest) => Promise<PageScope>,
): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const policy = reply.getHeader('content-security-policy');
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (!isPage || typeof payload !== 'string' || typeof policy !== 'string') return payload;
    // A page about a failure must not fail because of its look.
    const rules = await findScope(request)
      .then((scope) => pages.plainStyle?.(scope))
      .catch(() => undefined);
    if (rules === undefined) return payload;
    const branded = brandPlainPage({ html: payload, policy }, rules);
    reply.header('content-security-policy', branded.policy);
    return branded.html;
  });
}
