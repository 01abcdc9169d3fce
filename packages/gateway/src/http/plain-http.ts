import type { Server, Socket } from 'node:net';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createErrorPageHeaders, renderErrorPage } from './error-page.ts';

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localPort'>;

/**
 * Connections to an https server. A plain http request fails as TLS, and then only the underlying socket can send a response that the
 * browser understands.
 */
export class PlainConnections {
  readonly #open = new Map<string, Socket>();

  constructor(server: Server) {
    server.prependListener('connection', (socket: Socket) => {
      const name = toPeerKey(socket);
      this.#open.set(name, socket);
      socket.once('close', () => this.#open.delete(name));
    });
  }

  /**
   * Answers an http request with a page that contains the correct address. Nothing is known about the request, so the page is in English.
   */
  answer(peer: Peer, baseUrl: string, requestId: string): void {
    const socket = this.#open.get(toPeerKey(peer));
    if (socket === undefined || !socket.writable) return;
    const address = { opened: `http://…:${peer.localPort}`, baseUrl };
    const error = new GatewayError('misdirected_request', undefined, { reason: 'wrong_address', address });
    const page = renderErrorPage('en', error, requestId);
    const headers = { ...createErrorPageHeaders(error, 'en'), 'content-type': 'text/html; charset=utf-8' };
    const lines = Object.entries({ ...headers, 'cache-control': 'no-store', connection: 'close' });
    const head = [`HTTP/1.1 ${error.status} Misdirected Request`, ...lines.map(([name, value]) => `${name}: ${value}`)];
    head.push(`content-length: ${Buffer.byteLength(page)}`);
    socket.write(`${head.join('\r\n')}\r\n\r\n${page}`);
  }
}

const toPeerKey = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`;
