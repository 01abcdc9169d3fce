import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WriteLogLine } from '../process/log-line.ts';
import { StartError } from '../process/start-error.ts';
import type { Metrics } from './metrics.ts';
import { isMetricsHost } from './metrics-host.ts';

/** Where the metrics are served. */
export interface MetricsServer {
  /** E.g. `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

const REQUEST_MS = 5_000;

function sendResponse(reply: ServerResponse, status: number, type: string, body: string, isHead: boolean): void {
  reply.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(body),
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  reply.end(isHead ? undefined : body);
}

/**
 * Serves the metrics on a separate port, so that clients of the service need no access to them.
 * @param names the names with a dot under which the metrics are served
 * @throws {StartError} `address_in_use`, `address_refused`
 */
export async function startMetricsServer(
  metrics: Metrics,
  { host, port, names }: { readonly host: string; readonly port: number; readonly names: readonly string[] },
  log: WriteLogLine,
): Promise<MetricsServer> {
  const known = new Set(names.map((name) => name.toLowerCase()));
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, reply) => {
    request.resume();
    const isHead = request.method === 'HEAD';
    const text = 'text/plain; charset=utf-8';
    if (!isMetricsHost(request.headers.host, known))
      return sendResponse(reply, 421, text, 'misdirected request\n', isHead);
    if (request.method !== 'GET' && !isHead) return sendResponse(reply, 405, text, 'method not allowed\n', false);
    if (request.url?.split('?')[0] !== '/metrics') return sendResponse(reply, 404, text, 'not found\n', isHead);
    metrics.text().then(
      (body) => sendResponse(reply, 200, metrics.contentType, body, isHead),
      (error: unknown) => {
        log('warn', 'The metrics could not be collected.', {
          failure: error instanceof Error ? error.name : 'unknown',
        });
        sendResponse(reply, 503, text, 'not available\n', isHead);
      },
    );
  });
  const address = await startListening(server, host, port);
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shownHost}:${address.port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function startListening(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isUsed = error.code === 'EADDRINUSE';
      const what = isUsed ? 'is in use by another process' : `cannot be listened on (${error.code})`;
      const text = `POOLGATE_METRICS_PORT: ${port} on ${host} ${what}`;
      reject(new StartError(isUsed ? 'address_in_use' : 'address_refused', text, error));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}
