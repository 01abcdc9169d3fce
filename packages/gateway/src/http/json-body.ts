import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { JsonError, parseJson } from '../kernel/json.ts';

const NO_BYTES = Buffer.alloc(0);

/** Returns every byte of a request's body, which a signature covers. */
export function readRawBody(request: FastifyRequest): Buffer {
  return request.rawBody ?? NO_BYTES;
}

/** Whether a request declares a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Accepts only JSON bodies. An empty body is allowed, because the required clients always send the content type. */
export function acceptJson(app: FastifyInstance): void {
  // Some routes read a body on GET. The others refuse it before it is read.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  // Without a body, its type has no meaning and must not decide anything.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method === 'GET' && !hasBody(request)) delete request.headers['content-type'];
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    request.rawBody = bytes;
    try {
      done(null, bytes.length === 0 ? undefined : parseJson(decodeUtf8(bytes)));
    } catch (error) {
      done(toMalformedRequestError(error));
    }
  });
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new JsonError('The body is not valid UTF-8.');
  }
}

function toMalformedRequestError(error: unknown): Error {
  return error instanceof JsonError ? new GatewayError('malformed_request', error.message) : (error as Error);
}
