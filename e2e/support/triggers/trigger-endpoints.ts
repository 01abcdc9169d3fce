import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A handler of any trigger. */
type Handler = (event: unknown) => unknown;

/** Handlers by name, as a module exports them. */
export type Handlers = Readonly<Record<string, unknown>>;

/** A server on loopback. */
export interface Endpoint {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on loopback. */
export async function startEndpoint(listener: RequestListener): Promise<Endpoint> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface HandlerResult {
  readonly isError: boolean;
  readonly body: string;
}

async function runHandler(handlers: Handlers, name: string, body: string): Promise<HandlerResult> {
  try {
    const handler = handlers[name] as Handler;
    return { isError: false, body: JSON.stringify((await handler(JSON.parse(body))) ?? null) };
  } catch (error) {
    const { message, name: errorType } = error as Error;
    return { isError: true, body: JSON.stringify({ errorMessage: message, errorType }) };
  }
}

const INVOCATION = /^\/2015-03-31\/functions\/([^/]+)\/invocations/;

/** Implements Lambda's Invoke operation for functions with the names of the handlers. */
export function startLambdaEndpoint(handlers: Handlers): Promise<Endpoint> {
  return startEndpoint(async (request, response) => {
    const [, arn = ''] = INVOCATION.exec(request.url ?? '') ?? [];
    const name = decodeURIComponent(arn).split(':').at(-1) ?? '';
    const { isError, body } = await runHandler(handlers, name, await text(request));
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(isError ? { 'x-amz-function-error': 'Unhandled' } : {}),
    });
    response.end(body);
  });
}

/** Accepts signed events at a path for each handler, as docs/reference/triggers.md shows it. */
export function startUrlEndpoint(handlers: Handlers, secret: string): Promise<Endpoint> {
  const webhook = new Webhook(secret);
  return startEndpoint(async (request, response) => {
    const posted = await text(request);
    try {
      webhook.verify(posted, readSignature(request));
    } catch {
      response.writeHead(401).end();
      return;
    }
    const { isError, body } = await runHandler(handlers, (request.url ?? '').slice(1), posted);
    response.writeHead(isError ? 422 : 200, { 'content-type': 'application/json' });
    response.end(body);
  });
}

function readSignature({ headers }: IncomingMessage): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}
