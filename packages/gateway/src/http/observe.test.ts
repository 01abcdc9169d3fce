import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import type { ObservedRequest, RequestResult } from '../kernel/deps.ts';
import { observeRequests } from './observe.ts';

test('an observer runs each request, and gets the status and the seconds', async () => {
  const app = Fastify();
  const asked: ObservedRequest[] = [];
  const answered: RequestResult[] = [];
  observeRequests(app, (request, proceed) => {
    asked.push(request);
    proceed();
    return (answer) => void answered.push(answer);
  });
  const later: string[] = [];
  app.addHook('onResponse', (request, _reply, done) => {
    later.push(request.url);
    done();
  });
  app.get('/users/:name', async (_request, reply) => {
    await null;
    return reply.code(201).send('');
  });
  app.setNotFoundHandler(async (_request, reply) => {
    await null;
    return reply.code(404).send('');
  });
  await app.inject({ url: '/users/ada', headers: { 'x-note': 'a' } });
  await app.inject('/none');
  await app.close();
  assert.deepEqual(
    asked.map(({ method, route, headers }) => [method, route, headers['x-note']]),
    [
      ['GET', '/users/:name', 'a'],
      ['GET', '(none)', undefined],
    ],
  );
  assert.deepEqual(
    answered.map(({ status }) => status),
    [201, 404],
  );
  assert.deepEqual(later, ['/users/ada', '/none']);
});

test('the time of a response is in seconds', () => {
  type Hook = (request: object, reply: object, done: () => void) => void;
  const hooks = new Map<string, Hook>();
  const app = { addHook: (name: string, hook: Hook) => void hooks.set(name, hook) };
  const told: RequestResult[] = [];
  observeRequests(app as unknown as FastifyInstance, () => (answer) => void told.push(answer));
  const request = { method: 'GET', headers: {}, routeOptions: { url: '/' } };
  let done = 0;
  const next = () => {
    done += 1;
  };
  hooks.get('onRequest')?.(request, {}, next);
  assert.equal(done, 0, 'the observer says when it goes on');
  hooks.get('onResponse')?.(request, { statusCode: 200, elapsedTime: 1_500 }, next);
  assert.deepEqual([told, done], [[{ status: 200, seconds: 1.5 }], 1]);
});
