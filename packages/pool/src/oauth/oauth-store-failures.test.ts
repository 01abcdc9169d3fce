import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import type { OAuthServer } from '@poolgate/provider';
import { insertDefaultDomain } from '../settings/pool-domains.ts';
import { type StandIn, standInStore } from '../testing/stand-in-store.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';

const ADA = 'ada@example.com';
const CALLBACK = 'https://app.test/callback';
const VERIFIER = 'v'.repeat(43);
const AWAY = new Error('the store is away');

describe('a failing store under the authorization server', () => {
  const standIns = new Map<string, StandIn>();
  let pool: TestPool;
  let oauth: OAuthServer;
  let ClientId: string;
  let AccessToken: string;

  before(async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    const ports = { ...opened.options, store: standInStore(opened.options.store, standIns) };
    pool = await openTestPoolOn({ ...opened, options: ports }, { domain: true });
    oauth = pool.embedded.extensions.oauth ?? assert.fail();
    await addUser(pool, ADA);
    const { UserPoolClient } = await pool.operations.createUserPoolClient(
      {
        UserPoolId: pool.userPoolId,
        ClientName: 'app',
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code', 'implicit'],
        AllowedOAuthScopes: ['openid'],
        SupportedIdentityProviders: ['COGNITO'],
        CallbackURLs: [CALLBACK],
      },
      TEST_CALL,
    );
    ClientId = UserPoolClient?.ClientId ?? '';
    AccessToken = requireTokens(await loginByPassword(pool, ADA)).access;
  });
  after(() => pool.close());
  afterEach(() => standIns.clear());

  const away = () => Promise.reject(AWAY);

  /** Makes each method fail alone, and the call must fail with the store's error. */
  async function assertFails(names: readonly string[], call: () => Promise<unknown>): Promise<void> {
    for (const name of names) {
      standIns.set(name, away);
      await assert.rejects(call, AWAY, name);
      standIns.clear();
    }
  }

  async function granted(response_type: 'code' | 'token' = 'code'): Promise<URL> {
    const { userPoolId: UserPoolId } = pool;
    const code_challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const sent = { client_id: ClientId, redirect_uri: CALLBACK, response_type, code_challenge };
    const all = Object.entries({ ...sent, code_challenge_method: 'S256' });
    const Parameters = Object.fromEntries(all.map(([name, value]) => [name, [value]]));
    const { Request } = await oauth.authorize({ UserPoolId, Parameters, RequiresPkce: true }, TEST_CALL);
    return new URL((await oauth.grant({ UserPoolId, ClientId, Request, AccessToken }, TEST_CALL)).Location);
  }

  const requestCode = async () => (await granted()).searchParams.get('code') ?? assert.fail();
  const exchange = (Code: string, CodeVerifier = VERIFIER) =>
    oauth.exchangeCode({ UserPoolId: pool.userPoolId, ClientId, Code, CodeVerifier, RedirectUri: CALLBACK }, TEST_CALL);

  it('gives no code and no tokens that are not stored, and reports the failure', async () => {
    await assertFails(['write', 'in.authorizations.insertCode'], () => granted());
    await assertFails(['write', 'in.logins.insert', 'in.events.append'], () => granted('token'));
    const code = await requestCode();
    await assertFails(['write', 'in.logins.insert', 'in.events.append', 'in.authorizations.useCode'], () =>
      exchange(code),
    );
    assert.ok(await exchange(code));
    await assertFails(['write'], () => exchange(code));
    const leaked = await requestCode();
    await assertFails(['write'], () => exchange(leaked, 'w'.repeat(43)));
  });

  it('refuses a code whose user is gone, or that was used or swept meanwhile', async () => {
    const code = await requestCode();
    const refusal = {
      error: 'invalid_grant',
      message: 'The code is unknown, expired or used, or is not for this request.',
    };
    standIns.set('authorizations.codeWithUser', async (read) => ({ ...(await read()), user: undefined }));
    await assert.rejects(exchange(code), refusal);
    standIns.clear();
    standIns.set('in.authorizations.useCode', async () => false);
    await assert.rejects(exchange(code), refusal);
  });

  it('lets no token in whose login is unknown', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const untracked = { ClientName: 'untracked', EnableTokenRevocation: false };
    const ExplicitAuthFlows = ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'] as const;
    const { UserPoolClient } = await operations.createUserPoolClient(
      { UserPoolId, ...untracked, ExplicitAuthFlows },
      TEST_CALL,
    );
    const { access } = requireTokens(await loginByPassword({ ...pool, clientId: UserPoolClient?.ClientId ?? '' }, ADA));
    const Request = { redirectUri: CALLBACK, responseType: 'code', scope: 'openid', state: null } as const;
    const input = { UserPoolId, ClientId, Request, AccessToken: access } as Parameters<OAuthServer['grant']>[0];
    standIns.set('accessTokens.findFacts', async (read) => ({ ...(await read()), login: undefined }));
    await assert.rejects(oauth.grant(input, TEST_CALL), { error: 'access_denied' });
  });

  it('does not blame a token', async () => {
    const { access_token: token = '' } = Object.fromEntries(
      new URLSearchParams((await granted('token')).hash.slice(1)),
    );
    const asked = { UserPoolId: pool.userPoolId, AccessToken: token };
    await assertFails(['accessTokens.findFacts'], () => oauth.userInfo(asked, TEST_CALL));
    assert.ok(await oauth.userInfo(asked, TEST_CALL));
  });

  it('leaves domains and resource servers unchanged', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const { UserPool = {} } = await operations.describeUserPool({ UserPoolId }, TEST_CALL);
    const domain = { UserPoolId, Domain: UserPool.Domain ?? '' };
    await assertFails(['in.domains.byName', 'in.domains.update', 'in.events.append'], () =>
      operations.updateUserPoolDomain({ ...domain, ManagedLoginVersion: 2 }, TEST_CALL),
    );
    await assertFails(['write', 'in.domains.byName', 'in.domains.delete', 'in.events.append'], () =>
      operations.deleteUserPoolDomain(domain, TEST_CALL),
    );
    await operations.deleteUserPoolDomain(domain, TEST_CALL);
    await assertFails(['in.locks.lock', 'in.domains.listOf', 'in.domains.insert', 'in.events.append'], () =>
      operations.createUserPoolDomain({ UserPoolId, Domain: 'mine' }, TEST_CALL),
    );
    const server = { UserPoolId, Identifier: 'things', Name: 'Things' };
    await assertFails(['in.locks.lock', 'in.resourceServers.insert', 'in.events.append'], () =>
      operations.createResourceServer(server, TEST_CALL),
    );
    await operations.createResourceServer(server, TEST_CALL);
    await assertFails(['in.resourceServers.update', 'in.events.append'], () =>
      operations.updateResourceServer({ ...server, Name: 'More' }, TEST_CALL),
    );
    await assertFails(['write', 'in.resourceServers.delete', 'in.events.append'], () =>
      operations.deleteResourceServer(server, TEST_CALL),
    );
    assert.deepEqual((await operations.describeResourceServer(server, TEST_CALL)).ResourceServer, {
      ...server,
      Scopes: [],
    });
  });

  it('gives a pool no domain if it has one, or if another pool has the name', async () => {
    const { operations, userPoolId: id } = pool;
    const own = id.toLowerCase().replace('_', '-');
    const insert = () => pool.store.write((transaction) => insertDefaultDomain(transaction, { id }, 1));
    const names = async () => (await pool.store.domains.listOf(id)).map(({ name }) => name);
    await assertFails(['in.domains.insert'], insert);
    assert.deepEqual(await names(), []);
    await insert();
    await insert();
    assert.deepEqual(await names(), [own]);
    assert.equal((await pool.store.domains.byName(own))?.createdAtMs, 1);
    await operations.deleteUserPoolDomain({ UserPoolId: id, Domain: own }, TEST_CALL);
    await operations.createUserPoolDomain({ UserPoolId: id, Domain: 'other' }, TEST_CALL);
    await insert();
    assert.deepEqual(await names(), ['other']);
    await operations.deleteUserPoolDomain({ UserPoolId: id, Domain: 'other' }, TEST_CALL);
    const { UserPool = {} } = await operations.createUserPool({ PoolName: 'other' }, TEST_CALL);
    await operations.createUserPoolDomain({ UserPoolId: UserPool.Id ?? '', Domain: own }, TEST_CALL);
    await insert();
    assert.deepEqual(await names(), []);
  });
});
