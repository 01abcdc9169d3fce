import { OPERATIONS, ProviderError } from '@poolgate/provider';
import {
  type AwsJsonResponse,
  createAwsJsonEndpoint,
  findOperationName,
  ProtocolError,
  preflightResponse,
  toErrorResponse,
} from '@poolgate/provider/aws-json';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mayBeAdmin } from '../guards/admin-key.ts';
import { LargeBodies } from '../limits/large-bodies.ts';
import { createRateLimitedProvider } from '../limits/login-step-limit.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { createRecentLoginProvider } from '../tokens/recent-login-provider.ts';
import { createRevocationProvider } from '../tokens/revocation-provider.ts';
import { answerCallerIdentity, isCallerIdentityRequest, type QueryResponse } from './caller-identity.ts';
import { authorizeCognitoApiAdmin, type CognitoApiRequest } from './cognito-api-admin.ts';
import { LIMITS } from './limits.ts';
import { IMAGES } from './route-constraints.ts';

/** The dependencies that the Cognito-compatible API shares with the routes. */
export interface CognitoApiDeps {
  readonly runtime: GatewayRuntime;
  /** The address of the end client. */
  readonly readClientAddress: (request: FastifyRequest) => string;
  /** Called with every unexpected error. */
  readonly onDefect: (error: unknown, requestId: string) => void;
}

/**
 * Mounts the provider's AWS JSON 1.1 endpoint: `POST /`, `POST /idp/`, and browsers' preflights. Terraform's `sts:GetCallerIdentity` is
 * answered there, too. Register it as a separate plugin, because
 * it reads bodies as bytes and sends errors in AWS's format.
 */
export function mountCognitoApi(app: FastifyInstance, { runtime, readClientAddress, onDefect }: CognitoApiDeps): void {
  const revoking = createRateLimitedProvider(runtime, createRevocationProvider(runtime));
  const endpoint = createAwsJsonEndpoint<CognitoApiRequest>({
    provider: runtime.settings.recentLoginOnCognitoApi ? createRecentLoginProvider(runtime, revoking) : revoking,
    authorizeAdmin: (call, scope) => authorizeCognitoApiAdmin(runtime, call, scope),
    onDefect,
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(CONTENT_TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addContentTypeParser(FORM, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = findErrorByStatus(error);
    if (refusal === undefined) onDefect(error, request.id);
    return sendResponse(reply, toErrorResponse(refusal ?? DEFECT, request.id));
  });

  const admit = async (request: FastifyRequest): Promise<void> => admitRequest(runtime, request, readClientAddress);
  const largeBodies = new LargeBodies();
  const admitLarge = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    admitLargeBody(runtime, largeBodies, request, reply, readClientAddress(request));
  for (const path of PATHS) {
    app.options(path, (request, reply) => sendResponse(reply, preflightResponse(request.headers)));
    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const sourceAddress = readClientAddress(request);
      if (isForm(request)) return answerForm(runtime, request, reply, sourceAddress);
      return sendResponse(reply, await endpoint.handle(toCognitoApiRequest(request, sourceAddress)));
    };
    app.post(path, { onRequest: admit }, handle);
    const large = { bodyLimit: LIMITS.imageBodyBytes, constraints: IMAGES.constraint };
    app.post(path, { ...large, onRequest: [admit, admitLarge] }, handle);
  }
}

/** Counts a request before its body is read. */
function admitRequest(
  runtime: GatewayRuntime,
  request: FastifyRequest,
  readClientAddress: CognitoApiDeps['readClientAddress'],
): void {
  const name = isForm(request) ? undefined : findOperationName(request.headers);
  runtime.rateLimit.admit(readClientAddress(request), name === undefined ? 'read' : OPERATIONS[name].limit);
}

/**
 * Strangers cannot make the service read a large body. The ids of admin keys are not secret, so a network can send only a few large bodies
 * at once.
 */
async function admitLargeBody(
  runtime: GatewayRuntime,
  largeBodies: LargeBodies,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  sourceAddress: string,
): Promise<void> {
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (length <= LIMITS.bodyBytes) return;
  if (!(await mayBeAdmin(runtime, headers.authorization))) throw new ProtocolError('RequestEntityTooLargeException');
  largeBodies.admit(sourceAddress, reply.raw);
}

const PATHS = ['/', '/idp/'] as const;

// API clients send the first type. People usually enter the second one by hand.
const CONTENT_TYPES = ['application/x-amz-json-1.1', 'application/json'];

const FORM = 'application/x-www-form-urlencoded';

/** Requests of AWS's query protocol are forms. The only one that is answered here asks who its caller is. */
function isForm({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.toLowerCase().startsWith(FORM) === true;
}

async function answerForm(
  runtime: GatewayRuntime,
  request: FastifyRequest,
  reply: FastifyReply,
  sourceAddress: string,
): Promise<FastifyReply> {
  const call = toCognitoApiRequest(request, sourceAddress);
  if (isCallerIdentityRequest(call.body)) return sendResponse(reply, await answerCallerIdentity(runtime, call));
  const refusal = findErrorByStatus({ status: 415 }) ?? DEFECT;
  return sendResponse(reply, toErrorResponse(refusal, request.id));
}

const DEFECT = new ProviderError('InternalErrorException', 'Something went wrong');

/** The errors of requests that do not reach the endpoint, by the server's or guard's HTTP status. */
const ERRORS_BY_STATUS = new Map<number | undefined, () => ProtocolError | ProviderError>([
  [400, () => new ProtocolError('SerializationException')],
  [408, () => new ProtocolError('SerializationException', 'The request body did not arrive in time.')],
  [413, () => new ProtocolError('RequestEntityTooLargeException')],
  [415, () => new ProtocolError('SerializationException', `The content type must be ${CONTENT_TYPES[0]}.`)],
  [429, () => new ProviderError('TooManyRequestsException', 'Rate exceeded')],
  [503, () => new ProtocolError('ServiceUnavailableException')],
  [504, () => new ProtocolError('ServiceUnavailableException')],
]);

function findErrorByStatus(error: {
  readonly status?: number;
  readonly statusCode?: number;
}): ProtocolError | ProviderError | undefined {
  return ERRORS_BY_STATUS.get(error.statusCode ?? error.status)?.();
}

function toCognitoApiRequest(request: FastifyRequest, sourceAddress: string): CognitoApiRequest {
  const body = request.body instanceof Uint8Array ? request.body : EMPTY_BODY;
  const { headers, id: requestId, raw } = request;
  const signed = { method: raw.method ?? '', target: raw.url ?? '', rawHeaders: raw.rawHeaders, body };
  return { headers, body, sourceAddress, requestId, signed };
}

const EMPTY_BODY = new Uint8Array();

/**
 * Sent as text in one write with the header. A serializer is needed, because otherwise the server adds a charset that AWS's responses do
 * not have.
 */
function sendResponse(reply: FastifyReply, answer: AwsJsonResponse | QueryResponse): FastifyReply {
  return reply.code(answer.status).headers(answer.headers).serializer(toText).send(answer.body);
}

function toText(body: unknown): string {
  return String(body);
}
