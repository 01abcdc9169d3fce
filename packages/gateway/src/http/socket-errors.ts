import type { Socket } from 'node:net';
import type { ErrorCode } from '@poolgate/contract';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createProblemBody, PROBLEM_TYPE } from './problem.ts';

// Importing node:http evaluates all of its exports, one of which loads the whole fetch implementation.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Node's errors about input that never became a request. */
const BY_NODE_CODE: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Node's report of an unreadable request. */
interface SocketError extends Error {
  readonly code?: string;
  /** The bytes at which it stopped, usually the request from its first line on. */
  readonly rawPacket?: unknown;
}

/** Responds on the bare connection and closes it, because nothing on it can be trusted after bytes that are not HTTP. */
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
  // A response to HEAD ends with its header. A body would be read as the start of the next response.
  const isHead = Buffer.isBuffer(error.rawPacket) && error.rawPacket.toString('latin1', 0, 5) === 'HEAD ';
  socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`);
  closeBothSides(socket);
}

/** Long enough for a response to arrive. Closing immediately, with unread input, would discard it. */
const LINGER_MS = 1_000;

/** No other limit applies to a connection that was ended here. A client that does not close it too would occupy file descriptors. */
function closeBothSides(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
