import { type CallContext, type LimitClass, OAuthError } from '@poolgate/provider';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  authorizeEndpoint,
  continueAuthorizationEndpoint,
  createPageEndpoint,
  postedAuthorizeEndpoint,
} from '../oauth/authorize-endpoints.ts';
import { DEVICE_PATH, deviceAuthorizationEndpoint, devicePageEndpoint } from '../oauth/device-endpoints.ts';
import {
  PROVIDER_LIST_PATH,
  PROVIDER_START_PATH,
  postedProviderResponseEndpoint,
  providerListEndpoint,
  providerResponseEndpoint,
  providerStartEndpoint,
} from '../oauth/federation-endpoints.ts';
import { introspectionEndpoint } from '../oauth/introspection-endpoint.ts';
import { confirmLogoutEndpoint, logoutEndpoint, postedLogoutEndpoint } from '../oauth/logout-endpoints.ts';
import {
  type OAuthEndpoint,
  type OAuthRequest,
  type OAuthResponse,
  toErrorResponse,
  UNREADABLE,
} from '../oauth/oauth-endpoint.ts';
import { selectPageTexts } from '../oauth/oauth-page-texts.ts';
import { renderPlainPage } from '../oauth/plain-page.ts';
import { PROVIDER_RESPONSE_PATH } from '../oauth/provider-sign-in.ts';
import { pushedRequestEndpoint } from '../oauth/pushed-request-endpoint.ts';
import {
  type ReadRequestClient,
  readAuthenticatingClient,
  readSendingClient,
  readSignOutClient,
  readTokenClient,
} from '../oauth/request-client.ts';
import { sendToClient } from '../oauth/send-to-client.ts';
import { revocationEndpoint, tokenEndpoint } from '../oauth/token-endpoints.ts';
import { userInfoEndpoint } from '../oauth/user-info-endpoint.ts';
import { describeFailure, selectFailureLevel } from './log.ts';
import type { RouteDeps } from './mount.ts';
import { createOAuthRefusalLog } from './oauth-refusals.ts';
import { toHttpGatewayError } from './problem.ts';
import { FORMS, isFormType } from './route-constraints.ts';
import { sendError } from './send-error.ts';
import { readUserAgent } from './user-agent.ts';

interface MountedEndpoint {
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  readonly limit: LimitClass;
  readonly handle: OAuthEndpoint;
  /** Selects the pool of a request on the host of BASE_URL by an app client. Absent: only the path or the host of a domain selects it. */
  readonly readClient?: ReadRequestClient;
  /** Whether it handles only forms, while a route of the same path accepts JSON. */
  readonly isForForms?: boolean;
}

/** Endpoints that programs call, including pages of other origins: cookies are ignored. */
const FOR_PROGRAMS: readonly MountedEndpoint[] = [
  {
    path: '/oauth2/token',
    methods: ['POST'],
    limit: 'login',
    readClient: readAuthenticatingClient,
    handle: tokenEndpoint,
  },
  {
    path: '/oauth2/device_authorization',
    methods: ['POST'],
    limit: 'login',
    readClient: readAuthenticatingClient,
    handle: deviceAuthorizationEndpoint,
  },
  {
    path: '/oauth2/par',
    methods: ['POST'],
    limit: 'read',
    readClient: readAuthenticatingClient,
    handle: pushedRequestEndpoint,
  },
  {
    path: '/oauth2/revoke',
    methods: ['POST'],
    limit: 'read',
    readClient: readAuthenticatingClient,
    handle: revocationEndpoint,
  },
  {
    path: '/oauth2/introspect',
    methods: ['POST'],
    limit: 'read',
    readClient: readAuthenticatingClient,
    handle: introspectionEndpoint,
  },
  {
    path: '/oauth2/userInfo',
    methods: ['GET', 'POST'],
    limit: 'read',
    readClient: readTokenClient,
    handle: userInfoEndpoint,
  },
  // Some clients write it like the name in the discovery document.
  {
    path: '/oauth2/userinfo',
    methods: ['GET', 'POST'],
    limit: 'read',
    readClient: readTokenClient,
    handle: userInfoEndpoint,
  },
];

/** Pages, and what redirects to them: for browsers, which send the cookie of their session. */
const FOR_BROWSERS: readonly MountedEndpoint[] = [
  {
    path: '/oauth2/authorize',
    methods: ['GET'],
    limit: 'read',
    readClient: readSendingClient,
    handle: authorizeEndpoint,
  },
  {
    path: '/oauth2/authorize',
    methods: ['POST'],
    limit: 'read',
    readClient: readSendingClient,
    handle: postedAuthorizeEndpoint,
  },
  {
    path: '/oauth2/authorize/continue',
    methods: ['GET', 'POST'],
    limit: 'read',
    handle: continueAuthorizationEndpoint,
  },
  { path: PROVIDER_LIST_PATH, methods: ['GET'], limit: 'read', handle: providerListEndpoint },
  { path: PROVIDER_START_PATH, methods: ['GET'], limit: 'login', handle: providerStartEndpoint },
  { path: PROVIDER_RESPONSE_PATH, methods: ['GET'], limit: 'login', handle: providerResponseEndpoint },
  { path: PROVIDER_RESPONSE_PATH, methods: ['POST'], limit: 'login', handle: postedProviderResponseEndpoint },
  { path: DEVICE_PATH, methods: ['GET', 'POST'], limit: 'read', handle: devicePageEndpoint },
  { path: '/login', methods: ['GET'], limit: 'read', readClient: readSendingClient, handle: authorizeEndpoint },
  {
    path: '/signup',
    methods: ['GET'],
    limit: 'read',
    readClient: readSendingClient,
    handle: createPageEndpoint('register'),
  },
  {
    path: '/forgotPassword',
    methods: ['GET'],
    limit: 'read',
    readClient: readSendingClient,
    handle: createPageEndpoint('forgot'),
  },
  {
    path: '/passkeys/add',
    methods: ['GET'],
    limit: 'read',
    readClient: readSendingClient,
    handle: createPageEndpoint('account'),
  },
  { path: '/logout', methods: ['GET'], limit: 'read', readClient: readSignOutClient, handle: logoutEndpoint },
  {
    path: '/logout',
    methods: ['POST'],
    limit: 'read',
    readClient: readSignOutClient,
    handle: postedLogoutEndpoint,
    isForForms: true,
  },
  { path: '/logout/confirm', methods: ['POST'], limit: 'read', handle: confirmLogoutEndpoint },
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
  // Amplify sends the last one.
  'access-control-allow-headers': 'Authorization, Content-Type, X-Amz-User-Agent',
  'access-control-max-age': '600',
};

