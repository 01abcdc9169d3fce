import { type LimitClass, OAuthError } from '@poolgate/provider';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorAnswer, type OAuthAnswer, type OAuthEndpoint, type OAuthRequest } from '../oauth/endpoint.ts';
import { revoke, token } from '../oauth/token.ts';
import { userInfo } from '../oauth/user-info.ts';
import { describeFailure, failureLevel } from './log.ts';
import type { RouteContext } from './mount.ts';
import { asGatewayError } from './problem.ts';

interface MountedEndpoint {
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  readonly limit: LimitClass;
  readonly answer: OAuthEndpoint;
}

/** Endpoints that programs call, those of other origins' pages too: no cookie is looked at. */
const FOR_PROGRAMS: readonly MountedEndpoint[] = [
  { path: '/oauth2/token', methods: ['POST'], limit: 'login', answer: token },
  { path: '/oauth2/revoke', methods: ['POST'], limit: 'read', answer: revoke },
  { path: '/oauth2/userInfo', methods: ['GET', 'POST'], limit: 'read', answer: userInfo },
];

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, X-Request-Id',
};

const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization, Content-Type',
  'access-control-max-age': '600',
};

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i;

/** Mounts the OAuth endpoints at the root. To be registered as a plugin of its own: it reads bodies as bytes and answers its own errors. */
export function mountOAuth(app: FastifyInstance, shared: RouteContext): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const endpoint of FOR_PROGRAMS) {
    app.options(endpoint.path, (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
    for (const method of endpoint.methods) {
      app.route({
        method,
        url: endpoint.path,
        errorHandler: (error, request, reply) => sendError(request, reply, error),
        handler: async (request, reply) => {
          shared.runtime.rateLimit.admit(shared.addressOf(request), endpoint.limit);
          const asked = oauthRequest(request, shared);
          return send(reply.headers(CORS), await endpoint.answer(shared.runtime, asked));
        },
      });
    }
  }
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const isRefusal = error instanceof OAuthError;
  const shown = isRefusal ? error : asGatewayError(error);
  const answer = errorAnswer(shown, { headers: { authorization: request.headers.authorization } });
  if (answer.status >= 500) request.log[failureLevel(error)]({ failure: describeFailure(error) }, 'failure');
  return send(reply.headers(CORS), answer);
}

/** Gives an answer as it is. */
export function send(reply: FastifyReply, { status, headers = {}, body = '' }: OAuthAnswer): FastifyReply {
  return reply.code(status).headers(headers).serializer(String).send(body);
}

/** A request as the endpoints see it. */
export function oauthRequest(request: FastifyRequest, { addressOf }: RouteContext): OAuthRequest {
  const { headers, raw, body } = request;
  const query = raw.url?.split('?').slice(1).join('?') ?? '';
  const isForm = FORM_TYPE.test(headers['content-type'] ?? '');
  return {
    method: request.method,
    query: valuesOf(query),
    form: isForm ? valuesOf(body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '') : undefined,
    headers: {
      authorization: headers.authorization,
      cookie: headers.cookie,
      'sec-fetch-mode': header(headers['sec-fetch-mode']),
      'sec-fetch-dest': header(headers['sec-fetch-dest']),
      'sec-fetch-site': header(headers['sec-fetch-site']),
      origin: headers.origin,
    },
    context: { requestId: request.id, sourceAddress: addressOf(request) },
  };
}

function header(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join();
}

function valuesOf(encoded: string): Readonly<Record<string, readonly string[]>> {
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(encoded)) values[name] = [...(values[name] ?? []), value];
  return values;
}
