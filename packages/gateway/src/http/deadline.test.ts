import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import type { GatewayError } from '../kernel/gateway-errors.ts';
import { addDeadline } from './deadline.ts';

/** How often late responses are checked within the time limit. */
const LOOKS = 20;

function makeApp(responseMs: number) {
  const app = Fastify();
  addDeadline(app, { responseMs, readMs: responseMs * 2 });
  app.setErrorHandler<GatewayError>((error, _request, reply) => reply.code(error.status).send({ code: error.code }));
  return app;
}

test('a request whose handler never responds gets an error when its time is over', async () => {
  const app = makeApp(1);
  app.get('/', () => new Promise(() => {}));
  const answer = await app.inject('/');
  assert.equal(answer.statusCode, 504);
  assert.deepEqual(answer.json(), { code: 'timeout' });
});

test('a late response is dropped', async () => {
  const app = makeApp(1);
  const { promise, resolve } = Promise.withResolvers<string>();
  app.get('/', () => promise);
  assert.equal((await app.inject('/')).statusCode, 504);
  resolve('late');
  await promise;
  assert.equal((await app.inject('/')).payload, 'late');
});

test('each request has its full time and hardly more, also if it arrives while another waits', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const app = makeApp(2_000);
  const begun = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  let asked = 0;
  app.get('/', () => {
    begun[asked++]?.resolve();
    return new Promise(() => {});
  });
  const answered: string[] = [];
  const ask = (name: string) => app.inject('/').then(({ statusCode }) => answered.push(`${name} ${statusCode}`));
  const pass = (looks: number) => {
    for (let look = 0; look < looks; look += 1) context.mock.timers.tick(100);
  };
  const first = ask('first');
  await begun[0]?.promise;
  pass(LOOKS / 2);
  const second = ask('second');
  await begun[1]?.promise;
  pass(LOOKS / 2);
  assert.deepEqual(answered, []);
  pass(1);
  await first;
  assert.deepEqual(answered, ['first 504']);
  pass(LOOKS / 2 - 1);
  assert.deepEqual(answered, ['first 504']);
  pass(1);
  await second;
  assert.deepEqual(answered, ['first 504', 'second 504']);
});

test('the time of a response ends at the first check after it', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const app = makeApp(2_000);
  const begun = Promise.withResolvers<void>();
  app.get('/', () => {
    begun.resolve();
    return new Promise(() => {});
  });
  let isAnswered = false;
  const answer = app.inject('/').then(({ statusCode }) => {
    isAnswered = true;
    return statusCode;
  });
  await begun.promise;
  for (let passedMs = 0; passedMs < 2_099; passedMs += 1) context.mock.timers.tick(1);
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  assert.equal(isAnswered, false);
  context.mock.timers.tick(1);
  assert.equal(await answer, 504);
});

test('a late response that was read leaves no timer behind', async () => {
  const app = makeApp(1);
  app.get('/', () => new Promise(() => {}));
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  assert.equal((await app.inject('/')).statusCode, 504);
  assert.equal(timers(), before);
  await app.close();
});

test('a client that has left is tracked only until the next check', async (context) => {
  const app = makeApp(60_000);
  const begun = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  app.get('/', (request) => {
    request.raw.once('close', () => left.resolve());
    begun.resolve();
    return new Promise(() => {});
  });
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const looks: (() => void)[] = [];
  const set = context.mock.method(globalThis, 'setTimeout', ((look: () => void) => {
    looks.push(look);
    return { ref() {}, unref() {} };
  }) as unknown as typeof setTimeout);
  const client = connect(Number(url.port), url.hostname);
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await begun.promise;
  assert.equal(looks.length, 1);
  looks.shift()?.();
  assert.equal(looks.length, 1, 'while it is there, it is looked after');
  client.destroy();
  await left.promise;
  looks.shift()?.();
  assert.equal(looks.length, 0);
  set.mock.restore();
  await app.close();
});

test('a response in time, a client that leaves and a refusal leave no timer behind', async () => {
  const app = makeApp(60_000);
  app.get('/good', async () => 'good');
  app.get('/never', () => new Promise(() => {}));
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const before = timers();
  assert.equal((await app.inject('/good')).payload, 'good');
  assert.equal((await app.inject('/none')).statusCode, 404);
  assert.equal(timers(), before);
  const started = Promise.withResolvers<void>();
  app.server.once('request', (_request, response) => {
    started.resolve();
    response.once('close', () => closed.resolve());
  });
  const closed = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const call = fetch(`${url}/never`, { signal: leaving.signal });
  await started.promise;
  leaving.abort();
  await assert.rejects(call, { name: 'AbortError' });
  await closed.promise;
  await app.close();
  assert.ok(timers() <= before);
});

test('a client that does not read the response loses the connection, and its response is freed', async () => {
  const app = makeApp(50);
  // More than the buffers of both sides hold.
  const answer = Buffer.alloc(64 * 1024 * 1024);
  app.get('/', async () => answer);
  const closed = Promise.withResolvers<void>();
  app.server.on('request', (_request, response) => response.once('close', () => closed.resolve()));
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const reader = connect(Number(url.port), url.hostname);
  reader.on('error', () => {});
  await once(reader, 'connect');
  reader.pause();
  reader.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await closed.promise;
  reader.destroy();
  await app.close();
});
