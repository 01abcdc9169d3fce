import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { OAuthServer } from '@poolgate/provider';
import { addUser, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';
import { createTestTriggers, formatTriggerArn, openTriggeredPool } from '../testing/test-triggers.ts';

const ADA = 'ada@example.com';
const CALLBACK = 'https://app.test/callback';

describe('the authorization server of a pool with a trigger before its tokens', () => {
  const triggers = createTestTriggers();
  let pool: TestPool;
  let oauth: OAuthServer;
  let app: Readonly<Record<string, string>>;
  let machine: { readonly ClientId: string; readonly ClientSecret: string };

  before(async () => {
    const PreTokenGenerationConfig = { LambdaVersion: 'V3_0', LambdaArn: formatTriggerArn('tokens') } as const;
    triggers.functions.tokens = (event) => event;
    pool = await openTriggeredPool('sqlite::memory:', triggers, { PreTokenGenerationConfig });
    oauth = pool.embedded.extensions.oauth ?? assert.fail();
    const { operations, userPoolId: UserPoolId } = pool;
    await addUser(pool, ADA);
    const Scopes = ['read', 'write'].map((ScopeName) => ({ ScopeName, ScopeDescription: ScopeName }));
    await operations.createResourceServer({ UserPoolId, Identifier: 'things', Name: 'Things', Scopes }, TEST_CALL);
    const make = async (members: object) => {
      const shared = { UserPoolId, ClientName: 'app', AllowedOAuthFlowsUserPoolClient: true };
      const { UserPoolClient } = await operations.createUserPoolClient({ ...shared, ...members }, TEST_CALL);
      return { ClientId: UserPoolClient?.ClientId ?? '', ClientSecret: UserPoolClient?.ClientSecret ?? '' };
    };
    const { ClientId: client_id } = await make({
      AllowedOAuthFlows: ['code', 'implicit'],
      AllowedOAuthScopes: ['openid', 'things/read'],
      SupportedIdentityProviders: ['COGNITO'],
      CallbackURLs: [CALLBACK],
    });
    app = { client_id, redirect_uri: CALLBACK, scope: 'openid things/read' };
    machine = await make({
      GenerateSecret: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: ['things/read', 'things/write'],
    });
  });
  after(() => pool.close());
  beforeEach(() => {
    triggers.functions.tokens = (event) => event;
    triggers.takeEvents();
  });

  /** The trigger takes a scope away, and adds a claim. */
  function change(): void {
    const claims = { claimsToAddOrOverride: { tier: 'gold' } };
    const accessTokenGeneration = { ...claims, scopesToSuppress: ['things/read'] };
    triggers.functions.tokens = (event) => ({
      ...event,
      response: { claimsAndScopeOverrideDetails: { accessTokenGeneration } },
    });
  }

  function refuse(): void {
    triggers.functions.tokens = () => {
      throw new Error('not today');
    };
  }

  const refusal = { code: 'UserLambdaValidationException' };

  async function granted(response_type: 'code' | 'token'): Promise<URL> {
    const { userPoolId: UserPoolId } = pool;
    const sent = Object.entries({ ...app, response_type });
    const Parameters = Object.fromEntries(sent.map(([name, value]) => [name, [value]]));
    const { ClientId, Request } = await oauth.authorize({ UserPoolId, Parameters, RequiresPkce: false }, TEST_CALL);
    const before = triggers.functions.tokens ?? assert.fail();
    triggers.functions.tokens = (event) => event;
    const { access: AccessToken } = requireTokens(await loginByPassword(pool, ADA));
    triggers.functions.tokens = before;
    triggers.takeEvents();
    return new URL((await oauth.grant({ UserPoolId, ClientId, Request, AccessToken }, TEST_CALL)).Location);
  }

  const exchange = (Code: string) =>
    oauth.exchangeCode(
      { UserPoolId: pool.userPoolId, ClientId: app.client_id ?? '', Code, RedirectUri: CALLBACK },
      TEST_CALL,
    );
  const told = () =>
    triggers
      .takeEvents()
      .map(({ triggerSource, request }) => [triggerSource, (request as { scopes?: unknown }).scopes]);

  it('calls it before the tokens of a code, and returns the resulting scope to the client', async () => {
    const codes = [await granted('code'), await granted('code'), await granted('code')].map(
      ({ searchParams }) => searchParams.get('code') ?? '',
    );
    const [plain = '', changed = '', refused = ''] = codes;
    const { Scope, IsScopeChanged } = await exchange(plain);
    assert.deepEqual([Scope, IsScopeChanged], ['openid things/read', false]);
    assert.deepEqual(told(), [['TokenGeneration_HostedAuth', ['openid', 'things/read']]]);
    change();
    const tokens = await exchange(changed);
    assert.deepEqual([tokens.Scope, tokens.IsScopeChanged], ['openid', true]);
    assert.equal(decodeTokenPart(tokens.AccessToken, 1).tier, 'gold');
    refuse();
    await assert.rejects(exchange(refused), refusal);
    triggers.functions.tokens = (event) => event;
    assert.ok(await exchange(refused), 'nothing was used up');
  });

  it('calls it before tokens that are returned directly', async () => {
    const plain = new URLSearchParams((await granted('token')).hash.slice(1));
    assert.equal(plain.get('scope'), null);
    assert.deepEqual(told(), [['TokenGeneration_HostedAuth', ['openid', 'things/read']]]);
    change();
    const changed = new URLSearchParams((await granted('token')).hash.slice(1));
    assert.equal(changed.get('scope'), 'openid');
    assert.equal(decodeTokenPart(changed.get('access_token') ?? '', 1).tier, 'gold');
    refuse();
    await assert.rejects(granted('token'), refusal);
  });

  it('calls it before the token of a machine, with the metadata of the request', async () => {
    const { userPoolId: UserPoolId } = pool;
    const Scopes = ['things/read', 'things/write'];
    const asked = { UserPoolId, ...machine, Scopes, ClientMetadata: { from: 'test' } };
    const plain = await oauth.clientCredentials(asked, TEST_CALL);
    assert.deepEqual([plain.Scope, plain.IsScopeChanged], ['things/read things/write', false]);
    const [event] = triggers.takeEvents();
    assert.equal(event?.triggerSource, 'TokenGeneration_ClientCredentials');
    const { clientMetadata, scopes } = (event?.request ?? {}) as Readonly<Record<string, unknown>>;
    assert.deepEqual([clientMetadata, scopes], [{ from: 'test' }, ['things/read', 'things/write']]);
    change();
    const changed = await oauth.clientCredentials(asked, TEST_CALL);
    assert.deepEqual([changed.Scope, changed.IsScopeChanged], ['things/write', true]);
    assert.equal(decodeTokenPart(changed.AccessToken, 1).tier, 'gold');
    refuse();
    await assert.rejects(oauth.clientCredentials(asked, TEST_CALL), refusal);
    const api = { ClientId: machine.ClientId, Secret: machine.ClientSecret };
    await assert.rejects(pool.operations.getClientToken(api, TEST_CALL), refusal);
  });
});
