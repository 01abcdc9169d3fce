import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { addUser, TEST_CALL } from '@poolgate/pool/testing';
import { PageBrowser } from '../testing/page-browser.ts';
import { type PoolService, type PoolServiceResponse, startPoolService } from '../testing/pool-service.ts';

const ADA = 'ada@example.test';
const CALLBACK = 'https://app.test/callback';
const CHALLENGE = createHash('sha256').update('v'.repeat(43)).digest('base64url');

type Texts = Readonly<Record<string, string>>;

describe('pushed authorization requests', () => {
  let service: PoolService;
  let browser: PageBrowser;
  let app: string;
  let other: string;
  let confidential: { readonly id: string; readonly secret: string };

  before(async () => {
    service = await startPoolService();
    await addUser(service, ADA);
    const pages = new PageBrowser(service);
    await pages.logIn(ADA);
    browser = pages.copy('');
    [app, other] = [(await makeClient()).id, (await makeClient()).id];
    confidential = await makeClient({ GenerateSecret: true });
  });
  after(() => service.close());

  async function makeClient(members: object = {}): Promise<{ id: string; secret: string }> {
    const { UserPoolClient } = await service.operations.createUserPoolClient(
      {
        ...{ UserPoolId: service.userPoolId, ClientName: 'App', CallbackURLs: [CALLBACK] },
        ...{ AllowedOAuthFlowsUserPoolClient: true, AllowedOAuthFlows: ['code'], AllowedOAuthScopes: ['openid'] },
        ...{ SupportedIdentityProviders: ['COGNITO'], ...members },
      },
      TEST_CALL,
    );
    return { id: UserPoolClient?.ClientId ?? '', secret: UserPoolClient?.ClientSecret ?? '' };
  }

  const push = (fields: Texts, headers: Texts = {}): Promise<PoolServiceResponse> => {
    const asked = {
      ...{ response_type: 'code', client_id: app, redirect_uri: CALLBACK, scope: 'openid', state: 'pushed' },
      ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', ...fields },
    };
    return service.ask('POST', '/oauth2/par', { body: new URLSearchParams(asked).toString(), headers });
  };
  const pushed = async (fields: Texts = {}): Promise<string> => {
    const { status, body, text } = await push(fields);
    assert.equal(status, 201, text);
    return String(body.request_uri);
  };
  const authorize = (request_uri: string, more: Texts = {}, from = browser) =>
    from.get(`/oauth2/authorize?${new URLSearchParams({ client_id: app, request_uri, ...more })}`);
  const readCallback = ({ status, headers, text }: PoolServiceResponse): Texts => {
    assert.equal(status, 302, text);
    const location = String(headers.location);
    assert.ok(location.startsWith(`${CALLBACK}?`), location);
    return Object.fromEntries(new URL(location).searchParams);
  };
  const assertRefused = (answer: PoolServiceResponse, about: string) =>
    assert.deepEqual([answer.status, answer.headers.location], [400, undefined], about);

  it('are used instead of everything else in the address', async () => {
    const answer = await push({});
    assert.deepEqual([answer.status, answer.body.expires_in], [201, 60], answer.text);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const uri = String(answer.body.request_uri);
    assert.match(uri, /^urn:ietf:params:oauth:request_uri:[\w.-]+$/);
    const { code, state } = readCallback(await authorize(uri, { state: 'forged', redirect_uri: 'https://evil.test/' }));
    assert.deepEqual([code === undefined, state], [false, 'pushed']);
    assertRefused(await authorize(uri), 'a second use');
  });

  it('are single-use, also with many parallel browsers', async () => {
    const uri = await pushed();
    const answers = await Promise.all(Array.from({ length: 8 }, () => authorize(uri)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [302, ...Array.from({ length: 7 }, () => 400)]);
  });

  it('are only for their client, for a minute', async () => {
    const uri = await pushed();
    assertRefused(await authorize(uri, { client_id: other }), 'another client');
    assertRefused(await authorize(`${uri.slice(0, -4)}AAAA`), 'a forged one');
    assertRefused(await authorize('urn:ietf:params:oauth:request_uri:x'), 'an invented one');
    readCallback(await authorize(uri));
    const late = await pushed();
    service.clock.advance(60_000);
    assertRefused(await authorize(late), 'an expired one');
  });

  it('show a signed-out user the page, with the pushed hints', async () => {
    const uri = await pushed({ login_hint: ADA });
    const { status, headers } = await authorize(uri, { login_hint: 'eve@example.test' }, new PageBrowser(service, ''));
    assert.equal(status, 302);
    const page = new URL(String(headers.location), 'https://x.test');
    assert.deepEqual([page.pathname, page.searchParams.get('login_hint')], ['/cognito/login', ADA]);
  });

  it("are refused before a browser comes, with the protocol's errors", async () => {
    const basic = (secret: string) => ({ authorization: `Basic ${btoa(`${confidential.id}:${secret}`)}` });
    for (const [error, status, fields, headers] of [
      ['invalid_request', 400, { redirect_uri: 'https://evil.test/' }, {}],
      ['invalid_scope', 400, { scope: 'openid things/read' }, {}],
      ['request_uri_not_supported', 400, { request_uri: 'urn:x' }, {}],
      ['invalid_client', 400, { client_id: confidential.id }, {}],
      ['invalid_client', 401, { client_id: confidential.id }, basic('x')],
    ] as const) {
      const answer = await push(fields, headers);
      assert.deepEqual([answer.status, answer.body.error], [status, error], answer.text);
    }
    assert.equal((await push({ client_id: confidential.id }, basic(confidential.secret))).status, 201);
  });

  it('can be required for a client', async () => {
    const { id } = await makeClient();
    const ids = { UserPoolId: service.userPoolId, ClientId: id };
    const { client_extensions } = service.embedded.extensions;
    await client_extensions?.update({ ...ids, Change: { requirePushedRequests: true } }, TEST_CALL);
    const fields = { response_type: 'code', client_id: id, redirect_uri: CALLBACK };
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
    const open = await browser.get(`/oauth2/authorize?${new URLSearchParams({ ...fields, ...pkce })}`);
    assert.equal(readCallback(open).error, 'invalid_request');
    const { code } = readCallback(await authorize(await pushed({ client_id: id }), { client_id: id }));
    assert.ok(code);
  });
});
