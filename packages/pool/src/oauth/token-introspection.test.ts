import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OAuthError, type OAuthServer, type OAuthTokens } from '@poolgate/provider';
import { forEachDatabase } from '../testing/test-databases.ts';
import { addUser, openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';

const ADA = 'ada@example.com';
const CALLBACK = 'https://app.test/callback';
const INACTIVE = { active: false };

interface Client {
  readonly ClientId: string;
  readonly ClientSecret: string;
}

forEachDatabase(({ name, create }) => {
  describe(`introspection on ${name}`, () => {
    let pool: TestPool;
    let oauth: OAuthServer;
    let machine: Client;
    let api: Client;
    let stranger: Client;

    before(async () => {
      pool = await openTestPool(await create(), { domain: true });
      oauth = pool.embedded.extensions.oauth ?? assert.fail();
      await addUser(pool, ADA);
      for (const Identifier of ['things', 'https://orders.test']) {
        const Scopes = [{ ScopeName: 'read', ScopeDescription: 'read' }];
        await pool.operations.createResourceServer(
          { UserPoolId: pool.userPoolId, Identifier, Name: 'API', Scopes },
          TEST_CALL,
        );
      }
      const scopes = ['things/read', 'https://orders.test/read'];
      [machine, api, stranger] = [await makeClient(scopes), await makeClient(scopes), await makeClient(scopes)];
      await runServers(api, ['things']);
    });
    after(() => pool.close());

    async function makeClient(AllowedOAuthScopes: string[], more: object = {}): Promise<Client> {
      const { UserPoolClient = {} } = await pool.operations.createUserPoolClient(
        {
          ...{ UserPoolId: pool.userPoolId, ClientName: 'machine', GenerateSecret: true, AllowedOAuthScopes },
          ...{ AllowedOAuthFlowsUserPoolClient: true, AllowedOAuthFlows: ['client_credentials'] },
          ...more,
        },
        TEST_CALL,
      );
      const { ClientId = '', ClientSecret = '' } = UserPoolClient;
      return { ClientId, ClientSecret };
    }

    async function runServers({ ClientId }: Client, resourceServers: string[]): Promise<void> {
      const { client_extensions } = pool.embedded.extensions;
      const ids = { UserPoolId: pool.userPoolId, ClientId };
      await client_extensions?.update({ ...ids, Change: { resourceServers } }, TEST_CALL);
    }

    const introspect = (client: Partial<Client> & { readonly ClientId: string }, Token: string) =>
      oauth.introspect({ UserPoolId: pool.userPoolId, ...client, Token }, TEST_CALL);
    const requestToken = async (Scopes: string[] = [], more: object = {}) => {
      const input = { UserPoolId: pool.userPoolId, ...machine, Scopes, ...more };
      return (await oauth.clientCredentials(input, TEST_CALL)).AccessToken;
    };
    const login = async () => requireTokens(await loginByPassword(pool, ADA));
    /** The tokens of a confidential client for a user. */
    const grantCode = async (app: Client): Promise<Required<Pick<OAuthTokens, 'AccessToken' | 'RefreshToken'>>> => {
      const { userPoolId: UserPoolId } = pool;
      const Parameters = { client_id: [app.ClientId], response_type: ['code'], redirect_uri: [CALLBACK] };
      const { ClientId, Request } = await oauth.authorize({ UserPoolId, Parameters, RequiresPkce: true }, TEST_CALL);
      const { access: AccessToken } = await login();
      const { Location } = await oauth.grant({ UserPoolId, ClientId, Request, AccessToken }, TEST_CALL);
      const Code = new URL(Location).searchParams.get('code') ?? '';
      const tokens = await oauth.exchangeCode({ UserPoolId, ...app, Code, RedirectUri: CALLBACK }, TEST_CALL);
      return { RefreshToken: '', ...tokens };
    };

    it("describes a client's own token", async () => {
      const token = await requestToken();
      const { sub, iss, exp, iat, jti, auth_time, scope } = decodeTokenPart(token, 1);
      const { aud, username, ...told } = await introspect(machine, token);
      const owned = { active: true, scope, client_id: machine.ClientId, token_type: 'Bearer' };
      assert.deepEqual(told, { ...owned, sub, iss, exp, iat, jti, auth_time });
      assert.deepEqual([aud, username], [undefined, undefined]);
    });

    it('describes tokens for a resource server to it, with its own scopes', async () => {
      const { active, scope, client_id } = await introspect(api, await requestToken());
      assert.deepEqual([active, scope, client_id], [true, 'things/read', machine.ClientId]);
      assert.deepEqual(await introspect(api, await requestToken(['https://orders.test/read'])), INACTIVE);
    });

    it('reveals nothing about the token of another client, or one bound to another resource', async () => {
      assert.deepEqual(await introspect(stranger, await requestToken()), INACTIVE);
      const bound = await requestToken([], { Resource: 'https://orders.test' });
      assert.deepEqual(await introspect(api, bound), INACTIVE);
      await runServers(api, ['https://orders.test']);
      const told = await introspect(api, bound);
      assert.deepEqual(
        [told.active, told.aud, told.scope],
        [true, 'https://orders.test', 'things/read https://orders.test/read'],
      );
      await runServers(api, ['things']);
    });

    it('reveals nothing about an invalid token', async () => {
      const { id } = await login();
      const token = await requestToken();
      const forged = `${token.slice(0, -8)}AAAAAAAA`;
      for (const text of ['', 'x', 'x.y.z', id, forged]) {
        assert.deepEqual(await introspect(machine, text), INACTIVE, text.slice(0, 20));
      }
      pool.clock.advance(3_600_000);
      assert.deepEqual(await introspect(machine, token), INACTIVE);
    });

    it('requires an authenticated client', async () => {
      const token = await requestToken();
      const isRefused = (error: string) => (thrown: unknown) => thrown instanceof OAuthError && thrown.error === error;
      await assert.rejects(introspect({ ...machine, ClientSecret: 'x' }, token), isRefused('invalid_client'));
      await assert.rejects(introspect({ ClientId: machine.ClientId }, token), isRefused('invalid_client'));
      await assert.rejects(introspect({ ClientId: pool.clientId }, token), isRefused('unauthorized_client'));
    });

    it("follows the login of a user, and recognizes only the client's refresh tokens", async () => {
      const own = await makeClient(['openid'], {
        AllowedOAuthFlows: ['code'],
        CallbackURLs: [CALLBACK],
        SupportedIdentityProviders: ['COGNITO'],
        RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 0 },
      });
      const { AccessToken: access, RefreshToken: refresh } = await grantCode(own);
      const [ofAccess, ofRefresh] = [await introspect(own, access), await introspect(own, refresh)];
      assert.deepEqual([ofAccess.active, ofAccess.username], [true, decodeTokenPart(access, 1).username]);
      const { active, sub, exp, scope, token_type } = ofRefresh;
      assert.deepEqual([active, sub, token_type], [true, ofAccess.sub, undefined]);
      assert.deepEqual([scope, Number(exp) > Number(ofAccess.exp)], ['openid', true]);
      for (const text of [access, refresh]) assert.deepEqual(await introspect(stranger, text), INACTIVE);
      const renewed = await oauth.refresh({ UserPoolId: pool.userPoolId, ...own, RefreshToken: refresh }, TEST_CALL);
      assert.deepEqual(await introspect(own, refresh), INACTIVE, 'a used refresh token');
      assert.equal((await introspect(own, renewed.RefreshToken ?? '')).active, true);
      const user = { UserPoolId: pool.userPoolId, Username: ADA };
      await pool.operations.adminDisableUser(user, TEST_CALL);
      for (const text of [access, renewed.RefreshToken ?? '']) {
        assert.deepEqual(await introspect(own, text), INACTIVE, 'a disabled user');
      }
      await pool.operations.adminEnableUser(user, TEST_CALL);
    });
  });
});
