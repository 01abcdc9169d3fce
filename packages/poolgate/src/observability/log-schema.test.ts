import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DEMO_USER, start } from '../index.ts';
import { findLogLineFaults, LOG_FIELDS } from './testing/log-schema.ts';

const GUIDE = readFileSync(new URL('../../../../docs/reference/log.md', import.meta.url), 'utf8');

test('the log line of an overloaded service matches the schema', () => {
  assert.deepEqual(findLogLineFaults('{"level":40,"time":1,"delayMs":53,"msg":"overloaded"}'), []);
});

test('the log line about the host of an application matches the schema', () => {
  assert.deepEqual(findLogLineFaults('{"level":40,"time":1,"requestId":"r","host":"app.example.com","msg":"m"}'), []);
});

test('the guide explains every member of a log line', () => {
  for (const [name, { type }] of Object.entries(LOG_FIELDS)) {
    assert.ok(
      GUIDE.split('\n').some((line) => line.startsWith(`| \`${name}\` | ${type} |`)),
      `docs/reference/log.md has no row for ${name}`,
    );
  }
});

test('the log lines of a service match the schema: good and bad requests, starts, mails, slow statements and failures', async (context) => {
  const lines: string[] = [];
  const service = await start({
    databaseUrl: 'sqlite::memory:',
    port: 0,
    slowStatementMs: 1,
    logLevel: 'trace',
    mfaQrLibrary: 'https://qr.example.com/?data=',
    logStream: { write: (line) => void lines.push(...line.trim().split('\n')) },
    onEvent: () => {
      throw new TypeError('a hook that fails');
    },
  });
  context.after(() => service.close());
  const json = { 'content-type': 'application/json' };
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = json) =>
    fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { email: username, password } = DEMO_USER;
  const count = 20;
  await Promise.all(Array.from({ length: count }, () => post('/login', { username, password })));
  await post('/login', { username, password: 'Not-The-Passw0rd' });
  await post('/register', { email: 'ada@example.com', password: 'Ada-Passw0rd!' });
  await post('/login', {}, { ...json, origin: 'https://elsewhere.example' });
  await fetch(`${service.url}/nowhere/${username}`);
  await fetch(`${service.url}/login`, { method: 'DELETE' });
  const target = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'AWSCognitoIdentityProviderService.GetUser',
  };
  await post('/', { AccessToken: 'none' }, target);
  await service.close();
  assert.ok(lines.length > count);
  for (const line of lines) assert.deepEqual(findLogLineFaults(line), [], line);
  const all = lines.join('\n');
  assert.match(all, /"msg":"request"/);
  assert.match(all, /A statement of the database was slow/);
  assert.match(all, /The hook onEvent failed/);
  for (const secret of [password, username, 'ada@example.com', 'Ada-Passw0rd!'])
    assert.ok(!all.includes(secret), secret);
});

test('a line with an unknown member, or without a time, does not match the schema', () => {
  assert.deepEqual(findLogLineFaults('{"level":30,"time":1,"msg":"request","password":"x"}'), [
    'password is not in the schema',
  ]);
  assert.deepEqual(findLogLineFaults('{"level":"info","msg":"request"}'), [
    'time is missing',
    'level is of the type string',
  ]);
});
