import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { fromProviderError, GatewayError } from '../errors.ts';
import { testDeps, testProvider } from '../testing/gateway-deps.ts';
import { describeFailure, failureLevel, loggerOptions } from './log.ts';
import { createServer } from './server.ts';

test('a failure is described by names and places, never by messages', () => {
  const cause = new SyntaxError('Cannot convert Correct-Horse1! to a BigInt');
  const described = describeFailure(new GatewayError('internal_error', 'Correct-Horse1!', { cause }));
  const line = JSON.stringify(described);
  assert.doesNotMatch(line, /Horse/);
  assert.match(line, /SyntaxError/);
  assert.match(line, /log\.test\.ts/);
});

test('a message of several lines does not slip in as a place', () => {
  const line = JSON.stringify(describeFailure(new Error('first\n    Correct-Horse1!')));
  assert.doesNotMatch(line, /Horse/);
});

test('what is thrown without being an error is named by its type only', () => {
  assert.deepEqual(describeFailure('Correct-Horse1!'), { name: 'string' });
});

test('trouble of a provider elsewhere is a warning, and every other failure an error', () => {
  const away = new ProviderError('InternalErrorException', 'x', { reason: 'provider_unavailable' });
  assert.equal(failureLevel(fromProviderError(away)), 'warn');
  assert.equal(failureLevel(away), 'warn');
  assert.equal(failureLevel(fromProviderError(new ProviderError('InternalErrorException', 'x'))), 'error');
  assert.equal(failureLevel(new TypeError('x')), 'error');
  assert.equal(failureLevel('x'), 'error');
});

test('a circle of causes ends', () => {
  const error = new Error('x');
  error.cause = error;
  assert.ok(JSON.stringify(describeFailure(error)).length < 20_000);
});

test('a line loses secret members, its own and those of its objects, and errors their messages', () => {
  const { log } = loggerOptions(testDeps({})).formatters;
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

test('no member that holds a secret is written, by whatever name a body, an answer or a challenge has it', () => {
  const { log } = loggerOptions(testDeps({})).formatters;
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
  const provider = { ...testProvider(() => []), describe: () => Promise.reject(new TypeError('Correct-Horse1!')) };
  const logStream = { write: (line: string) => lines.push(line) };
  const app = await createServer(testDeps({ provider, logStream }, { logLevel: 'info' }));
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

test('at a level above theirs answered requests have no line', async () => {
  const lines: string[] = [];
  const app = await createServer(testDeps({ logStream: { write: (line) => lines.push(line) } }, { logLevel: 'warn' }));
  assert.equal((await app.inject('/healthz')).statusCode, 200);
  await app.close();
  assert.deepEqual(lines, []);
});
