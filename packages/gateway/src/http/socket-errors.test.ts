import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { answerSocketError } from './socket-errors.ts';

/** Everything that comes back on a connection until it is closed. */
async function answerTo(request: string): Promise<string> {
  const server = createServer().on('clientError', (error, socket) => answerSocketError(error, socket as never, 'r1'));
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

test('a header that is too large is answered with a problem, and the connection closed', async () => {
  const [head = '', body = ''] = (await answerTo(`GET /${LONG} HTTP/1.1\r\n\r\n`)).split('\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 431 /);
  assert.match(head, /^Connection: close$/m);
  assert.equal((JSON.parse(body) as { code: string }).code, 'headers_too_large');
});

test('an answer to HEAD ends with its header, also when the request could not be read', async () => {
  const answer = await answerTo(`HEAD /${LONG} HTTP/1.1\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 431 .*\r\n\r\n$/s);
});

test('a client that never ends its side keeps no connection, whether it is silent or goes on sending', {
  timeout: 20_000,
}, async (context) => {
  const server = createServer().on('clientError', (error, socket) => answerSocketError(error, socket as never, 'r1'));
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
