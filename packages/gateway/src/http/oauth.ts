import { type LimitClass, OAuthError } from '@poolgate/provider';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorize, continueAuthorization, startAtPage } from '../oauth/authorize.ts';
import { errorAnswer, type OAuthAnswer, type OAuthEndpoint, type OAuthRequest } from '../oauth/endpoint.ts';
import { confirmLogout, logout } from '../oauth/logout.ts';
import { plainPage } from '../oauth/page.ts';
import { textsFor } from '../oauth/page-texts.ts';
import { revoke, token } from '../oauth/token.ts';
import { userInfo } from '../oauth/user-info.ts';
import { describeFailure, failureLevel } from './log.ts';
import type { RouteContext } from './mount.ts';
import { oauthRefusalLog } from './oauth-refusals.ts';
import { asGatewayError } from './problem.ts';
import { sendError } from './send-error.ts';

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

/** Pages, and what leads to them: for browsers, which bring the cookie of their session. */
const FOR_BROWSERS: readonly MountedEndpoint[] = [
  { path: '/oauth2/authorize', methods: ['GET'], limit: 'read', answer: authorize },
  { path: '/oauth2/authorize/continue', methods: ['GET', 'POST'], limit: 'read', answer: continueAuthorization },
  { path: '/login', methods: ['GET'], limit: 'read', answer: authorize },
  { path: '/signup', methods: ['GET'], limit: 'read', answer: startAtPage('register') },
  { path: '/forgotPassword', methods: ['GET'], limit: 'read', answer: startAtPage('forgot') },
  { path: '/passkeys/add', methods: ['GET'], limit: 'read', answer: startAtPage('account') },
  { path: '/logout', methods: ['GET'], limit: 'read', answer: logout },
  { path: '/logout/confirm', methods: ['POST'], limit: 'read', answer: confirmLogout },
];

/** Every endpoint, by its path. */
export const OAUTH_ENDPOINTS: readonly Pick<MountedEndpoint, 'path' | 'methods'>[] = [...FOR_PROGRAMS, ...FOR_BROWSERS];

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, X-Request-Id',
};

const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, POST',
  // Amplify names itself by the last one.
  'access-control-allow-headers': 'Authorization, Content-Type, X-Amz-User-Agent',
  'access-control-max-age': '600',
};

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i;

/** Mounts the OAuth endpoints at the root. To be registered as a plugin of its own: it reads bodies as bytes and answers its own errors. */
export function mountOAuth(app: FastifyInstance, shared: RouteContext): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const endpoint of FOR_PROGRAMS) {
    app.options(endpoint.path, (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
    mountEndpoint(app, shared, endpoint, { isPage: false, headers: CORS, errorHandler: sendToProgram });
  }
  const errorHandler = browserTeller(shared);
  for (const endpoint of FOR_BROWSERS)
    mountEndpoint(app, shared, endpoint, { isPage: true, headers: {}, errorHandler });
}

type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

interface Audience {
  readonly isPage: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly errorHandler: ErrorHandler;
}

function mountEndpoint(
  app: FastifyInstance,
  shared: RouteContext,
  { path: url, methods, limit, answer }: MountedEndpoint,
  { isPage, headers, errorHandler }: Audience,
): void {
  for (const method of methods) {
    app.route({
      method,
      url,
      config: { isPage },
      errorHandler,
      handler: async (request, reply) => {
        shared.runtime.rateLimit.admit(shared.addressOf(request), limit);
        return send(reply.headers(headers), await answer(shared.runtime, oauthRequest(request, shared)));
      },
    });
  }
}

/** To the callback of the client, once it is proven that it is the client's; else a page of ours. */
function browserTeller({ runtime, addressOf }: RouteContext): ErrorHandler {
  const logRefusal = oauthRefusalLog(runtime);
  return (error, request, reply) => {
    logRefusal(request, error, addressOf(request));
    if (!(error instanceof OAuthError)) return sendError(runtime, request, reply, error);
    const { location } = error;
    if (location !== undefined) {
      return send(reply, { status: request.method === 'POST' ? 303 : 302, headers: { location } });
    }
    const { language, say } = textsFor({ 'accept-language': request.headers['accept-language'] });
    const paragraphs = [say('goBack'), say('code', { code: error.error })];
    return send(reply, plainPage({ language, status: 400, title: say('broken'), paragraphs, detail: error.message }));
  };
}

function sendToProgram(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isRefusal = error instanceof OAuthError;
  const shown = isRefusal ? error : asGatewayError(error);
  const answer = errorAnswer(shown, { headers: { authorization: request.headers.authorization } });
  if (answer.status >= 500) request.log[failureLevel(error)]({ failure: describeFailure(error) }, 'failure');
  return send(reply.headers(CORS), answer);
}

/** Gives an answer as it is. */
function send(reply: FastifyReply, { status, headers = {}, body = '' }: OAuthAnswer): FastifyReply {
  return reply.code(status).headers(headers).serializer(String).send(body);
}

/** A request as the endpoints see it. */
function oauthRequest(request: FastifyRequest, { addressOf }: RouteContext): OAuthRequest {
  const { headers, raw, body } = request;
  const query = raw.url?.split('?').slice(1).join('?') ?? '';
  const isForm = FORM_TYPE.test(headers['content-type'] ?? '');
  return {
    method: request.method,
    query: valuesOf(query),
    form: isForm ? valuesOf(body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '') : undefined,
    headers: {
      authorization: headers.authorization,
      'accept-language': headers['accept-language'],
      cookie: headers.cookie,
      'sec-fetch-mode': header(headers['sec-fetch-mode']),
      'sec-fetch-dest': header(headers['sec-fetch-dest']),
      'sec-fetch-site': header(headers['sec-fetch-site']),
      origin: headers.origin,
      host: headers.host,
    },
    context: { requestId: request.id, sourceAddress: addressOf(request) },
  };
}

function header(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join();
}

/** Several times what any request of the endpoints has. */
const MAX_PARAMETERS = 64;

/** @throws {OAuthError} there are so many that to read them would keep everybody else waiting */
function valuesOf(encoded: string): Readonly<Record<string, readonly string[]>> {
  if (encoded.split('&').length > MAX_PARAMETERS) {
    throw new OAuthError('invalid_request', 'The request has too many parameters.');
  }
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(encoded)) values[name] = [...(values[name] ?? []), value];
  return values;
}
