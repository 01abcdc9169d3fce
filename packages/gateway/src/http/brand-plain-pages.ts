import type { FastifyInstance } from 'fastify';
import { createPlainBranding } from '../pages/plain-style.ts';

/** Gives the pages that the service renders without files the look of the brand: errors, refusals and the questions of OAuth. */
export function brandPlainPages(app: FastifyInstance, rules: string): void {
  const brand = createPlainBranding(rules);
  app.addHook('onSend', (_request, reply, payload, done) => {
    const policy = reply.getHeader('content-security-policy');
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (!isPage || typeof payload !== 'string' || typeof policy !== 'string') {
      done(null, payload);
      return;
    }
    const branded = brand({ html: payload, policy });
    reply.header('content-security-policy', branded.policy);
    done(null, branded.html);
  });
}
