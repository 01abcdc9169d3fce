import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forEachDatabase } from '../../packages/pool/src/testing/test-databases.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const IDENTIFIER = 'https://api.example.com/orders?v=1';

forEachDatabase((database) => {
  describe(`the settings of a pool on ${database.name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ databaseUrl: await database.create() });
    });
    after(() => service.close());

    const send = (method: string, path: string, body?: unknown) =>
      service.ask(method, `/admin${path}`, { headers: service.asAdmin, ...(body === undefined ? {} : { body }) });

    it('has resource servers, with URLs as identifiers and scopes for clients', async () => {
      const scopes = [{ scope_name: 'read', description: 'Read orders' }];
      const made = await send('POST', '/resource-servers', { identifier: IDENTIFIER, name: 'Orders', scopes });
      assert.equal(made.status, 201, made.text);
      const path = `/resource-servers/${encodeURIComponent(IDENTIFIER)}`;
      assert.deepEqual((await send('GET', path)).body.resource_server, {
        identifier: IDENTIFIER,
        name: 'Orders',
        scopes,
      });
      const client = { client_name: 'x', callback_urls: ['https://x.example.com/'], scopes: [`${IDENTIFIER}/read`] };
      assert.equal((await send('POST', '/clients', client)).status, 201);
      const renamed = await send('PATCH', path, { name: 'Bills' });
      assert.deepEqual(renamed.body.resource_server, { identifier: IDENTIFIER, name: 'Bills', scopes });
      const emptied = await send('PATCH', path, { scopes: [] });
      assert.deepEqual(emptied.body.resource_server, { identifier: IDENTIFIER, name: 'Bills', scopes: [] });
      const listed = (await send('GET', '/resource-servers?limit=60')).body;
      assert.deepEqual([listed.resource_servers, listed.next_cursor], [[emptied.body.resource_server], null]);
      assertProblem(
        await send('POST', '/resource-servers', { identifier: IDENTIFIER, name: 'again' }),
        400,
        'invalid_parameter',
      );
      assert.equal((await send('DELETE', path, {})).status, 200);
      for (const [method, body] of [
        ['GET', undefined],
        ['PATCH', { name: 'x' }],
        ['DELETE', {}],
      ] as const)
        assertProblem(await send(method, path, body), 404, 'resource_server_not_found');
      assertInvalidField(await send('POST', '/resource-servers', { identifier: 'a b', name: 'x' }), 'identifier');
    });

    it('has domains, as a prefix or a full host name', async () => {
      for (const { domain } of (await send('GET', '/domains')).body.domains as readonly { readonly domain: string }[])
        assert.equal((await send('DELETE', `/domains/${domain}`, {})).status, 200);
      assert.deepEqual((await send('GET', '/domains')).body.domains, []);
      const certificate_arn = 'arn:aws:acm:us-east-1:123456789012:certificate/0193a6f2';
      const made = await send('POST', '/domains', { domain: 'login.example.com', certificate_arn });
      assert.deepEqual(
        [made.status, made.body.domain],
        [201, { domain: 'login.example.com', custom: true }],
        made.text,
      );
      assert.equal((await send('POST', '/domains', { domain: 'shop' })).status, 201);
      assertProblem(await send('POST', '/domains', { domain: 'store' }), 400, 'invalid_parameter');
      assert.equal(((await send('GET', '/domains')).body.domains as readonly unknown[]).length, 2);
      assertProblem(await send('DELETE', '/domains/store', {}), 404, 'domain_not_found');
    });

    it('signs with new keys after a rotation, and older tokens stay valid', async () => {
      await addUser(service, 'ada@example.com');
      const list = async () =>
        (await send('GET', '/signing-keys')).body.keys as readonly {
          readonly key_id: string;
          readonly signs: boolean;
        }[];
      const logIn = async () => {
        const answer = await service.post('/login', { username: 'ada@example.com', password: PASSWORD });
        const token = String(answer.body.access_token);
        const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
        return { token, kid };
      };
      const findKey = async (kid: string) => (await list()).find(({ key_id }) => key_id === kid);
      const first = await logIn();
      assert.equal((await findKey(first.kid))?.signs, true);
      const rotated = await send('POST', '/signing-keys/rotate', {});
      assert.equal(rotated.status, 200, rotated.text);
      assert.deepEqual(rotated.body.keys, await list());
      // Other replicas sign with them within seconds.
      service.clock.advance(10_000);
      const second = await logIn();
      assert.notEqual(second.kid, first.kid);
      assert.deepEqual([(await findKey(first.kid))?.signs, (await findKey(second.kid))?.signs], [false, true]);
      assert.equal((await service.get('/user/profile', createBearerHeader(first.token))).status, 200);
      assert.ok(!JSON.stringify(rotated.body).includes('private'));
    });
  });
});
