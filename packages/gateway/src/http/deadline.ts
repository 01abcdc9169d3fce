import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors.ts';

/**
 * Answers every request that its handler has not answered in time. The framework's own timeout makes an abort signal for each
 * request, and an exception when the request ends, which costs more than the rest of the framework.
 */
export function addDeadline(app: FastifyInstance, answerMs: number): void {
  app.addHook('onRequest', (_request, reply, done) => {
    const timer = setTimeout(() => {
      if (!reply.sent) reply.send(new GatewayError('timeout'));
    }, answerMs);
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}
