import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '@poolgate/contract';
import { createOpenApi } from './openapi-document.ts';

test('the document of a service is made once, with its prefix, and never for another service', () => {
  const [one, other] = [createOpenApi('/api/cognito'), createOpenApi('/other')];
  assert.equal(one(), one());
  assert.deepEqual(one(), openApiDocument({ apiPrefix: '/api/cognito' }));
  assert.notDeepEqual(other(), one());
});
