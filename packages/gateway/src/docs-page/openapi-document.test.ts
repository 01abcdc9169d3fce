import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenApiDocument } from '@poolgate/contract';
import { createOpenApi } from './openapi-document.ts';

const INFO = { apiPrefix: '/api/cognito', webPrefix: '/cognito' };

test('the document of a service is created once, with its prefixes, and not shared between services', () => {
  const [one, other] = [createOpenApi(INFO), createOpenApi({ ...INFO, webPrefix: '/other' })];
  assert.equal(one(), one());
  assert.deepEqual(one(), createOpenApiDocument(INFO));
  assert.notDeepEqual(other(), one());
});
