import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preflightResponse } from './cors.ts';

const ALLOW_HEADERS = 'access-control-allow-headers';
const REQUEST_HEADERS = 'access-control-request-headers';

test('allows a preflight from any origin, for two days and without credentials', () => {
  const { status, headers, body } = preflightResponse({ origin: 'https://app.example' });
  assert.equal(status, 200);
  assert.equal(body, '');
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.equal(headers['access-control-allow-methods'], 'POST');
  assert.equal(headers['access-control-max-age'], '172800');
  assert.equal(headers['access-control-allow-credentials'], undefined);
});

test('allows the requested headers', () => {
  const requested = 'amz-sdk-invocation-id,amz-sdk-request, content-type,x-amz-target,x-amz-user-agent,x-future';
  assert.equal(preflightResponse({ [REQUEST_HEADERS]: requested }).headers[ALLOW_HEADERS], requested);
});

test('does not repeat a list that contains anything but header names', () => {
  const hostile = ['a\r\nset-cookie: x=1', 'a b', '<script>', 'a,,b', ',', `a${'a'.repeat(2000)}`, 'é'];
  for (const requested of [...hostile, undefined, ['content-type', 'x-amz-target']]) {
    const allowed = preflightResponse({ [REQUEST_HEADERS]: requested }).headers[ALLOW_HEADERS];
    assert.match(allowed ?? '', /^[a-z0-9-]+(, [a-z0-9-]+)*$/);
    for (const name of ['content-type', 'x-amz-target', 'x-amz-user-agent', 'cache-control', 'authorization']) {
      assert.ok(allowed?.split(', ').includes(name), name);
    }
  }
});
