import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { DEMO_USER, type Service, StartError, type StartOptions, start } from '../index.ts';
import { METRICS, type MetricName } from './metric-table.ts';

const OPTIONS: StartOptions = { databaseUrl: 'sqlite::memory:', port: 0, metricsPort: 0, limitReads: 0, threads: 1 };
const GUIDE = readFileSync(new URL('../../../../docs/reference/monitoring.md', import.meta.url), 'utf8');

interface Observed extends Service {
  readonly metricsUrl: string;
}

async function started(context: TestContext, options: StartOptions = {}): Promise<Observed> {
  const service = await start({ ...OPTIONS, ...options });
  context.after(() => service.close());
  const { metricsUrl } = service;
  assert.ok(metricsUrl !== undefined);
  return { ...service, metricsUrl };
}

async function fetchMetrics({ metricsUrl }: Observed): Promise<string> {
  const answer = await fetch(metricsUrl);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return answer.text();
}

/** The value of a series, or undefined. */
function seriesValue(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

async function logIn({ url }: Service, username: string, password: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/login`, { method: 'POST', headers, body: JSON.stringify({ username, password }) });
  await answer.arrayBuffer();
  return answer.status;
}

test('requests and operations are counted by pattern and outcome, on a separate port', async (context) => {
  const service = await started(context);
  assert.equal(await logIn(service, DEMO_USER.email, DEMO_USER.password), 200);
  assert.equal(await logIn(service, DEMO_USER.email, 'Not-The-Passw0rd'), 401);
  await fetch(`${service.url}/device/us-east-1_nobody`);
  const text = await fetchMetrics(service);
  const requests = (labels: string) => seriesValue(text, `poolgate_http_requests_total{${labels}}`);
  assert.equal(requests('method="POST",route="/login",status="200"'), 1);
  assert.equal(requests('method="POST",route="/login",status="401"'), 1);
  assert.equal(requests('method="GET",route="/device/:device_key",status="401"'), 1);
  assert.equal(seriesValue(text, 'poolgate_http_request_seconds_count{route="/login"}'), 2);
  const operations = (labels: string) => seriesValue(text, `poolgate_operations_total{${labels}}`);
  assert.equal(operations('operation="log_in_with_password",outcome="ok"'), 1);
  assert.equal(operations('operation="log_in_with_password",outcome="NotAuthorizedException"'), 1);
  for (const check of ['store', 'keys', 'clock', 'senders', 'triggers']) {
    assert.equal(seriesValue(text, `poolgate_ready{check="${check}"}`), 1, check);
  }
  assert.equal(seriesValue(text, 'poolgate_messages_waiting'), 0);
  assert.doesNotMatch(text, /poolgate_database_file_bytes\{/);
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
});

test('attackers can neither add series nor appear in them', async (context) => {
  const service = await started(context);
  const attack = async (mark: string): Promise<string> => {
    await logIn(service, `${mark}@example.com`, `Passw0rd-${mark}`);
    await fetch(`${service.url}/${mark}/path?query=${mark}`);
    await fetch(`${service.url}/device/${mark}`, { headers: { authorization: `Bearer ${mark}` } });
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    for (const target of ['AWSCognitoIdentityProviderService.GetUser', `AWSCognitoIdentityProviderService.${mark}`]) {
      const body = JSON.stringify({ AccessToken: mark });
      await fetch(service.url, { method: 'POST', headers: { ...headers, 'x-amz-target': target }, body });
    }
    return fetchMetrics(service);
  };
  const countSeries = (text: string) => text.split('\n').filter((line) => line.startsWith('poolgate_')).length;
  const first = await attack('markone');
  const second = await attack('marktwo');
  assert.equal(countSeries(second), countSeries(first));
  assert.doesNotMatch(second, /markone|marktwo/i);
});

test('messages and deliveries are counted, and the used share of the day', async (context) => {
  const service = await started(context, { limitMessages: 40 });
  const input = {
    ClientId: service.clientId,
    Username: 'ada@example.com',
    Password: 'Ada-Passw0rd!',
    UserAttributes: [{ Name: 'email', Value: 'ada@example.com' }],
  };
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'AWSCognitoIdentityProviderService.SignUp',
  };
  await fetch(service.url, { method: 'POST', headers, body: JSON.stringify(input) });
  const text = await fetchMetrics(service);
  assert.equal(seriesValue(text, 'poolgate_messages_total{channel="email",result="sent"}'), 1);
  const used = ['unproven', 'sign_up', 'proven', 'signed_in'].map((part) =>
    seriesValue(text, `poolgate_messages_day_used_ratio{part="${part}"}`),
  );
  assert.deepEqual(used, [0.05, 0.1, 0, 0]);
  assert.equal(seriesValue(text, 'poolgate_operations_total{operation="SignUp",outcome="ok"}'), 1);
});

test('exactly the metrics of the table are served and explained in the guide', async (context) => {
  const text = await fetchMetrics(await started(context));
  const served = [...text.matchAll(/^# TYPE (poolgate_\S+) (\S+)$/gm)].map(([, name, kind]) => [name, kind]);
  const table = Object.entries(METRICS).map(([name, { kind }]) => [name, kind]);
  assert.deepEqual(served.toSorted(), table.toSorted());
  for (const name of Object.keys(METRICS) as MetricName[]) {
    const row = GUIDE.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    const { labels } = METRICS[name];
    assert.ok(row, `docs/reference/monitoring.md has no row for ${name}`);
    for (const label of labels) assert.ok(row.includes(`\`${label}\``), `the row of ${name} names ${label}`);
  }
});

test('the port of the metrics serves nothing else, and the service serves no metrics', async (context) => {
  const service = await started(context);
  assert.equal((await fetch(`${service.url}/metrics`)).status, 404);
  const { origin } = new URL(service.metricsUrl);
  for (const path of ['/', '/login/parameters', '/metrics/', '/dev/outbox']) {
    assert.equal((await fetch(`${origin}${path}`)).status, 404, path);
  }
  const posted = await fetch(service.metricsUrl, { method: 'POST', body: 'x' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  const { port } = new URL(service.metricsUrl);
  await assert.rejects(
    start({ ...OPTIONS, metricsPort: Number(port) }),
    (error) => error instanceof StartError && error.code === 'address_in_use' && /METRICS_PORT/.test(error.message),
  );
  await service.close();
  await assert.rejects(fetch(service.metricsUrl));
});

test('a page whose name points to the port of the metrics cannot read them', async (context) => {
  const service = await started(context, { metricsNames: ['Auth-1.example.com'] });
  const { port } = new URL(service.metricsUrl);
  const fetchStatus = (host: string, method = 'GET') =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method, path: '/metrics', headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on('error', reject);
      sent.end();
    });
  for (const host of [
    '127.0.0.1',
    '10.1.2.3:9464',
    '[::1]:9464',
    'localhost',
    'poolgate:9464',
    'auth-1.example.com:1',
  ]) {
    assert.equal(await fetchStatus(host), 200, host);
  }
  for (const host of [
    'evil.test',
    'evil.test:9464',
    'auth-1.example.com.evil.test',
    '127.0.0.1.evil.test',
    'a@b.c',
    '[::1',
    'a b',
  ]) {
    assert.equal(await fetchStatus(host), 421, host);
    assert.equal(await fetchStatus(host, 'POST'), 421, host);
  }
});

test('without a port nothing is counted', async (context) => {
  const { metricsPort: _, ...options } = OPTIONS;
  const service = await start(options);
  context.after(() => service.close());
  assert.equal(service.metricsUrl, undefined);
});
