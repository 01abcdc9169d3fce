import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { JsonError, parseJson } from '../kernel/json.ts';

const NO_BYTES = Buffer.alloc(0);

/** Every byte of a request's body: what a signature is over. */
export function readRawBody(request: FastifyRequest): Buffer {
  return request.rawBody ?? NO_BYTES;
}

/** Whether a request says that a body follows. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Makes JSON the only type of body. No body at all is no error: the required clients send the content type always. */
export function acceptJson(app: FastifyInstance): void {
  // Some routes read a body on GET; the others refuse it before it is read.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  // Without a body its type says nothing, and must not decide anything.
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
    throw new JsonError('The body is no UTF-8.');
  }
}

function toMalformedRequestError(error: unknown): Error {
  return error instanceof JsonError ? new GatewayError('malformed_request', error.message) : (error as Error);
}
