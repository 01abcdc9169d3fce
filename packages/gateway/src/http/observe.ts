import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestObserver, RequestResult } from '../kernel/deps.ts';

/** Lets an observer run every request, and reports the response to it. Add it before any other hook. */
export function observeRequests(app: FastifyInstance, observe: RequestObserver | undefined): void {
  if (observe === undefined) return;
  const ends = new WeakMap<FastifyRequest, (answered: RequestResult) => void>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request;
    const route = request.routeOptions.url ?? '(none)';
    ends.set(request, observe({ method, route, headers }, done));
  });
  app.addHook('onResponse', (request, reply, done) => {
    ends.get(request)?.({ status: reply.statusCode, seconds: reply.elapsedTime / 1_000 });
    done();
  });
}
