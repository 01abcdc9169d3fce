import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import {
  CALLBACK,
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  openSignedInBrowser,
  postForm,
  readCallbackParameters,
  readLocation,
} from '../support/oauth/oauth-client.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.test';
const BYE = 'https://app.test/bye';
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

describe('back-channel logout', () => {
  let service: TestService;
  let application: Server;
  before(async () => {
    service = await startTestService({ issuer: 'base-url', privateWebhooks: true });
    // The verifying library uses the machine's clock.
    service.clock.advance(Date.now() - service.clock.now());
    await addUser(service, ADA);
    application = createServer().listen(0, '127.0.0.1');
    await once(application, 'listening');
  });
  after(async () => {
    application.closeAllConnections();
    application.close();
    await service.close();
  });

  it('posts a signed logout token to the application, and ends its tokens if configured', async () => {
    const client = await createOAuthClient(service);
    const { port } = application.address() as AddressInfo;
    const extensions = {
      backchannel_logout_uri: `http://127.0.0.1:${port}/logout?tenant=1`,
      ends_grants_at_sign_out: true,
    };
    const sent = {
      body: JSON.stringify({ extensions }),
      headers: { ...service.asAdmin, 'content-type': 'application/json' },
    };
    const set = await service.ask('PATCH', `/admin/clients/${client.id}`, sent);
    assert.equal(set.status, 200, set.text);
    const browser = await openSignedInBrowser(service, ADA);
    const { verifier, challenge } = createPkce();
    const answer = await browser.get(`/oauth2/authorize?${createAuthorizeQuery(client, challenge)}`);
    const code = readCallbackParameters(answer).get('code') ?? '';
    const grant = { grant_type: 'authorization_code', client_id: client.id, redirect_uri: CALLBACK };
    const { body } = await postForm(service, '/oauth2/token', { ...grant, code, code_verifier: verifier });
    const { sid, sub } = decodeJwt(String(body.id_token));
    const posted = once(application, 'request');
    const query = new URLSearchParams({ client_id: client.id, logout_uri: BYE });
    const out = await browser.get(`/logout?${query}`, { ...browser.cookieHeader, ...NAVIGATION });
    assert.equal(readLocation(out), BYE);
    const refresh = { grant_type: 'refresh_token', client_id: client.id, refresh_token: String(body.refresh_token) };
    assert.equal((await postForm(service, '/oauth2/token', refresh)).body.error, 'invalid_grant');
    const [request, response] = await posted;
    const token = new URLSearchParams(await text(request)).get('logout_token') ?? '';
    response.writeHead(200).end();
    assert.deepEqual([request.method, request.url], ['POST', '/logout?tenant=1']);
    const issuer = `${service.baseUrl}/${service.userPoolId}`;
    const keys = createRemoteJWKSet(new URL(`${service.url}/${service.userPoolId}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(token, keys, { issuer, audience: client.id, typ: 'logout+jwt' });
    assert.deepEqual([payload.sub, payload.sid, payload.nonce], [sub, sid, undefined]);
    assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} });
    const { body: discovered } = await service.get(`/${service.userPoolId}/.well-known/openid-configuration`);
    const { backchannel_logout_supported: isSupported, backchannel_logout_session_supported: hasSid } = discovered;
    assert.deepEqual([isSupported, hasSid], [true, true]);
  });
});
