import type { Socket } from 'node:net';
import type { ErrorCode } from '@poolgate/contract';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createProblemBody, PROBLEM_TYPE } from './problem.ts';

// An import of node:http evaluates all of its exports, and one of them loads the whole fetch implementation.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** What Node found wrong with a request that never became one. */
const BY_NODE_CODE: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** What Node reports of a request that it could not read. */
interface SocketError extends Error {
  readonly code?: string;
  /** The bytes at which it gave up; mostly the request from its first line on. */
  readonly rawPacket?: unknown;
}

/** Answers on the bare connection, and closes it: after bytes that are no HTTP nothing on it can be trusted. */
export function respondToSocketError(error: SocketError, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = new GatewayError(BY_NODE_CODE[error.code ?? ''] ?? 'malformed_request');
  const body = JSON.stringify(createProblemBody(refusal, requestId));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  // An answer to HEAD ends with its header: what followed would be read as the start of another one.
  const isHead = Buffer.isBuffer(error.rawPacket) && error.rawPacket.toString('latin1', 0, 5) === 'HEAD ';
  socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`);
  closeBothSides(socket);
}

/** Long enough for an answer to arrive: closed at once over bytes that nobody read, the connection would take it away again. */
const LINGER_MS = 1_000;

/** No other limit looks at a connection that ended here: whoever does not end it too would keep it, as many as there are descriptors. */
function closeBothSides(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
