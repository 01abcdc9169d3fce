import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request as the server saw it. */
export interface ReceivedRequest {
  /** The operation. Empty if the request was for a file. */
  readonly operation: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How the server responds: with text, by closing the connection, by closing it in the middle, or never. */
export type CognitoReply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | 'reset'
  | 'cut'
  | 'hang';

/** An HTTP server that responds as Cognito does, or as badly as a test wants. */
export interface CognitoServer extends AsyncDisposable {
  readonly url: string;
  readonly receivedRequests: readonly ReceivedRequest[];
  /** Settles when this many requests have arrived. */
  waitForRequests(count: number): Promise<void>;
  setReply(reply: (request: ReceivedRequest) => CognitoReply): void;
}

/** A success. */
export function createSuccessReply(value: unknown): CognitoReply {
  return { body: JSON.stringify(value) };
}

/** An error in the form of AWS JSON 1.1. */
export function createErrorReply(name: string, message: string, status = 400): CognitoReply {
  return { status, headers: { 'x-amzn-errortype': `${name}:` }, body: JSON.stringify({ __type: name, message }) };
}

/** Starts a server on a free port. It responds with `{}` until it is told otherwise. */
export async function startCognitoServer(
  reply: (request: ReceivedRequest) => CognitoReply = () => createSuccessReply({}),
): Promise<CognitoServer> {
  const receivedRequests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  let current = reply;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const target = String(request.headers['x-amz-target'] ?? '');
    const { url: path = '', headers, socket } = request;
    const one: ReceivedRequest = {
      operation: target.split('.')[1] ?? '',
      path,
      headers,
      body: text === '' ? {} : JSON.parse(text),
    };
    receivedRequests.push(one);
    for (const check of waiting) check();
    const answer = current(one);
    if (typeof answer === 'string') return misbehave(answer, socket);
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/x-amz-json-1.1', ...answer.headers });
    response.end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    receivedRequests,
    setReply(next) {
      current = next;
    },
    waitForRequests(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = () => {
        if (receivedRequests.length < count) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
      return promise;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function misbehave(how: 'reset' | 'cut' | 'hang', socket: Socket): void {
  if (how === 'reset') socket.resetAndDestroy();
  if (how === 'cut') socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"Username":');
}
