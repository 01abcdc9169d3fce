import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preflightResponse } from './cors.ts';

const ALLOW_HEADERS = 'access-control-allow-headers';
const REQUEST_HEADERS = 'access-control-request-headers';

test('a preflight from any origin is allowed, for two days and without credentials', () => {
  const { status, headers, body } = preflightResponse({ origin: 'https://app.example' });
  assert.equal(status, 200);
  assert.equal(body, '');
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.equal(headers['access-control-allow-methods'], 'POST');
  assert.equal(headers['access-control-max-age'], '172800');
  assert.equal(headers['access-control-allow-credentials'], undefined);
});

test('the requested headers are allowed as they were asked for', () => {
  const requested = 'amz-sdk-invocation-id,amz-sdk-request, content-type,x-amz-target,x-amz-user-agent,x-future';
  assert.equal(preflightResponse({ [REQUEST_HEADERS]: requested }).headers[ALLOW_HEADERS], requested);
});

test('a list that is no list of header names is not repeated', () => {
  const hostile = ['a\r\nset-cookie: x=1', 'a b', '<script>', 'a,,b', ',', `a${'a'.repeat(2000)}`, 'é'];
  for (const requested of [...hostile, undefined, ['content-type', 'x-amz-target']]) {
    const allowed = preflightResponse({ [REQUEST_HEADERS]: requested }).headers[ALLOW_HEADERS];
    assert.match(allowed ?? '', /^[a-z0-9-]+(, [a-z0-9-]+)*$/);
    for (const name of ['content-type', 'x-amz-target', 'x-amz-user-agent', 'cache-control', 'authorization']) {
      assert.ok(allowed?.split(', ').includes(name), name);
    }
  }
});
