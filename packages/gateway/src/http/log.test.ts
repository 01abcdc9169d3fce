import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { convertProviderError, GatewayError } from '../kernel/gateway-errors.ts';
import { createTestDeps, createTestProvider, START_MS } from '../testing/gateway-deps.ts';
import { createLoggerOptions, createRequestLog, describeFailure, RequestLogger, selectFailureLevel } from './log.ts';
import { createServer } from './server.ts';

test('a failure is described by names and places, never by messages', () => {
  const cause = new SyntaxError('Cannot convert Correct-Horse1! to a BigInt');
  const described = describeFailure(new GatewayError('internal_error', 'Correct-Horse1!', { cause }));
  const line = JSON.stringify(described);
  assert.doesNotMatch(line, /Horse/);
  assert.match(line, /SyntaxError/);
  assert.match(line, /log\.test\.ts/);
});

test('a message of several lines cannot pose as a place', () => {
  const line = JSON.stringify(describeFailure(new Error('first\n    Correct-Horse1!')));
  assert.doesNotMatch(line, /Horse/);
});

test('a thrown value that is not an error is named only by its type', () => {
  assert.deepEqual(describeFailure('Correct-Horse1!'), { name: 'string' });
});

test('a failing external provider is a warning, and every other failure an error', () => {
  const away = new ProviderError('InternalErrorException', 'x', { reason: 'provider_unavailable' });
  assert.equal(selectFailureLevel(convertProviderError(away)), 'warn');
  assert.equal(selectFailureLevel(away), 'warn');
  assert.equal(selectFailureLevel(convertProviderError(new ProviderError('InternalErrorException', 'x'))), 'error');
  assert.equal(selectFailureLevel(new TypeError('x')), 'error');
  assert.equal(selectFailureLevel('x'), 'error');
});

test("a failure is logged with its code, the provider's details, and up to three causes", () => {
  const chain = ['e', 'd', 'c', 'b', 'a'].reduce<Error | undefined>((cause, name) => {
    const error = new Error('x', cause === undefined ? {} : { cause });
    error.name = name;
    return error;
  }, undefined);
  type Described = { readonly name: string; readonly cause?: Described };
  const names = ({ name, cause }: Described): readonly string[] => [name, ...(cause === undefined ? [] : names(cause))];
  assert.deepEqual(names(describeFailure(chain) as unknown as Described), ['a', 'b', 'c', 'd']);
  const refusal = new ProviderError('InternalErrorException', 'told', { reason: 'provider_timeout' });
  const { at, ...told } = describeFailure(refusal);
  assert.deepEqual(told, {
    name: refusal.name,
    errorCode: 'InternalErrorException',
    reason: 'provider_timeout',
    providerMessage: 'told',
  });
  assert.match(String((at as readonly string[])[0]), /^at .*log\.test\.ts/);
  const { at: _at, ...plain } = describeFailure(Object.assign(new Error('x'), { code: 7, stack: undefined }));
  assert.deepEqual(plain, { name: 'Error', errorCode: '7' });
});

test('a cycle of causes ends', () => {
  const error = new Error('x');
  error.cause = error;
  assert.ok(JSON.stringify(describeFailure(error)).length < 20_000);
});

test('a line omits secret members at any level, and messages of errors', () => {
  const { log } = createLoggerOptions(createTestDeps({})).formatters;
  const line = log({
    status: 401,
    password: 'Correct-Horse1!',
    body: { username: 'ada', SECRET_BLOCK: 'AAAA', credential: { id: 'AAAA' }, count: 1 },
    err: new Error('Correct-Horse1!'),
  });
  assert.deepEqual(Object.keys(line), ['status', 'body', 'err']);
  assert.deepEqual(line.body, { username: 'ada', count: 1 });
  assert.doesNotMatch(JSON.stringify(line), /Horse|AAAA/);
});

test('values that are not plain objects are written unchanged', () => {
  const { log } = createLoggerOptions(createTestDeps({})).formatters;
  const made = new Date(START_MS);
  const line = { none: null, missing: undefined, made, list: [1], text: 'a', count: 1, is: true };
  assert.deepEqual(log(line), line);
  // Copying deeper values would cost each line more than it protects.
  const inner = { name: 'ada' };
  assert.equal((log({ outer: { inner } }).outer as { readonly inner: object }).inner, inner);
});

test('the logger of a request is created once, when something is logged', () => {
  const written: unknown[] = [];
  const note =
    (name: string) =>
    (...given: readonly unknown[]) =>
      void written.push([name, ...given]);
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
  const child = { ...Object.fromEntries(levels.map((name) => [name, note(name)])), child: note('child') };
  const made: unknown[] = [];
  const parent = {
    level: 'warn',
    child(bindings: unknown) {
      made.push(bindings);
      return child;
    },
  } as unknown as FastifyBaseLogger;
  const logger = new RequestLogger(parent, { requestId: 'r1' });
  assert.deepEqual([logger.level, made], ['warn', []]);
  for (const name of levels) logger[name]({ a: 1 }, name);
  logger.child({ b: 2 }, { level: 'info' });
  assert.deepEqual(made, [{ requestId: 'r1' }]);
  assert.deepEqual(written, [...levels.map((name) => [name, { a: 1 }, name]), ['child', { b: 2 }, { level: 'info' }]]);
});

