import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createBearerHeader } from '../support/requests/exchange.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const VICTIM = 'victim@example.com';

describe('a second pool next to the served one', () => {
  let service: TestService;
  let other: { readonly userPoolId: string; readonly clientId: string };
  before(async () => {
    service = await startTestService();
    await addUser(service, VICTIM);
    other = await secondPool();
  });
  after(() => service.close());

  async function cognitoApi(operation: string, input: object, headers = service.asAdmin) {
    const answer = await service.call(operation, input, headers);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  /** Its user has the address of a user of the served pool as *username*. */
  async function secondPool() {
    const { UserPool } = (await cognitoApi('CreateUserPool', { PoolName: 'other' })) as { UserPool: { Id: string } };
    const UserPoolId = UserPool.Id;
    const asked = { UserPoolId, ClientName: 'app', ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH'] };
    const { UserPoolClient } = (await cognitoApi('CreateUserPoolClient', asked)) as {
      UserPoolClient: { ClientId: string };
    };
    const UserAttributes = [
      { Name: 'email', Value: VICTIM },
      { Name: 'email_verified', Value: 'true' },
    ];
    const user = { UserPoolId, Username: VICTIM };
    await cognitoApi('AdminCreateUser', { ...user, UserAttributes, MessageAction: 'SUPPRESS' });
    await cognitoApi('AdminSetUserPassword', { ...user, Password: PASSWORD, Permanent: true });
    return { userPoolId: UserPoolId, clientId: UserPoolClient.ClientId };
  }

  async function loggedIn() {
    service.clock.advance(2_000);
    const { access } = requireTokens(await service.post('/login', { username: VICTIM, password: PASSWORD }));
    service.clock.advance(2_000);
    return access;
  }

  async function stillIn(access: string) {
    const answer = await service.get('/device', createBearerHeader(access));
    assert.equal(answer.status, 200, answer.text);
  }

  it('a reset by a client of the other pool does not affect the user with the same name in the served pool', async () => {
    const access = await loggedIn();
    const named = { ClientId: other.clientId, Username: VICTIM };
    await cognitoApi('ForgotPassword', named, {});
    const code = service.outbox?.list(VICTIM)[0]?.code ?? '';
    await cognitoApi('ConfirmForgotPassword', { ...named, ConfirmationCode: code, Password: 'Other-Horse2!' }, {});
    await stillIn(access);
  });

  it('is shown and changed by admin routes that name it', async () => {
    const named = `?user_pool_id=${other.userPoolId}`;
    const send = (method: string, path: string, body?: unknown, headers = service.asAdmin) =>
      service.ask(method, `/admin${path}`, { headers, ...(body === undefined ? {} : { body }) });
    const { pool } = (await send('GET', `/pool${named}`)).body as { readonly pool: Readonly<Record<string, unknown>> };
    assert.deepEqual([pool.user_pool_id, pool.name, pool.unsupported_settings], [other.userPoolId, 'other', []]);
    const { pool: own } = (await send('GET', '/pool')).body as { readonly pool: Readonly<Record<string, unknown>> };
    assert.equal(own.user_pool_id, service.userPoolId);
    const group = { group_name: 'elsewhere' };
    const key = { ...service.asAdmin, 'idempotency-key': 'one' };
    const made = await send('POST', `/groups${named}`, group, key);
    assert.equal(made.status, 201, made.text);
    assert.equal((await send('GET', `/groups/elsewhere${named}`)).status, 200);
    assert.equal((await send('GET', '/groups/elsewhere')).status, 404);
    // The same key for the served pool is a different request.
    assert.equal((await send('POST', '/groups', group, key)).status, 201);
    const client = await send('POST', `/clients${named}`, { client_name: 'By route' });
    const { client_id } = client.body.client as { readonly client_id: string };
    assert.equal((await send('GET', `/clients/${client_id}`)).status, 404);
    assert.equal((await send('DELETE', `/clients/${client_id}${named}`, {})).status, 200);
    for (const id of ['us-east-1_Nowhere01', '../x', '']) {
      const unknown = await send('GET', `/pool?user_pool_id=${encodeURIComponent(id)}`);
      assert.deepEqual([unknown.status, unknown.body.code], [422, 'validation_failed'], id);
    }
  });
});
