import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';
import { createBearerHeader, sendRequest } from '../support/requests/exchange.ts';

const PASSWORD = 'Correct-Horse1!';

describe('the unmodified AWS SDK lists, limits and ends sessions', () => {
  let service: ClientService;
  let client: aws.CognitoIdentityProviderClient;
  let users = 0;
  before(async () => {
    service = await startClientService();
    ({ client } = createSdkClient(service));
  });
  after(async () => {
    client.destroy();
    await service.close();
  });

  async function newUser(): Promise<string> {
    users += 1;
    const Username = `user-${users}@example.com`;
    const user = { UserPoolId: service.userPoolId, Username };
    await client.send(new aws.AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS' }));
    await client.send(new aws.AdminSetUserPasswordCommand({ ...user, Password: PASSWORD, Permanent: true }));
    return Username;
  }

  async function logIn(USERNAME: string, ClientId = service.clientId) {
    service.advanceTime(1_000);
    const { AuthenticationResult } = await client.send(
      new aws.InitiateAuthCommand({
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME, PASSWORD },
      }),
    );
    const { AccessToken, RefreshToken } = AuthenticationResult ?? {};
    assert.ok(AccessToken && RefreshToken);
    return { AccessToken, RefreshToken };
  }

  const listSessions = async (AccessToken: string) =>
    (await client.send(new aws.ListUserSessionsCommand({ AccessToken }))).Sessions ?? [];
  const isAlive = ({ AccessToken }: { readonly AccessToken: string }) =>
    client.send(new aws.GetUserCommand({ AccessToken })).then(
      () => true,
      () => false,
    );
  const limitTo = (MaxPerUser: number, UserSessionTracking: aws.UserSessionTrackingType = 'ENABLED') =>
    client.send(
      new aws.SetUserPoolSessionConfigurationCommand({
        UserPoolId: service.userPoolId,
        UserSessionTracking,
        TokenSession: { MaxPerUser },
      }),
    );
  const refusal = (name: string) => ({ name });

  it('finds the sessions of the routes by the same IDs, and ends one at either entry point', async () => {
    const user = await newUser();
    const [first, second, third] = [await logIn(user), await logIn(user), await logIn(user)];
    const sessions = await listSessions(first.AccessToken);
    const listed = await sendRequest(service.url, 'GET', '/user/sessions', {
      headers: createBearerHeader(first.AccessToken),
    });
    const shown = listed.body.sessions as readonly { readonly session_id: string; readonly current: boolean }[];
    assert.deepEqual(
      sessions.map(({ SessionId, IsCurrentSession }) => [SessionId, IsCurrentSession]),
      shown.map(({ session_id, current }) => [session_id, current]),
    );
    assert.ok(sessions.every(({ CreateDate, LastIPAddress }) => CreateDate instanceof Date && LastIPAddress));
    const [newest, middle] = sessions.map(({ SessionId = '' }) => SessionId);
    const revoked = { AccessToken: first.AccessToken, SessionId: middle, RevokeAssociatedSessions: 'LINKED' } as const;
    await client.send(new aws.RevokeUserSessionCommand(revoked));
    assert.deepEqual(await Promise.all([first, second, third].map(isAlive)), [true, false, true]);
    const ended = await sendRequest(service.url, 'DELETE', `/user/sessions/${newest}`, {
      headers: createBearerHeader(first.AccessToken),
    });
    assert.equal(ended.status, 200, ended.text);
    assert.deepEqual(await Promise.all([first, second, third].map(isAlive)), [true, false, false]);
    const refreshed = client.send(
      new aws.GetTokensFromRefreshTokenCommand({ ClientId: service.clientId, RefreshToken: third.RefreshToken }),
    );
    await assert.rejects(refreshed, refusal('NotAuthorizedException'));
  });

  it('cannot end its own session, one of another user, or an invalid ID', async () => {
    const [mine, other] = [await logIn(await newUser()), await logIn(await newUser())];
    const [own] = await listSessions(mine.AccessToken);
    const [foreign] = await listSessions(other.AccessToken);
    const revoke = (SessionId: string | undefined) =>
      client.send(new aws.RevokeUserSessionCommand({ AccessToken: mine.AccessToken, SessionId }));
    await assert.rejects(revoke(own?.SessionId), refusal('InvalidParameterException'));
    await assert.rejects(revoke(foreign?.SessionId), refusal('ResourceNotFoundException'));
    await assert.rejects(revoke(`sso${'0'.repeat(25)}`), refusal('ResourceNotFoundException'));
    await assert.rejects(revoke(`tkn${'z'.repeat(25)}`), refusal('ResourceNotFoundException'));
    for (const bad of ['', 'x', `tkn${'A'.repeat(25)}`, `tkn${'0'.repeat(26)}`, 'x'.repeat(200_000)]) {
      await assert.rejects(revoke(bad), { $fault: 'client' }, bad.slice(0, 40));
    }
    const list = new aws.ListUserSessionsCommand({ AccessToken: mine.AccessToken, NextToken: 'x' });
    await assert.rejects(client.send(list), refusal('InvalidParameterException'));
    assert.deepEqual(await Promise.all([mine, other].map(isAlive)), [true, true]);
  });

  it('keeps up to 20 sessions per user by default, and ends the least recently used one', async () => {
    const user = await newUser();
    const logins: Awaited<ReturnType<typeof logIn>>[] = [];
    for (let n = 0; n < 20; n += 1) logins.push(await logIn(user));
    const [first, second, third] = logins;
    assert.ok(first && second && third);
    service.advanceTime(1_000);
    await client.send(
      new aws.GetTokensFromRefreshTokenCommand({ ClientId: service.clientId, RefreshToken: first.RefreshToken }),
    );
    const more = [await logIn(user), await logIn(user)];
    assert.deepEqual(await Promise.all([first, second, third, ...more].map(isAlive)), [true, false, false, true, true]);
    assert.equal((await listSessions(first.AccessToken)).length, 20);
    const ended = await sendRequest(service.url, 'GET', '/admin/audit?type=login.ended&limit=2', {
      headers: { authorization: `Bearer ${service.adminKey?.bearer}` },
    });
    const events = ended.body.events as readonly { readonly details: { readonly reason?: string } }[];
    assert.deepEqual(
      events.map(({ details }) => details.reason),
      ['too_many_sessions', 'too_many_sessions'],
    );
  });

  it('can limit the sessions of a user across all clients to 1 to 100, from the next login on', async () => {
    const { UserPoolClient } = await client.send(
      new aws.CreateUserPoolClientCommand({
        UserPoolId: service.userPoolId,
        ClientName: 'second',
        ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH'],
      }),
    );
    const user = await newUser();
    const before = [await logIn(user), await logIn(user), await logIn(user, UserPoolClient?.ClientId)];
    const another = await logIn(await newUser());
    assert.deepEqual((await limitTo(2)).TokenSession, { MaxPerUser: 2 });
    assert.deepEqual(await Promise.all(before.map(isAlive)), [true, true, true]);
    const last = await logIn(user);
    assert.deepEqual(await Promise.all([...before, last, another].map(isAlive)), [false, false, true, true, true]);
    for (const wrong of [0, 101, -1]) await assert.rejects(limitTo(wrong), refusal('InvalidParameterException'));
    await limitTo(20);
  });

  it('reads whether sessions are tracked; by default they are not, and nothing is listed or limited', async () => {
    const read = (UserPoolId: string) => client.send(new aws.GetUserPoolSessionConfigurationCommand({ UserPoolId }));
    const { UserPool } = await client.send(new aws.CreateUserPoolCommand({ PoolName: 'another' }));
    const off = await read(UserPool?.Id ?? '');
    assert.deepEqual([off.UserSessionTracking, off.TokenSession], ['DISABLED', { MaxPerUser: 20 }]);
    const on = await read(service.userPoolId);
    assert.deepEqual([on.UserSessionTracking, on.TokenSession], ['ENABLED', { MaxPerUser: 20 }]);
    await limitTo(1, 'DISABLED');
    const user = await newUser();
    const [first, second] = [await logIn(user), await logIn(user)];
    assert.deepEqual(await Promise.all([first, second].map(isAlive)), [true, true]);
    await assert.rejects(listSessions(first.AccessToken), refusal('OperationNotEnabledException'));
    const named = { UserPoolId: service.userPoolId, Username: user };
    await assert.rejects(
      client.send(new aws.AdminListUserSessionsCommand(named)),
      refusal('OperationNotEnabledException'),
    );
    await limitTo(20);
    assert.equal((await listSessions(first.AccessToken)).length, 2);
  });

  it('keeps how long managed login may reuse a session when an update resets other settings', async () => {
    const ofClient = { UserPoolId: service.userPoolId, ClientId: service.clientId };
    const read = () => client.send(new aws.GetUserPoolClientSessionConfigurationCommand(ofClient));
    const set = (MaxValidityMinutes: number) =>
      client.send(
        new aws.SetUserPoolClientSessionConfigurationCommand({ ...ofClient, SSOSession: { MaxValidityMinutes } }),
      );
    assert.deepEqual((await read()).SSOSession, { MaxValidityMinutes: 60 });
    assert.deepEqual((await set(0)).SSOSession, { MaxValidityMinutes: 0 });
    await client.send(
      new aws.UpdateUserPoolClientCommand({ ...ofClient, ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH'] }),
    );
    assert.deepEqual((await read()).SSOSession, { MaxValidityMinutes: 0 });
    for (const wrong of [-1, 129_601]) await assert.rejects(set(wrong), refusal('InvalidParameterException'));
    await limitTo(20, 'DISABLED');
    await assert.rejects(set(1), refusal('OperationNotEnabledException'));
    await client.send(new aws.UpdateUserPoolCommand({ UserPoolId: service.userPoolId }));
    await limitTo(20);
  });

  it('accepts dynamic client registration only if it is off', async () => {
    const made = await client.send(
      new aws.CreateUserPoolCommand({ PoolName: 'dcr', DcrConfiguration: { EnableStatus: 'Disabled' } }),
    );
    assert.deepEqual(made.UserPool?.DcrConfiguration, { EnableStatus: 'Disabled' });
    const UserPoolId = made.UserPool?.Id ?? '';
    await client.send(new aws.UpdateUserPoolCommand({ UserPoolId }));
    const read = await client.send(new aws.DescribeUserPoolCommand({ UserPoolId }));
    assert.deepEqual(read.UserPool?.DcrConfiguration, { EnableStatus: 'Disabled' });
    for (const DcrConfiguration of [{}, { EnableStatus: 'Enabled' }] as const) {
      const on = client.send(new aws.CreateUserPoolCommand({ PoolName: 'dcr', DcrConfiguration }));
      await assert.rejects(on, refusal('InvalidParameterException'));
    }
    const clients = async (ClientType: aws.ClientTypeType) =>
      (await client.send(new aws.ListUserPoolClientsCommand({ UserPoolId: service.userPoolId, ClientType })))
        .UserPoolClients ?? [];
    assert.ok((await clients('REGULAR')).length >= 1);
    assert.deepEqual(await clients('DCR'), []);
    const ofClient = { UserPoolId: service.userPoolId, ClientId: service.clientId };
    const described = await client.send(new aws.DescribeUserPoolClientCommand(ofClient));
    assert.equal(described.UserPoolClient?.ClientType, 'REGULAR');
  });
});
