import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Documentation } from '../kernel/pages.ts';
import type { RouteDeps } from './mount.ts';
import { sendFile } from './page-mount.ts';

/** Allows scripts, styles, images and requests of this origin only, and nothing that turns text into markup or scripts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const WITH_HEAD = { exposeHeadRoute: true };

/** Mounts the documentation at `/docs`. Without documentation, `/docs` redirects to the reference of the routes. */
export function mountDocumentation(
  app: FastifyInstance,
  { runtime, readClientAddress }: RouteDeps,
  documentation: Documentation | undefined,
): void {
  const admit = (request: FastifyRequest): void => runtime.rateLimit.admit(readClientAddress(request), 'read');
  if (documentation === undefined) {
    app.get('/docs', WITH_HEAD, async (request, reply) => {
      admit(request);
      return reply.redirect('/docs/api', 302);
    });
    return;
  }
  const send = async (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    admit(request);
    const answer = await documentation.find(path);
    if (answer === undefined) throw new GatewayError('not_found');
    if ('movedTo' in answer) return reply.redirect(answer.movedTo, 301);
    reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': POLICY });
    return sendFile(request, reply, answer.file);
  };
  app.get('/docs', WITH_HEAD, (request, reply) => send(request, reply, ''));
  app.get<{ Params: { readonly '*': string } }>('/docs/*', WITH_HEAD, (request, reply) =>
    send(request, reply, request.params['*']),
  );
}