/** Mounts the OAuth endpoints at the root. Register it as a separate plugin: it reads bodies as bytes and handles its own errors. */
export function mountOAuth(app: FastifyInstance, shared: RouteDeps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const endpoint of FOR_PROGRAMS) {
    const preflight = { config: { servesPools: true } };
    app.options(endpoint.path, preflight, (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
    mountEndpoint(app, shared, endpoint, { isPage: false, headers: CORS, errorHandler: sendErrorToProgram });
  }
  const errorHandler = createBrowserErrorHandler(shared);
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
  shared: RouteDeps,
  { path: url, methods, limit, handle, readClient, isForForms = false }: MountedEndpoint,
  { isPage, headers, errorHandler }: Audience,
): void {
  for (const method of methods) {
    app.route({
      method,
      url,
      ...(isForForms && { constraints: FORMS.constraint }),
      config: { isPage, servesPools: true },
      errorHandler,
      handler: async (request, reply) => {
        shared.runtime.rateLimit.admit(shared.readClientAddress(request), limit);
        const sent = toOAuthRequest(request, shared);
        const runtime = request.poolRuntime ?? (await findClientRuntime(shared, readClient?.(sent), sent.call));
        return sendResponse(reply.headers(headers), await handle(runtime, sent));
      },
    });
  }
}

/** On the host of BASE_URL, an app client selects the pool. */
async function findClientRuntime({ runtime, sites }: RouteDeps, clientId: string | undefined, call: CallContext) {
  const isReadable = clientId !== undefined && !UNREADABLE.test(clientId);
  return sites !== undefined && isReadable ? sites.ofClient(clientId, call) : runtime;
}

/** Redirects to the client's callback after verifying it; otherwise shows a page of this service. */
function createBrowserErrorHandler({ runtime, readClientAddress }: RouteDeps): ErrorHandler {
  const logRefusal = createOAuthRefusalLog(runtime);
  return (error, request, reply) => {
    logRefusal(request, error, readClientAddress(request));
    if (!(error instanceof OAuthError)) return sendError(runtime, request, reply, error);
    const headers = { 'accept-language': request.headers['accept-language'] };
    const { location: Location, form: Form } = error;
    if (Location !== undefined) {
      return sendResponse(reply, sendToClient({ Location, Form }, { method: request.method, headers }));
    }
    const { language, format } = selectPageTexts(headers);
    const paragraphs = [format('goBack'), format('code', { code: error.error })];
    const link = { href: `${runtime.settings.webPrefix}/login`, label: format('start') };
    const page = { language, status: 400, title: format('broken'), paragraphs, link, detail: error.message };
    return sendResponse(reply, renderPlainPage(page));
  };
}

function sendErrorToProgram(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isRefusal = error instanceof OAuthError;
  const shown = isRefusal ? error : toHttpGatewayError(error);
  const answer = toErrorResponse(shown, { headers: { authorization: request.headers.authorization } });
  if (answer.status >= 500) request.log[selectFailureLevel(error)]({ failure: describeFailure(error) }, 'failure');
  return sendResponse(reply.headers(CORS), answer);
}

/** Sends a response unchanged. */
function sendResponse(reply: FastifyReply, { status, headers = {}, body = '' }: OAuthResponse): FastifyReply {
  return reply.code(status).headers(headers).serializer(String).send(body);
}

/** Converts a request into the form of the endpoints. */
function toOAuthRequest(request: FastifyRequest, { readClientAddress }: RouteDeps): OAuthRequest {
  const { headers, raw, body } = request;
  const query = raw.url?.split('?').slice(1).join('?') ?? '';
  const isForm = isFormType(headers['content-type']);
  return {
    method: request.method,
    query: parseParameters(query),
    form: isForm ? parseParameters(body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '') : undefined,
    headers: {
      authorization: headers.authorization,
      'accept-language': headers['accept-language'],
      cookie: headers.cookie,
      'sec-fetch-mode': joinHeader(headers['sec-fetch-mode']),
      'sec-fetch-dest': joinHeader(headers['sec-fetch-dest']),
      'sec-fetch-site': joinHeader(headers['sec-fetch-site']),
      origin: headers.origin,
      host: headers.host,
    },
    call: {
      requestId: request.id,
      sourceAddress: readClientAddress(request),
      entryPoint: 'routes',
      ...readUserAgent(request),
    },
  };
}

function joinHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join();
}

/** Several times the maximum that any request of the endpoints needs. */
const MAX_PARAMETERS = 64;

/** @throws {OAuthError} there are so many that reading them would delay all other requests */
function parseParameters(encoded: string): Readonly<Record<string, readonly string[]>> {
  if (encoded.split('&').length > MAX_PARAMETERS) {
    throw new OAuthError('invalid_request', 'The request has too many parameters.');
  }
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(encoded)) values[name] = [...(values[name] ?? []), value];
  return values;
}
