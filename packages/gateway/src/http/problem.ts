import { ERRORS, type ErrorCode, errorType } from '@poolgate/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError, toGatewayError } from '../kernel/gateway-errors.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** RFC 9457. */
export function createProblemBody(error: GatewayError, requestId: string) {
  const { code, status, errors, reason, address, availableChallenges, registration } = error;
  return {
    type: errorType(code),
    title: ERRORS[code].title,
    status,
    detail: error.message,
    instance: `urn:uuid:${requestId}`,
    code,
    ...(reason === undefined ? {} : { reason }),
    ...(address === undefined ? {} : { base_url: address.baseUrl }),
    ...(address === undefined || code === 'misdirected_request' ? {} : { opened_at: address.opened }),
    ...(errors === undefined ? {} : { errors }),
    ...(availableChallenges === undefined ? {} : { available_challenges: availableChallenges }),
    ...(registration === undefined ? {} : { registration }),
  };
}

/** Sends an error. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: GatewayError): FastifyReply {
  reply.problemCode = error.code;
  return reply
    .headers(createProblemHeaders(error))
    .code(error.status)
    .type(PROBLEM_TYPE)
    .send(createProblemBody(error, request.id));
}

/** The headers of an error, in whatever form it is sent. */
export function createProblemHeaders({
  code,
  headers,
  retryAfterSeconds,
}: GatewayError): Readonly<Record<string, string>> {
  return {
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
    ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
    ...headers,
  };
}

/** Errors of the framework itself, before a route receives the request. */
const BY_STATUS: ReadonlyMap<number | undefined, ErrorCode> = new Map([
  [400, 'malformed_request'],
  [404, 'not_found'],
  [408, 'request_timeout'],
  [413, 'payload_too_large'],
  [414, 'uri_too_long'],
  [415, 'unsupported_media_type'],
  [431, 'headers_too_large'],
]);

/** Converts any error to an error of the contract. */
export function toHttpGatewayError(error: unknown): GatewayError {
  if (!isFrameworkError(error)) return toGatewayError(error);
  const code = BY_STATUS.get(error.statusCode);
  return code === undefined ? toGatewayError(error) : new GatewayError(code, undefined, { cause: error });
}

function isFrameworkError(error: unknown): error is FastifyError {
  return error instanceof Error && String((error as Partial<FastifyError>).code).startsWith('FST_');
}
