import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { DEMO_USER, start } from '../index.ts';

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();

const PARENT = '0af7651916cd43dd8448eb211c80319c';

test('a request is a span of its caller, its operation a span inside, and no span shows a user', async (context) => {
  const service = await start({ databaseUrl: 'sqlite::memory:', port: 0 });
  context.after(() => service.close());
  exporter.reset();
  const headers = { 'content-type': 'application/json', traceparent: `00-${PARENT}-b7ad6b7169203331-01` };
  for (const password of [DEMO_USER.password, 'Not-The-Passw0rd']) {
    const body = JSON.stringify({ username: DEMO_USER.email, password });
    await (await fetch(`${service.url}/login`, { method: 'POST', headers, body })).arrayBuffer();
  }
  await service.close();
  const spans = exporter.getFinishedSpans();
  const requests = spans.filter(({ name }) => name === 'POST /login');
  const operations = spans.filter(({ name }) => name === 'log_in_with_password');
  assert.deepEqual([requests.length, operations.length], [2, 2]);
  for (const [index, operation] of operations.entries()) {
    const request = requests[index];
    assert.equal(request?.spanContext().traceId, PARENT);
    assert.equal(request?.parentSpanContext?.spanId, 'b7ad6b7169203331');
    assert.equal(operation.parentSpanContext?.spanId, request?.spanContext().spanId);
  }
  assert.deepEqual(
    requests.map(({ attributes }) => attributes),
    [200, 401].map((status) => ({
      'http.request.method': 'POST',
      'http.route': '/login',
      'http.response.status_code': status,
    })),
  );
  assert.deepEqual(
    operations.map(({ attributes }) => attributes['error.type']),
    [undefined, 'NotAuthorizedException'],
  );
  const told = JSON.stringify(spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]));
  assert.doesNotMatch(told, /demo@|Passw0rd/);
});
