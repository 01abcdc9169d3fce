import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import {
  assertOAuthError,
  callAsAdmin,
  createOAuthClient,
  createResourceServer,
  type OAuthClient,
  postForm,
  toBasicHeader,
} from '../support/oauth/oauth-client.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const ADA = 'ada@example.test';
const MACHINE = {
  GenerateSecret: true,
  AllowedOAuthFlows: ['client_credentials'],
  AllowedOAuthScopes: ['things/read'],
};

describe('the token, revocation and userInfo endpoints', () => {
  let service: TestService;
  let machine: OAuthClient;
  let publicClient: OAuthClient;
  before(async () => {
    service = await startTestService({ issuer: 'base-url' });
    await createResourceServer(service);
    machine = await createOAuthClient(service, MACHINE);
    publicClient = { id: service.clientId, secret: undefined };
    await addUser(service, ADA);
  });
  after(() => service.close());

  const ask = (fields: Record<string, string>, headers = {}) => postForm(service, '/oauth2/token', fields, headers);
  const login = async () => requireTokens(await service.post('/login', { username: ADA, password: PASSWORD }));
  const userInfo = (token: string) => service.get('/oauth2/userInfo', { authorization: `Bearer ${token}` });

  it('a machine gets only the access token, with HTTP Basic and with the secret in the body', async () => {
    const grant = { grant_type: 'client_credentials' };
    const inBody = { ...grant, client_id: machine.id, client_secret: machine.secret ?? '', scope: 'things/read' };
    const byBasic = await ask(grant, toBasicHeader(machine));
    assert.deepEqual(Object.keys(byBasic.body), ['access_token', 'expires_in', 'token_type', 'scope']);
    const { iss, client_id, scope, username } = decodeTokenPart(String(byBasic.body.access_token), 1);
    assert.deepEqual(
      [iss, client_id, scope, username],
      [`${service.baseUrl}/${service.userPoolId}`, machine.id, 'things/read', undefined],
    );
    const byBody = await ask(inBody);
    assert.deepEqual([byBody.status, byBody.body.scope, byBody.body.expires_in], [200, 'things/read', 3_600]);
    const bound = await ask({ ...inBody, resource: 'https://things.test/' });
    assert.equal(decodeTokenPart(String(bound.body.access_token), 1).aud, 'https://things.test/');
  });

  it('a client that fails to authenticate learns nothing else', async () => {
    const grant = { grant_type: 'client_credentials' };
    const wrong = { id: machine.id, secret: 'x'.repeat(30) };
    assertOAuthError(await ask(grant, toBasicHeader(wrong)), 401, 'invalid_client');
    assert.match(String((await ask(grant, toBasicHeader(wrong))).headers['www-authenticate']), /^Basic /);
    assertOAuthError(await ask({ ...grant, client_id: machine.id, client_secret: 'x' }), 400, 'invalid_client');
    assertOAuthError(await ask({ ...grant, client_id: machine.id }), 400, 'invalid_client');
    assertOAuthError(await ask({ ...grant, client_id: 'nobody' }), 400, 'invalid_client');
    const refresh = { grant_type: 'refresh_token', refresh_token: 'x', client_id: service.clientId };
    assertOAuthError(await ask({ ...refresh, client_secret: 'x' }), 400, 'invalid_client');
    for (const authorization of ['Basic', 'Basic !', 'Basic Og==', 'Bearer x', `Basic ${btoa('a:%')}`]) {
      assertOAuthError(await ask(grant, { authorization }), 401, 'invalid_client', authorization);
    }
    const twice = { ...grant, client_id: machine.id, client_secret: machine.secret ?? '' };
    assertOAuthError(await ask(twice, toBasicHeader(machine)), 400, 'invalid_request');
    assertOAuthError(await ask({ ...grant, client_id: 'other' }, toBasicHeader(machine)), 400, 'invalid_request');
  });

  it('what a client may not request is refused with the error name of RFC 6749', async () => {
    const grant = { grant_type: 'client_credentials' };
    assertOAuthError(await ask({ ...grant, scope: 'things/write' }, toBasicHeader(machine)), 400, 'invalid_scope');
    assertOAuthError(await ask({ ...grant, scope: 'openid' }, toBasicHeader(machine)), 400, 'invalid_scope');
    assertOAuthError(await ask({ ...grant, resource: 'x' }, toBasicHeader(machine)), 400, 'invalid_target');
    assertOAuthError(await ask({ ...grant, client_id: publicClient.id }), 400, 'unauthorized_client');
    assertOAuthError(await ask({ grant_type: 'password' }, toBasicHeader(machine)), 400, 'unsupported_grant_type');
    assertOAuthError(await ask({ grant_type: 'toString' }, toBasicHeader(machine)), 400, 'unsupported_grant_type');
    assertOAuthError(await ask({}, toBasicHeader(machine)), 400, 'invalid_request');
    const code = { grant_type: 'authorization_code', code: 'x' };
    assertOAuthError(await ask(code, toBasicHeader(machine)), 400, 'unauthorized_client');
  });

  it('a request that is not a form, or has a duplicate, is refused', async () => {
    const bodies: readonly (readonly [string, string])[] = [
      ['grant_type=client_credentials&grant_type=client_credentials', 'application/x-www-form-urlencoded'],
      ['grant_type=client_credentials&scope=a%00b', 'application/x-www-form-urlencoded'],
      ['grant_type=client_credentials&scope=%ff%fe', 'application/x-www-form-urlencoded'],
      ['{"grant_type":"client_credentials"}', 'application/json'],
      ['', 'application/x-www-form-urlencoded'],
      ['%%%=%', 'application/x-www-form-urlencoded'],
      ['grant_type=client_credentials', 'text/plain'],
    ];
    for (const [body, type] of bodies) {
      const answer = await postForm(service, '/oauth2/token', body, {
        ...toBasicHeader(machine),
        'content-type': type,
      });
      assert.equal(answer.status, 400, `${body}: ${answer.text}`);
      assert.match(String(answer.body.error), /^invalid_(request|scope)$/, body);
    }
    const big = await postForm(service, '/oauth2/token', `a=${'x'.repeat(70_000)}`);
    assert.equal(big.status, 413);
    assert.equal((await service.get('/oauth2/token')).status, 405);
  });

  it('a page of any origin may call it, without credentials of the browser', async () => {
    const preflight = await service.ask('OPTIONS', '/oauth2/token', { headers: { origin: 'https://app.test' } });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], '*');
    assert.equal(preflight.headers['access-control-allow-headers'], 'Authorization, Content-Type, X-Amz-User-Agent');
    assert.equal(preflight.headers['access-control-allow-credentials'], undefined);
  });

  it('the refresh token of a login at the API works here with the pool’s rotation, and a stolen one ends the login', async () => {
    const { refresh } = await login();
    const refreshing = (refresh_token: string) =>
      ask({ grant_type: 'refresh_token', client_id: service.clientId, refresh_token });
    const first = await refreshing(refresh);
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(Object.keys(first.body).sort(), [
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'token_type',
    ]);
    const { scope } = decodeTokenPart(String(first.body.access_token), 1);
    assert.equal(scope, 'aws.cognito.signin.user.admin');
    const good = { authorization: `Bearer ${first.body.access_token}` };
    assert.equal((await service.get('/user/profile', good)).status, 200);
    service.clock.advance(60_000);
    assertOAuthError(await refreshing(refresh), 400, 'invalid_grant');
    assertOAuthError(await refreshing(String(first.body.refresh_token)), 400, 'invalid_grant');
    assert.equal((await service.get('/user/profile', good)).status, 401);
    const wider = { grant_type: 'refresh_token', client_id: service.clientId, refresh_token: (await login()).refresh };
    assertOAuthError(await ask({ ...wider, scope: 'openid' }), 400, 'invalid_scope');
    assertOAuthError(await ask({ ...wider, refresh_token: 'x' }), 400, 'invalid_grant');
    const other = await createOAuthClient(service, { GenerateSecret: true });
    assertOAuthError(await ask({ ...wider, client_id: '' }, toBasicHeader(other)), 400, 'invalid_grant');
  });

  it('revoking a refresh or access token ends its login; an unknown one also succeeds', async () => {
    const { access, refresh } = await login();
    const isActive = async (token: string) =>
      (await service.get('/user/profile', { authorization: `Bearer ${token}` })).status === 200;
    const revoke = (token: string, more: Record<string, string> = {}) =>
      postForm(service, '/oauth2/revoke', { client_id: service.clientId, token, ...more });
    const revoked = await revoke(refresh);
    assert.deepEqual([revoked.status, revoked.text], [200, '{}']);
    assert.equal(await isActive(access), false);
    for (const unknown of [refresh, access, 'x', 'a.b.c']) assert.equal((await revoke(unknown)).text, '{}', unknown);
    const second = await login();
    assert.equal(await isActive(second.access), true);
    assert.equal((await revoke(second.access, { token_type_hint: 'access_token' })).text, '{}');
    assert.equal(await isActive(second.access), false);
    assertOAuthError(await revoke((await login()).refresh, { client_id: 'nobody' }), 400, 'invalid_client');
    assertOAuthError(
      await postForm(service, '/oauth2/revoke', { client_id: service.clientId }),
      400,
      'invalid_request',
    );
  });

  it('userInfo requires a token of this pool with the scope openid', async () => {
    const none = await service.get('/oauth2/userInfo');
    assert.deepEqual([none.status, none.headers['www-authenticate']], [401, 'Bearer']);
    const forged = await userInfo('x.y.z');
    assertOAuthError(forged, 401, 'invalid_token');
    assert.match(String(forged.headers['www-authenticate']), /^Bearer error="invalid_token"/);
    const { access, id } = await login();
    const short = await userInfo(access);
    assertOAuthError(short, 403, 'insufficient_scope');
    assert.match(String(short.headers['www-authenticate']), /scope="openid"$/);
    assertOAuthError(await userInfo(id), 401, 'invalid_token');
    const machineToken = await ask({ grant_type: 'client_credentials' }, toBasicHeader(machine));
    assertOAuthError(await userInfo(String(machineToken.body.access_token)), 401, 'invalid_token');
    const inBody = await postForm(service, '/oauth2/userInfo', { access_token: access });
    assertOAuthError(inBody, 403, 'insufficient_scope');
    // Addresses appear in histories and logs (RFC 9700 §4.3).
    for (const method of ['GET', 'POST']) {
      assert.equal((await service.ask(method, `/oauth2/userInfo?access_token=${access}`)).status, 401, method);
    }
  });

  it('discovery lists the endpoints while the pool has a domain, and they do not exist without one', async () => {
    const paths = [
      `/${service.userPoolId}/.well-known/openid-configuration`,
      `/${service.userPoolId}/.well-known/oauth-authorization-server`,
      `/.well-known/oauth-authorization-server/${service.userPoolId}`,
    ];
    for (const path of paths) {
      const { body } = await service.get(path);
      assert.equal(body.issuer, `${service.baseUrl}/${service.userPoolId}`);
      assert.equal(body.token_endpoint, `${service.baseUrl}/oauth2/token`);
      assert.equal(body.userinfo_endpoint, `${service.baseUrl}/oauth2/userInfo`);
      assert.equal(body.authorization_endpoint, `${service.baseUrl}/oauth2/authorize`);
      assert.equal(body.revocation_endpoint, `${service.baseUrl}/oauth2/revoke`);
      assert.equal(body.end_session_endpoint, `${service.baseUrl}/logout`);
      assert.deepEqual(body.code_challenge_methods_supported, ['S256']);
    }
    const { userPoolId: UserPoolId } = service;
    const Domain = UserPoolId.toLowerCase().replace('_', '-');
    const other = (await callAsAdmin(service, 'CreateUserPool', { PoolName: 'other' })).UserPool as { Id: string };
    const ofOther = await service.get(`/${other.Id}/.well-known/openid-configuration`);
    assert.deepEqual([ofOther.status, ofOther.body.token_endpoint], [200, undefined]);
    await callAsAdmin(service, 'DeleteUserPoolDomain', { UserPoolId, Domain });
    for (const path of paths) assert.equal((await service.get(path)).body.token_endpoint, undefined);
    assert.equal((await ask({ grant_type: 'client_credentials' }, toBasicHeader(machine))).status, 404);
    await callAsAdmin(service, 'CreateUserPoolDomain', { UserPoolId, Domain: 'shop' });
    assert.equal((await ask({ grant_type: 'client_credentials' }, toBasicHeader(machine))).status, 200);
  });
});

describe('a service without OAuth', () => {
  it('has no endpoints and reports no domain', async () => {
    const service = await startTestService({ oauth: false });
    assert.equal((await postForm(service, '/oauth2/token', {})).status, 404);
    const { body } = await service.get(`/${service.userPoolId}/.well-known/openid-configuration`);
    assert.deepEqual([body.token_endpoint, body.response_types_supported], [undefined, []]);
    await service.close();
  });
});
