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

describe('a second pool beside the served one', () => {
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

  /** One whose user *name* is the address of a user of the served pool. */
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

  it("a reset by the other pool's client ends nothing of the served pool's user of that name", async () => {
    const access = await loggedIn();
    const named = { ClientId: other.clientId, Username: VICTIM };
    await cognitoApi('ForgotPassword', named, {});
    const code = service.outbox?.list(VICTIM)[0]?.code ?? '';
    await cognitoApi('ConfirmForgotPassword', { ...named, ConfirmationCode: code, Password: 'Other-Horse2!' }, {});
    await stillIn(access);
  });
});
