import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestEnvironment, openTestPoolOn, type TestPool } from '@poolgate/pool/testing';
import { createTestRuntime } from '../testing/gateway-deps.ts';
import {
  createIdentityProvider,
  deleteIdentityProvider,
  listIdentityProviders,
  showIdentityProvider,
  updateIdentityProvider,
} from './identity-provider-handlers.ts';

const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const SECRET = 'the secret at the provider';
const DETAILS = { client_id: 'pool', oidc_issuer: 'https://login.example.com', authorize_scopes: 'openid email' };

describe('identity providers at the admin routes', () => {
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
  const readSecret = async (ProviderName: string) => {
    const ids = { UserPoolId: pool.userPoolId, ProviderName };
    const { IdentityProvider } = await pool.operations.describeIdentityProvider(ids, call);
    return IdentityProvider.ProviderDetails?.client_secret;
  };

  it('are created, shown, changed, listed and deleted, and no response contains the secret', async () => {
    const body = { name: 'Corp', type: 'OIDC', details: DETAILS, secret: SECRET, identifiers: ['example.com'] };
    const made = await createIdentityProvider(runtime, request({ body }));
    assert.equal(made.status, 201);
    const { identity_provider } = made.body;
    assert.deepEqual({ ...identity_provider.details, ...DETAILS }, identity_provider.details);
    assert.equal(identity_provider.attribute_mapping.email, 'email');
    const params = { provider_name: 'Corp' };
    const shown = await showIdentityProvider(runtime, request({ params }));
    assert.deepEqual(shown.body.identity_provider, identity_provider);
    const changes = { details: { authorize_scopes: 'openid', attributes_request_method: null }, secret: 'another' };
    const changed = await updateIdentityProvider(runtime, request({ params, body: changes }));
    assert.equal(changed.body.identity_provider.details.authorize_scopes, 'openid');
    assert.equal(changed.body.identity_provider.details.client_id, 'pool');
    assert.deepEqual(changed.body.identity_provider.identifiers, ['example.com']);
    assert.equal(await readSecret('Corp'), 'another');
    for (const answer of [made, shown, changed]) {
      assert.doesNotMatch(JSON.stringify(answer), new RegExp(`${SECRET}|another|client_secret`));
    }
    await updateIdentityProvider(runtime, request({ params, body: { identifiers: [] } }));
    assert.equal(await readSecret('Corp'), 'another', 'what is left out stays');
    await updateIdentityProvider(runtime, request({ params, body: { secret: null } }));
    assert.equal(await readSecret('Corp'), undefined);
    const { body: list } = await listIdentityProviders(runtime, request());
    assert.deepEqual(list.identity_providers, [{ name: 'Corp', type: 'OIDC' }]);
    assert.equal((await deleteIdentityProvider(runtime, request({ params }))).status, 200);
    for (const ask of [showIdentityProvider, updateIdentityProvider, deleteIdentityProvider] as const) {
      await assert.rejects(ask(runtime, request({ params })), { code: 'identity_provider_not_found' });
    }
  });

  it('are refused with a reason, and a secret in the details counts as one', async () => {
    const body = { name: 'Corp', type: 'OIDC', details: { ...DETAILS, client_secret: SECRET } };
    await assert.rejects(createIdentityProvider(runtime, request({ body })), {
      code: 'invalid_parameter',
      message: 'Send client_secret as secret, not in details.',
    });
    const wrong = { name: 'Corp', type: 'OIDC', details: { client_id: 'pool' } };
    await assert.rejects(createIdentityProvider(runtime, request({ body: wrong })), { code: 'invalid_parameter' });
  });
});
