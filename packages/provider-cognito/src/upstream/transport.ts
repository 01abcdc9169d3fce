import http from 'node:http';
import https from 'node:https';
import type { HttpRequest } from '@smithy/core/protocols';
import { UpstreamFailure } from './upstream-failure.ts';

/** A complete response, in the SDK's shape. */
export interface TransportResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** Sends requests over persistent connections. */
export interface Transport {
  /**
   * Sends one request and reads its complete response. The signal aborts it, and nothing is sent after the signal.
   * @throws {UpstreamFailure} `unsent` if no connection was established in time
   */
  send(request: HttpRequest, signal: AbortSignal): Promise<TransportResponse>;
  /** Closes the connections. */
  close(): void;
}

/** As many connections as the SDK opens. Further requests wait for one. */
const MAX_SOCKETS = { keepAlive: true, maxSockets: 50 } as const;

/** Creates a transport with a connection timeout in milliseconds. */
export function createTransport(connectMs: number): Transport {
  const plain = new http.Agent(MAX_SOCKETS);
  const secure = new https.Agent(MAX_SOCKETS);
  return {
    async send(request, signal) {
      signal.throwIfAborted();
      const { protocol, hostname, port, path, method, headers, body } = request;
      const isSecure = protocol === 'https:';
      const options = { agent: isSecure ? secure : plain, hostname, port, path, method, headers };
      const sent = (isSecure ? https : http).request(options);
      signal.addEventListener('abort', () => sent.destroy());
      abortUnconnected(sent, connectMs);
      const response = readResponse(sent);
      sent.end(toText(body));
      return response;
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** Node sends a text in one write with the request's header, and bytes in a second write. */
function toText(body: Uint8Array | string): string {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}

/** The time starts with the request, so it includes the wait for a busy connection. */
function abortUnconnected(sent: http.ClientRequest, connectMs: number): void {
  const late = setTimeout(() => sent.destroy(new UpstreamFailure('unsent')), connectMs);
  const stop = () => clearTimeout(late);
  sent.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', stop);
    else stop();
  });
  sent.once('error', stop);
}

function readResponse(sent: http.ClientRequest): Promise<TransportResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<TransportResponse>();
  sent.on('error', reject);
  sent.once('response', (message) => {
    const parts: Buffer[] = [];
    message.on('data', (part: Buffer) => parts.push(part));
    message.once('error', reject);
    message.once('end', () => {
      const { statusCode = 0, headers } = message;
      resolve({ statusCode, headers: headers as Record<string, string>, body: Buffer.concat(parts) });
    });
  });
  return promise;
}
