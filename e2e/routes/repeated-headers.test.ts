import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { startTestService, type TestService } from '../support/services/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

interface Sent {
  readonly path: string;
  /** Names and values, alternating. */
  readonly headers: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends headers exactly as given, including duplicates. */
function send({ path, headers, body }: Sent): Promise<{ status: number; requestId: unknown; body: unknown }> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const all = [...headers, 'Content-Length', String(Buffer.byteLength(text))];
    const sending = request(`${service.url}${path}`, { method: 'POST', headers: all }, async (response) => {
      const chunks: Buffer[] = await response.toArray();
      const { statusCode: status = 0, headers: answered } = response;
      resolve({ status, requestId: answered['x-request-id'], body: JSON.parse(Buffer.concat(chunks).toString()) });
    });
    sending.on('error', reject).end(text);
  });
}

/** One valid request per entry point. The operation is an administrator's, so that its credentials are verified. */
function entryPoints(): readonly { readonly entryPoint: string; readonly sent: Sent }[] {
  const host = new URL(service.url).host;
  const { authorization = '' } = service.asAdmin;
  return [
    {
      entryPoint: 'the routes',
      sent: {
        path: '/admin/groups',
        headers: ['Host', host, 'Content-Type', 'application/json', 'Authorization', authorization],
        body: { group_name: 'owners' },
      },
    },
    {
      entryPoint: 'the Cognito-compatible API',
      sent: {
        path: '/',
        headers: [
          ...['Host', host, 'Content-Type', 'application/x-amz-json-1.1', 'Authorization', authorization],
          ...['X-Amz-Target', 'AWSCognitoIdentityProviderService.ListGroups'],
        ],
        body: { UserPoolId: service.userPoolId },
      },
    },
  ];
}

describe('a duplicate header that names the caller, the target or the form', () => {
  test('gets 400 at both entry points, whatever the second value is, and the request has no effect', async () => {
    for (const { entryPoint, sent } of entryPoints()) {
      for (const name of ['Host', 'Authorization', 'Content-Type']) {
        const first = sent.headers[sent.headers.indexOf(name) + 1] ?? '';
        for (const second of [first, 'other.example', '']) {
          const headers = [...sent.headers, name.toLowerCase(), second];
          const answer = await send({ ...sent, headers, body: { ...sent.body, group_name: 'never' } });
          assert.equal(
            answer.status,
            400,
            `${entryPoint}, ${name} twice, then ${second}: ${JSON.stringify(answer.body)}`,
          );
          assert.ok(answer.requestId, entryPoint);
        }
      }
    }
    const groups = await service.get('/admin/groups', service.asAdmin);
    assert.doesNotMatch(groups.text, /never/);
  });

  test('gets an error in the form of the entry point', async () => {
    const [routes, cognitoApi] = entryPoints().map(({ sent }) => ({
      ...sent,
      headers: [...sent.headers, 'Host', 'other.example'],
    }));
    assert.ok(routes && cognitoApi);
    const refused = (await send(routes)).body as Record<string, unknown>;
    assert.deepEqual([refused.code, refused.status], ['malformed_request', 400]);
    const refusedByCognitoApi = (await send(cognitoApi)).body as Record<string, unknown>;
    assert.equal(refusedByCognitoApi.__type, 'SerializationException');
  });

  test('is the reason for the refusal: sent once, the same requests succeed', async () => {
    for (const { entryPoint, sent } of entryPoints()) {
      const { status, body } = await send(sent);
      assert.ok(status === 200 || status === 201, `${entryPoint}: ${JSON.stringify(body)}`);
    }
  });
});
