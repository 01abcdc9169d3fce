import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forEachDatabase } from '../../packages/pool/src/testing/test-databases.ts';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import {
  assertInvalidField,
  assertProblem,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

interface Client {
  readonly client_id: string;
  readonly secrets: readonly { readonly secret_id: string }[];
  readonly [member: string]: unknown;
}

const CALLBACK = 'https://shop.example.com/callback';

forEachDatabase((database) => {
  describe(`app clients on ${database.name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ databaseUrl: await database.create() });
    });
    after(() => service.close());

    const send = (method: string, path: string, body?: unknown) =>
      service.ask(method, `/admin/clients${path}`, {
        headers: service.asAdmin,
        ...(body === undefined ? {} : { body }),
      });
    const create = async (body: object) => {
      const made = await send('POST', '', { client_name: 'shop', ...body });
      assert.equal(made.status, 201, made.text);
      return { client: made.body.client as Client, secret: made.body.client_secret };
    };
    const show = async (id: string) => (await send('GET', `/${id}`)).body.client as Client;

    it('are public clients for the code flow with rotating refresh tokens if only a callback is given', async () => {
      const { client, secret } = await create({ callback_urls: [CALLBACK] });
      assert.equal(secret, undefined);
      assert.deepEqual(client.secrets, []);
      assert.deepEqual(client.oauth_flows, ['code']);
      assert.deepEqual(client.scopes, ['openid', 'email', 'profile']);
      assert.deepEqual(client.identity_providers, ['COGNITO']);
      assert.deepEqual(client.refresh_token_rotation, { enabled: true, grace_seconds: 10 });
      assert.equal(client.prevent_user_existence_errors, true);
      assert.deepEqual(await show(client.client_id), client);
    });

    it('keep every setting that an update leaves out', async () => {
      const given = {
        callback_urls: [CALLBACK, 'http://localhost:8080/callback'],
        logout_urls: ['https://shop.example.com/'],
        default_redirect_uri: CALLBACK,
        scopes: ['openid'],
        auth_flows: ['ALLOW_USER_AUTH'],
        refresh_token_rotation: { enabled: true, grace_seconds: 3 },
        access_token_seconds: 600,
        refresh_token_seconds: 7_200,
        prevent_user_existence_errors: false,
      };
      const { client } = await create({ ...given, generate_secret: true });
      const { client_id, updated_at: _first, ...before } = client;
      assert.deepEqual({ ...before, ...given }, before);
      const changed = await send('PATCH', `/${client_id}`, { client_name: 'Shop 2', id_token_seconds: 900 });
      assert.equal(changed.status, 200, changed.text);
      const { updated_at: _second, ...after } = changed.body.client as Client;
      assert.deepEqual(after, { ...before, client_id, client_name: 'Shop 2', id_token_seconds: 900 });
      assert.equal((await send('PATCH', `/${client_id}`, { default_redirect_uri: null })).status, 200);
      assert.equal((await show(client_id)).default_redirect_uri, null);
    });

    it('have settings that Cognito lacks, if the provider is the embedded pool', async () => {
      const { client } = await create({ generate_secret: true });
      assert.deepEqual(client.extensions, {});
      const path = `/${client.client_id}`;
      const wanted = {
        ...{ require_pushed_requests: true, access_token_type: 'at+jwt', jwks_uri: 'https://shop.test/keys' },
        ...{ backchannel_logout_uri: 'https://shop.test/logout', ends_grants_at_sign_out: true },
      };
      const changed = await send('PATCH', path, { extensions: wanted });
      if (ON_COGNITO) return assertProblem(changed, 403, 'feature_disabled');
      assert.equal(changed.status, 200, changed.text);
      assert.deepEqual((await show(client.client_id)).extensions, wanted);
      const { client: made } = await create({ generate_secret: true, extensions: wanted });
      assert.deepEqual([made.extensions, (await show(made.client_id)).extensions], [wanted, wanted]);
      assert.equal((await send('PATCH', path, { client_name: 'Shop', extensions: { jwks_uri: null } })).status, 200);
      const { jwks_uri: _, ...rest } = wanted;
      assert.deepEqual((await show(client.client_id)).extensions, rest);
      for (const extensions of [{ unknown: true }, { access_token_type: 'JWT' }, { require_pushed_requests: 'yes' }]) {
        assertProblem(await send('PATCH', path, { extensions }), 422, 'validation_failed');
      }
      for (const extensions of [{ resource_servers: ['nothing'] }, { jwks: { keys: [] } }, { jwks_uri: 'x' }]) {
        assertProblem(await send('PATCH', path, { extensions }), 400, 'invalid_parameter');
        const refused = await send('POST', '', { client_name: 'Refused', extensions });
        assertProblem(refused, 400, 'invalid_parameter');
      }
      assert.doesNotMatch((await send('GET', '')).text, /Refused/);
    });

    it('can have two valid secrets, and never show a secret again', async () => {
      const { client, secret } = await create({ generate_secret: true });
      assert.ok(typeof secret === 'string' && secret.length > 30);
      const path = `/${client.client_id}/secrets`;
      const added = await send('POST', path, {});
      assert.equal(added.status, 201, added.text);
      const second = added.body.client_secret;
      const bySecret = (value: unknown) =>
        fetch(`${service.url}/oauth2/token`, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`${client.client_id}:${String(value)}`)}` },
          body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }),
        });
      // Other replicas see the change within seconds.
      service.clock.advance(10_000);
      // An authenticated client learns that the grant is invalid.
      for (const value of [secret, second]) assert.equal((await bySecret(value)).status, 400);
      const [first] = (await show(client.client_id)).secrets;
      assertProblem(await send('POST', path, {}), 400, 'invalid_parameter');
      assert.equal((await send('DELETE', `${path}/${first?.secret_id}`, {})).status, 200);
      service.clock.advance(10_000);
      assert.equal((await bySecret(secret)).status, 401);
      assert.equal((await bySecret(second)).status, 400);
      assertProblem(await send('DELETE', `${path}/${first?.secret_id}`, {}), 404, 'client_secret_not_found');
      const [last] = (await show(client.client_id)).secrets;
      assertProblem(await send('DELETE', `${path}/${last?.secret_id}`, {}), 400, 'invalid_parameter');
      const shown = (await send('GET', `/${client.client_id}`)).text;
      assert.ok(!shown.includes(String(secret)) && !shown.includes(String(second)));
    });

    it('for machines always have a secret and no user login flow', async () => {
      const refused = await send('POST', '', { client_name: 'job', oauth_flows: ['client_credentials'] });
      assertProblem(refused, 400, 'invalid_parameter');
      if (!ON_COGNITO) assert.match(refused.text, /AllowedOAuthScopes/);
      const { client, secret } = await create({
        oauth_flows: ['client_credentials'],
        scopes: ['aws.cognito.signin.user.admin'],
      });
      assert.ok(secret);
      assert.deepEqual(client.auth_flows, ['ALLOW_CLIENT_TOKEN_AUTH']);
    });

    it('are listed page by page, and disappear when deleted', async () => {
      const { client } = await create({});
      const seen: string[] = [];
      let cursor: unknown = null;
      do {
        const query = cursor === null ? '?limit=2' : `?limit=2&cursor=${encodeURIComponent(String(cursor))}`;
        const { body } = await send('GET', query);
        seen.push(...(body.clients as readonly Client[]).map(({ client_id }) => client_id));
        cursor = body.next_cursor;
      } while (cursor !== null);
      assert.ok(seen.includes(client.client_id) && new Set(seen).size === seen.length);
      assert.equal((await send('DELETE', `/${client.client_id}`, {})).status, 200);
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { client_name: 'x' }],
        ['DELETE', '', {}],
        ['POST', '/secrets', {}],
        ['DELETE', '/secrets/some-secret', {}],
      ] as const)
        assertProblem(await send(method, `/${client.client_id}${path}`, body), 404, 'client_not_found');
    });

    it('are refused with a reason if their settings are invalid', async () => {
      const refused = await send('POST', '', { client_name: 'x', callback_urls: ['http://shop.example.com/'] });
      assertProblem(refused, 400, 'invalid_parameter');
      if (!ON_COGNITO) assert.match(refused.text, /http:\/\/shop\.example\.com\/ cannot use the HTTP protocol/);
      for (const [field, body] of [
        ['client_name', {}],
        ['', { client_name: 'x', callback: CALLBACK }],
        ['oauth_flows.0', { client_name: 'x', oauth_flows: ['password'] }],
        ['access_token_seconds', { client_name: 'x', access_token_seconds: 0 }],
        [
          'refresh_token_rotation.grace_seconds',
          { client_name: 'x', refresh_token_rotation: { enabled: true, grace_seconds: 61 } },
        ],
      ] as const)
        assertInvalidField(await send('POST', '', body), field);
    });

    it('include the client of the service, which cannot be deleted', async () => {
      const refused = await send('DELETE', `/${service.clientId}`, {});
      assertProblem(refused, 403, 'feature_disabled');
      assert.match(refused.text, /is being served and cannot be deleted/);
      const renamed = await send('PATCH', `/${service.clientId}`, { logout_urls: ['https://shop.example.com/'] });
      assert.equal(renamed.status, 200, renamed.text);
    });
  });
});
