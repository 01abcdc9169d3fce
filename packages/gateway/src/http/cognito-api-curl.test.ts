import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { createAdminKey } from '../credentials/admin-key-secret.ts';
import {
  createGuardRecords,
  createMovableClock,
  createTestDeps,
  createTestProvider,
  POOL,
} from '../testing/gateway-deps.ts';
import { createServer } from './server.ts';

/** The service on its own port, with the current time, because curl signs with it. */
async function listening(t: TestContext) {
  const provider = createTestProvider(() => [], {
    adminGetUser: async ({ Username }) => ({ Username, UserAttributes: [{ Name: 'sub', Value: 'u1' }] }),
    adminListGroupsForUser: async () => ({ Groups: [] }),
  });
  const given = createGuardRecords();
  const records = { ...given, localUsers: { ...given.localUsers, find: async () => undefined } };
  const deps = createTestDeps({ provider, records, clock: createMovableClock(Date.now()) });
  const app = await createServer(deps);
  t.after(() => app.close());
  const key = await createAdminKey(deps, { label: 'curl', scopes: ['users:read'], lifetimeSeconds: 3600 });
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), user: `${key.id}:${key.secret}` };
}

const run = promisify(execFile);

async function curl(service: string, user: string, ...more: readonly string[]) {
  const signature = ['--aws-sigv4', `aws:amz:${POOL.region}:${service}`, '--user', user];
  const { stdout } = await run('curl', ['--silent', '--write-out', '\n%{http_code}', ...signature, ...more]);
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end + 1)), body: JSON.parse(stdout.slice(0, end)) };
}

// Without curl, its recorded requests in guards/sigv4-vectors.test.ts replace it.
const hasCurl = /--aws-sigv4/.test(spawnSync('curl', ['--help', 'all'], { encoding: 'utf8' }).stdout ?? '');

if (hasCurl) {
  test('curl calls a route with --aws-sigv4, however it writes the path and the query', async (t) => {
    const { url, user } = await listening(t);
    for (const path of [
      '/admin/users/ada',
      '/api/cognito/admin/users/ada%40poolgate.test',
      '/admin/users/ada@poolgate.test',
    ]) {
      const { status, body } = await curl('poolgate', user, `${url}${path}`);
      assert.equal(status, 200, path);
      assert.equal(body.user.username, decodeURIComponent(path.split('/').at(-1) ?? ''));
    }
    const { status } = await curl('poolgate', user, `${url}/admin/users/ada?b=2&a=x%20y+z&c`);
    assert.equal(status, 200);
  });

  test('curl with a wrong secret, service or scope is refused by a route', async (t) => {
    const { url, user } = await listening(t);
    assert.equal((await curl('poolgate', `${user}x`, `${url}/admin/users/ada`)).status, 401);
    assert.equal((await curl('cognito-idp', user, `${url}/admin/users/ada`)).status, 401);
    const create = ['--json', '{"username":"eve"}', `${url}/admin/users`];
    const { status, body } = await curl('poolgate', user, ...create);
    assert.equal(status, 403);
    assert.equal(body.code, 'forbidden');
  });

  test('curl calls the Cognito-compatible API with --aws-sigv4', async (t) => {
    const { url, user } = await listening(t);
    const request = [
      ...['--header', 'Content-Type: application/x-amz-json-1.1'],
      ...['--header', 'X-Amz-Target: AWSCognitoIdentityProviderService.AdminGetUser'],
      ...['--data', JSON.stringify({ UserPoolId: POOL.userPoolId, Username: 'ada' }), url],
    ];
    assert.equal((await curl('cognito-idp', user, ...request)).body.Username, 'ada');
    const refused = await curl('poolgate', user, ...request);
    assert.equal(refused.body.__type, 'InvalidSignatureException');
  });
}