test('the line of a request has its pattern, status, error and tenths of milliseconds', () => {
  const lines: string[] = [];
  const log = createRequestLog(
    createTestDeps({ logStream: { write: (line) => void lines.push(line) } }, { logLevel: 'info' }),
  );
  const writeLine = (request: object, reply: object, headers: Readonly<Record<string, string>> = {}) => {
    lines.length = 0;
    const asked = { id: 'r1', method: 'GET', routeOptions: {}, loggedPath: null, ...request };
    const answered = {
      statusCode: 200,
      elapsedTime: 12.34,
      problemCode: null,
      getHeader: (name: string) => headers[name],
      ...reply,
    };
    log(asked as FastifyRequest, answered as unknown as FastifyReply, '203.0.113.5');
    assert.equal(lines.length, 1);
    const { level, time, requestId, method, address, msg, ...told } = JSON.parse(lines[0] ?? '');
    assert.deepEqual(
      [level, time, requestId, method, address, msg],
      [30, START_MS, 'r1', 'GET', '203.0.113.5', 'request'],
    );
    return told;
  };
  const none = { route: '(none)', ms: 12.3 };
  assert.deepEqual(writeLine({}, {}), { ...none, status: 200 });
  assert.deepEqual(writeLine({ routeOptions: { url: '/a/:b' } }, { statusCode: 399 }), {
    ...none,
    route: '/a/:b',
    status: 399,
  });
  assert.deepEqual(writeLine({ loggedPath: '/x' }, { statusCode: 400, problemCode: 'not_found' }), {
    ...none,
    path: '/x',
    status: 400,
    error: 'not_found',
  });
  const errorType = { 'x-amzn-errortype': 'NotAuthorizedException:' };
  assert.deepEqual(writeLine({}, { statusCode: 400 }, errorType), {
    ...none,
    status: 400,
    error: 'NotAuthorizedException',
  });
  assert.deepEqual(writeLine({}, { statusCode: 500 }), { ...none, status: 500 });
});

test('no member with a secret is written, under any name in a body, a response or a challenge', () => {
  const { log } = createLoggerOptions(createTestDeps({})).formatters;
  const secrets = [
    ...['password', 'temp_password', 'new_password', 'code', 'recovery_codes', 'SecretCode', 'SecretCodeQR', 'TotpUri'],
    ...['authorization', 'cookie', 'access_token', 'refresh_token', 'id_token'],
    ...['session', 'session_token', 'Session', 'challenge_value', 'challenge_params'],
    ...['PASSKEY_HASH', 'PRIVATE_KEY', 'PASSWORD_CLAIM_SIGNATURE', 'SECRET_BLOCK'],
    ...['credential', 'CREDENTIAL', 'device_config'],
  ];
  for (const name of secrets) {
    assert.deepEqual(log({ [name]: '123456', status: 200 }), { status: 200 }, name);
    assert.deepEqual(log({ body: { [name]: { is: '123456' } } }), { body: {} }, name);
  }
});

test('an answered request has one line, a failed one two, and each begins with its level, time and request', async () => {
  const lines: string[] = [];
  const provider = {
    ...createTestProvider(() => []),
    describe: () => Promise.reject(new TypeError('Correct-Horse1!')),
  };
  const logStream = { write: (line: string) => lines.push(line) };
  const app = await createServer(createTestDeps({ provider, logStream }, { logLevel: 'info' }));
  const answers = [await app.inject('/healthz'), await app.inject('/login/parameters?x=1')];
  await app.close();
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 500],
  );
  const [good, failed] = answers.map(({ headers }) => headers['x-request-id']);
  const known = lines.map((line) =>
    Object.entries(JSON.parse(line)).filter(([name]) => !['time', 'ms'].includes(name)),
  );
  const answered = { method: 'GET', address: '127.0.0.1', msg: 'request' };
  const { failure } = JSON.parse(lines[1] ?? '');
  assert.equal(failure.name, 'TypeError');
  assert.deepEqual(known.map(Object.fromEntries), [
    { level: 30, requestId: good, ...answered, route: '/healthz', status: 200 },
    { level: 50, requestId: failed, failure, msg: 'failure' },
    { level: 30, requestId: failed, ...answered, route: '/login/parameters', status: 500, error: 'internal_error' },
  ]);
  const start = /^\{"level":\d\d,"time":\d{13},"requestId":"[0-9a-f-]{36}",.*"msg":"\w+"\}\n$/;
  for (const line of lines) assert.match(line, start);
  assert.doesNotMatch(lines.join(''), /Horse/);
});

test('at a higher level, answered requests have no line', async () => {
  const lines: string[] = [];
  const app = await createServer(
    createTestDeps({ logStream: { write: (line) => lines.push(line) } }, { logLevel: 'warn' }),
  );
  assert.equal((await app.inject('/healthz')).statusCode, 200);
  await app.close();
  assert.deepEqual(lines, []);
});
