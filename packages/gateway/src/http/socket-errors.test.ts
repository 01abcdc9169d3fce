import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { respondToSocketError } from './socket-errors.ts';

/** Everything received on a connection until it closes. */
async function answerTo(request: string): Promise<string> {
  const server = createServer().on('clientError', (error, socket) =>
    respondToSocketError(error, socket as never, 'r1'),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.end(request);
  await once(socket, 'close');
  server.close();
  return Buffer.concat(parts).toString('utf8');
}

const LONG = 'a'.repeat(20_000);

test('a header that is too large gets a problem, and the connection is closed', async () => {
  const [head = '', body = ''] = (await answerTo(`GET /${LONG} HTTP/1.1\r\n\r\n`)).split('\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 431 /);
  assert.match(head, /^Connection: close$/m);
  assert.equal((JSON.parse(body) as { code: string }).code, 'headers_too_large');
});

test('a response to HEAD ends with its header, also if the request could not be read', async () => {
  const answer = await answerTo(`HEAD /${LONG} HTTP/1.1\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 431 .*\r\n\r\n$/s);
});

/** A connection that records its calls. */
class NotedSocket extends EventEmitter {
  readonly destroyed: boolean;
  readonly writable: boolean;
  readonly done: string[] = [];

  constructor({ destroyed = false, writable = true } = {}) {
    super();
    this.destroyed = destroyed;
    this.writable = writable;
  }

  end(text: string): void {
    this.done.push(text);
  }

  destroy(): void {
    this.done.push('destroyed');
  }
}

/** The calls on a connection for which Node reports an error. */
function doneAfter(error: object, socket = new NotedSocket()): NotedSocket {
  respondToSocketError(Object.assign(new Error('x'), error), socket as unknown as Socket, 'r1');
  return socket;
}

test('an unreadable request gets a complete response with the reason', () => {
  for (const [code, line, error] of [
    ['HPE_INVALID_METHOD', '400 Bad Request', 'malformed_request'],
    [undefined, '400 Bad Request', 'malformed_request'],
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'request_timeout'],
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'headers_too_large'],
  ] as const) {
    const [answer = '', ...more] = doneAfter({ code }).done;
    const [head, body = ''] = answer.split('\r\n\r\n');
    assert.deepEqual(head?.split('\r\n'), [
      `HTTP/1.1 ${line}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Request-Id: r1',
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ]);
    const { code: told, instance } = JSON.parse(body);
    assert.deepEqual([told, instance, more], [error, 'urn:uuid:r1', []]);
  }
  const packet = (text: string) => ({ rawPacket: Buffer.from(text) });
  assert.match(doneAfter(packet('GET / HTTP/1.1')).done[0] ?? '', /\r\n\r\n\{/);
  assert.match(doneAfter(packet('HEADER / HTTP/1.1')).done[0] ?? '', /\r\n\r\n\{/);
  assert.match(doneAfter(packet('HEAD / HTTP/1.1')).done[0] ?? '', /\r\n\r\n$/);
});

test('a closed connection gets no response', () => {
  assert.deepEqual(doneAfter({ code: 'ECONNRESET' }).done, ['destroyed']);
  assert.deepEqual(doneAfter({}, new NotedSocket({ destroyed: true })).done, ['destroyed']);
  assert.deepEqual(doneAfter({}, new NotedSocket({ writable: false })).done, ['destroyed']);
});

test('the connection is destroyed a second after the response, unless it has ended by then', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const [kept, ended] = [doneAfter({}), doneAfter({})];
  context.mock.timers.tick(999);
  ended.emit('close');
  assert.equal(kept.done.length, 1);
  context.mock.timers.tick(1);
  assert.deepEqual([kept.done.at(-1), ended.done.length], ['destroyed', 1]);
});

test('a client that never closes its side keeps no connection, whether silent or sending', {
  timeout: 20_000,
}, async (context) => {
  const server = createServer().on('clientError', (error, socket) =>
    respondToSocketError(error, socket as never, 'r1'),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  for (const rest of ['', 'more']) {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
    context.after(() => socket.destroy());
    socket.on('error', () => {});
    const [taken] = (await once(server, 'connection')) as [Socket];
    socket.write(`NONSENSE\r\n\r\n${rest}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 400 /);
    if (!taken.closed) await once(taken, 'close');
  }
});
