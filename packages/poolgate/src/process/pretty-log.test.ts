import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLogLine } from './pretty-log.ts';

const TIME = Date.UTC(2026, 4, 7, 8, 9, 10, 11);

test('a request is a line that people can read', () => {
  const line = { level: 30, time: TIME, requestId: 'r-1', method: 'POST', route: '/login', status: 401 };
  const refused = { ...line, error: 'invalid_credentials', ms: 12.3, address: '127.0.0.1', msg: 'request' };
  assert.equal(
    formatLogLine(JSON.stringify(refused)),
    '08:09:10.011 info  POST /login 401 invalid_credentials 12.3 ms 127.0.0.1  requestId=r-1',
  );
  const unknown = { ...refused, route: '(none)', path: '/users/profile', status: 404, error: 'not_found' };
  assert.match(formatLogLine(JSON.stringify(unknown)), / POST \/users\/profile 404 not_found /);
});

test('any other line is its message and its members', () => {
  const line = { level: 40, time: TIME, origin: 'https://app.example', failure: { name: 'TypeError' }, msg: 'A page.' };
  assert.equal(
    formatLogLine(`${JSON.stringify(line)}\n`),
    '08:09:10.011 warn  A page.  origin=https://app.example  failure={"name":"TypeError"}',
  );
  assert.equal(formatLogLine('no JSON\n'), 'no JSON');
});

test('user input neither breaks a line nor controls the terminal', () => {
  for (const evil of ['a\nfake 200', '\u001b[2Jx', 'x\u2028y', '\u0085', '\u202egnp']) {
    const shown = formatLogLine(JSON.stringify({ level: 30, time: TIME, origin: evil, msg: 'x' }));
    assert.match(shown, /^[\x20-\x7e]+$/, JSON.stringify(evil));
  }
});
