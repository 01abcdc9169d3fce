import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestEnvironment, openTestPoolOn, type TestPool } from '@poolgate/pool/testing';
import { ProviderError } from '@poolgate/provider';
import { createTestProvider, createTestRuntime } from '../testing/gateway-deps.ts';
import { createClient, deleteClient, listClients, showClient, updateClient } from './client-handlers.ts';
import { createSecret, deleteSecret } from './client-secret-handlers.ts';
import { createDomain, createDomainInput, deleteDomain, listDomains } from './domain-handlers.ts';
import { explainPoolRefusals } from './pool-refusals.ts';
import {
  createResourceServer,
  deleteResourceServer,
  listResourceServers,
  showResourceServer,
  updateResourceServer,
} from './resource-server-handlers.ts';
import { listSigningKeys, rotateSigningKeys } from './signing-key-handlers.ts';

const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const CALLBACKS = ['https://app.example/callback'];

describe('the settings of a pool at the admin routes', () => {
  let pool: TestPool;
  let runtime: ReturnType<typeof createTestRuntime>;
  before(async () => {
    pool = await openTestPoolOn(await openTestEnvironment('sqlite::memory:'));
    const { userPoolId, clientId, clock } = pool;
    runtime = createTestRuntime({ provider: pool.embedded, userPoolId, clientId, clock });
  });
  after(() => pool.close());

  const request = (more: { readonly params?: object; readonly query?: object; readonly body?: object } = {}) =>
    ({ call, params: {}, query: {}, body: {}, ...more }) as never;

  it('an app client is created, shown, changed, listed and deleted, and its secret is shown once', async () => {
    const made = await createClient(runtime, request({ body: { client_name: 'App', callback_urls: CALLBACKS } }));
    const { client_id, ...shown } = made.body.client;
    assert.deepEqual([made.status, made.body.client_secret, shown.secrets], [201, undefined, []]);
    assert.deepEqual([shown.callback_urls, shown.oauth_flows, shown.default_redirect_uri], [CALLBACKS, ['code'], null]);
    assert.deepEqual(shown.refresh_token_rotation, { enabled: true, grace_seconds: 10 });
    assert.deepEqual([shown.prevent_user_existence_errors, shown.extensions], [true, {}]);
    const params = { client_id };
    assert.deepEqual((await showClient(runtime, request({ params }))).body.client, made.body.client);
    const body = { client_name: 'Other', access_token_seconds: 600, prevent_user_existence_errors: false };
    const { status, body: changed } = await updateClient(runtime, request({ params, body }));
    assert.deepEqual([status, changed.client.client_name, changed.client.access_token_seconds], [200, 'Other', 600]);
    assert.deepEqual([changed.client.callback_urls, changed.client.prevent_user_existence_errors], [CALLBACKS, false]);
    const first = (await listClients(runtime, request({ query: { limit: '1' } }))).body;
    assert.equal(first.clients.length, 1);
    const cursor = first.next_cursor ?? assert.fail('there is more');
    const last = (await listClients(runtime, request({ query: { limit: '60', cursor } }))).body;
    assert.equal(last.next_cursor, null);
    assert.ok([...first.clients, ...last.clients].some((one) => one.client_id === client_id));
    await assert.rejects(updateClient(runtime, request({ params, body: { access_token_seconds: 1 } })), {
      errors: [{ field: 'access_token_seconds', code: 'out_of_range', message: 'must be from 300 to 86400' }],
    });
    assert.equal((await deleteClient(runtime, request({ params }))).status, 200);
    for (const ask of [showClient, deleteClient, updateClient] as const) {
      await assert.rejects(ask(runtime, request({ params })), { code: 'client_not_found' });
    }
  });

  it('a client has up to two secrets, each shown once and gone when deleted', async () => {
    const made = await createClient(runtime, request({ body: { client_name: 'Server', generate_secret: true } }));
    const { client_id } = made.body.client;
    assert.ok(made.body.client_secret);
    const params = { client_id };
    const second = await createSecret(runtime, request({ params }));
    assert.equal(second.status, 201);
    assert.notEqual(second.body.client_secret, made.body.client_secret);
    const secrets = async () => (await showClient(runtime, request({ params }))).body.client.secrets;
    const ids = (await secrets()).map(({ secret_id }) => secret_id);
    assert.equal(ids.length, 2);
    assert.ok(ids.includes(second.body.secret.secret_id));
    assert.ok(!JSON.stringify(await secrets()).includes(second.body.client_secret));
    const remove = (secret_id: string) => deleteSecret(runtime, request({ params: { client_id, secret_id } }));
    assert.equal((await remove(second.body.secret.secret_id)).status, 200);
    assert.equal((await secrets()).length, 1);
    await assert.rejects(remove(second.body.secret.secret_id), { code: 'client_secret_not_found' });
    await assert.rejects(createSecret(runtime, request({ params: { client_id: 'nobody' } })), {
      code: 'client_not_found',
    });
  });

  it('a resource server is created, shown, changed, listed and deleted', async () => {
    const identifier = 'https://things.example';
    const scopes = [{ scope_name: 'read', description: 'Read' }];
    const made = await createResourceServer(runtime, request({ body: { identifier, name: 'Things', scopes } }));
    const shown = { identifier, name: 'Things', scopes };
    assert.deepEqual([made.status, made.body.resource_server], [201, shown]);
    const params = { identifier };
    assert.deepEqual((await showResourceServer(runtime, request({ params }))).body.resource_server, shown);
    const renamed = await updateResourceServer(runtime, request({ params, body: { name: 'Others' } }));
    assert.deepEqual([renamed.status, renamed.body.resource_server], [200, { ...shown, name: 'Others' }]);
    const emptied = await updateResourceServer(runtime, request({ params, body: { scopes: [] } }));
    assert.deepEqual(emptied.body.resource_server, { identifier, name: 'Others', scopes: [] });
    const { body } = await listResourceServers(runtime, request());
    assert.deepEqual([body.resource_servers.length, body.next_cursor], [1, null]);
    await assert.rejects(listResourceServers(runtime, request({ query: { cursor: 'x' } })), {
      code: 'validation_failed',
    });
    assert.equal((await deleteResourceServer(runtime, request({ params }))).status, 200);
    for (const ask of [showResourceServer, updateResourceServer, deleteResourceServer] as const) {
      await assert.rejects(ask(runtime, request({ params })), { code: 'resource_server_not_found' });
    }
  });

  it('a pool has a prefix and a host name as domains, and only its own can be deleted', async () => {
    const create = (body: object) => createDomain(runtime, request({ body }));
    const made = await create({ domain: 'example' });
    assert.deepEqual([made.status, made.body.domain], [201, { domain: 'example', custom: false }]);
    const custom = await create({ domain: 'login.example.com' });
    assert.deepEqual(custom.body.domain, { domain: 'login.example.com', custom: true });
    const list = async () => (await listDomains(runtime, request())).body.domains;
    assert.deepEqual(await list(), [made.body.domain, custom.body.domain]);
    const remove = (domain: string) => deleteDomain(runtime, request({ params: { domain } }));
    await assert.rejects(remove('other'), { code: 'domain_not_found' });
    assert.equal((await remove('example')).status, 200);
    assert.deepEqual(await list(), [custom.body.domain]);
    const elsewhere = createTestProvider(() => []);
    assert.deepEqual(createDomainInput(elsewhere, 'p', { domain: 'a.example' }), {
      UserPoolId: 'p',
      Domain: 'a.example',
    });
    assert.deepEqual(createDomainInput(elsewhere, 'p', { domain: 'a.example', certificate_arn: 'arn' }), {
      UserPoolId: 'p',
      Domain: 'a.example',
      CustomDomainConfig: { CertificateArn: 'arn' },
    });
  });

  it('new keys sign after a rotation, and the old ones are still listed', async () => {
    const before = (await listSigningKeys(runtime, request())).body.keys;
    const { status, body } = await rotateSigningKeys(runtime, request());
    assert.equal(status, 200);
    const signs = body.keys.filter((key) => key.signs).map(({ key_id }) => key_id);
    assert.ok(signs.length > 0 && signs.every((id) => !before.some(({ key_id }) => key_id === id)));
    for (const { key_id } of before) assert.ok(body.keys.some((key) => key.key_id === key_id && !key.signs));
    const elsewhere = createTestRuntime({ provider: createTestProvider(() => []) });
    await assert.rejects(listSigningKeys(elsewhere, request()), { code: 'feature_disabled' });
    await assert.rejects(rotateSigningKeys(elsewhere, request()), { code: 'feature_disabled' });
  });

  it("a refused value is reported in the provider's words, without class names", async () => {
    const explain = (error: Error) => explainPoolRefusals(Promise.reject(error), { other: 'client_not_found' });
    for (const code of ['InvalidParameterException', 'LimitExceededException', 'ScopeDoesNotExistException'] as const) {
      await assert.rejects(explain(new ProviderError(code, 'The words.')), {
        code: 'invalid_parameter',
        message: 'The words.',
      });
      await assert.rejects(explain(new ProviderError(code, code)), (error: Error) => !error.message.includes(code));
    }
    await assert.rejects(explain(new ProviderError('ResourceNotFoundException', 'x')), { code: 'client_not_found' });
    await assert.rejects(explain(new ProviderError('TooManyRequestsException', 'x')), { code: 'too_many_requests' });
    const defect = new TypeError('x');
    await assert.rejects(explain(defect), defect);
  });
});
