import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { addUser, PASSWORD, TEST_CALL } from '@poolgate/pool/testing';
import { createLocalJWKSet, type JWK, jwtVerify } from 'jose';
import type { LogoutTokenPost, WebhookOutcome } from '../kernel/deps.ts';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { PageBrowser } from '../testing/page-browser.ts';
import { type PoolService, startPoolService } from '../testing/pool-service.ts';
import { DeliveryDispatcher } from '../webhooks/delivery-dispatcher.ts';
import { createLogoutTokenQueue } from './logout-token-queue.ts';

const ADA = 'ada@example.test';
const BOB = 'bob@example.test';
const CALLBACK = 'https://app.test/callback';
const BYE = 'https://app.test/bye';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const HOUR_MS = 3_600_000;

type Claims = Readonly<Record<string, unknown>>;
const decode = (part: string): Claims => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

describe('when a session ends', () => {
  let service: PoolService;
  let told: string;
  let strict: string;
  let silent: string;
  let browser: PageBrowser;
  let posts: LogoutTokenPost[] = [];
  let givenUp: string[] = [];
  let outcome: WebhookOutcome = { ok: true };
  let look: () => Promise<void>;
  let stop: () => Promise<void>;

  before(async () => {
    service = await startPoolService();
    for (const name of [ADA, BOB]) await addUser(service, name);
    told = await makeClient({ backchannelLogoutUri: 'https://app.test/logout?tenant=1' });
    strict = await makeClient({ backchannelLogoutUri: 'https://strict.test/out', endsGrantsAtSignOut: true });
    silent = await makeClient({});
    ({ look, stop } = openQueue());
  });
  beforeEach(async () => {
    posts = [];
    givenUp = [];
    outcome = { ok: true };
    browser = await signIn(new PageBrowser(service), ADA);
  });
  after(async () => {
    await stop();
    await service.close();
  });

  async function makeClient(Change: Claims): Promise<string> {
    const { userPoolId: UserPoolId } = service;
    const { UserPoolClient } = await service.operations.createUserPoolClient(
      {
        ...{ UserPoolId, ClientName: 'app', AllowedOAuthFlowsUserPoolClient: true, AllowedOAuthFlows: ['code'] },
        ...{ AllowedOAuthScopes: ['openid', 'email'], SupportedIdentityProviders: ['COGNITO'] },
        ...{ CallbackURLs: [CALLBACK], LogoutURLs: [BYE] },
      },
      TEST_CALL,
    );
    const ClientId = UserPoolClient?.ClientId ?? '';
    await service.embedded.extensions.client_extensions?.update({ UserPoolId, ClientId, Change }, TEST_CALL);
    return ClientId;
  }

  /** What the service posts by itself, whenever a test triggers it. */
  function openQueue() {
    let [rest, wait] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let next: () => void = () => {};
    let left = 0;
    const timer = {
      after(_delayMs: number, run: () => void) {
        next = run;
        wait.resolve();
        return () => {};
      },
    };
    const postLogoutToken = async (post: LogoutTokenPost) => {
      posts.push(post);
      return outcome;
    };
    const { records, embedded: provider, clock } = service;
    const deps = createTestDeps({ records, provider, clock, timer, postLogoutToken });
    const queue = createLogoutTokenQueue(deps, ({ clientId }, failure) => givenUp.push(`${clientId} ${failure}`));
    const settle = (count: number) => {
      left += count;
      if (left === 0) rest.resolve();
    };
    const watched: typeof queue = {
      ...queue,
      async lease(...asked) {
        const due = await queue.lease(...asked);
        settle(due.length);
        return due;
      },
      finish: (notice) => queue.finish(notice).then(() => settle(-1)),
      postpone: (...asked) => queue.postpone(...asked).then(() => settle(-1)),
      giveUp: (...asked) => queue.giveUp(...asked).then(() => settle(-1)),
    };
    const dispatcher = new DeliveryDispatcher(deps, watched, (error) => rest.reject(error));
    dispatcher.start();
    const look = async () => {
      [rest, wait] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      next();
      await Promise.all([rest.promise, wait.promise]);
    };
    return { look, stop: () => dispatcher.stop() };
  }

  async function signIn(pages: PageBrowser, name: string): Promise<PageBrowser> {
    await pages.logIn(name);
    return pages.copy('');
  }
  const form = (path: string, fields: Readonly<Record<string, string>>, headers = {}) =>
    service.ask('POST', path, { body: new URLSearchParams(fields).toString(), headers });
  async function authorize(clientId: string, from = browser) {
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: CALLBACK, scope: 'openid email' },
      ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', nonce: 'n' },
    });
    const { headers } = await from.get(`/oauth2/authorize?${query}`);
    const code = new URL(String(headers.location)).searchParams.get('code') ?? '';
    const asked = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
    const { body, text } = await form('/oauth2/token', { ...asked, client_id: clientId });
    assert.ok(body.id_token, text);
    const [id, access, refresh] = [body.id_token, body.access_token, body.refresh_token].map(String);
    return { id: id ?? '', access: access ?? '', refresh: refresh ?? '', claims: decode(id?.split('.')[1] ?? '') };
  }
  const renew = (clientId: string, refresh_token: string) =>
    form('/oauth2/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token });
  const logOut = (from = browser) => from.get(`/logout?client_id=${told}&logout_uri=${BYE}`, NAVIGATION);
  const readPosted = () => posts.map(({ logoutToken }) => decode(logoutToken.split('.')[1] ?? ''));

  it('an application gets a logout token that is only for it, and different on each attempt', async () => {
    const { claims } = await authorize(told);
    await authorize(silent);
    await look();
    assert.equal(posts.length, 0, 'not before');
    await logOut();
    outcome = { ok: false, failure: 'webhook_500', mayRetry: true };
    await look();
    service.clock.advance(10_000);
    outcome = { ok: true };
    await look();
    service.clock.advance(HOUR_MS);
    await look();
    assert.deepEqual(
      posts.map(({ url }) => url),
      Array(2).fill('https://app.test/logout?tenant=1'),
    );
    const [first, second] = readPosted();
    const { iat, exp, jti, ...rest } = second ?? {};
    const { iss, sub, sid } = claims;
    assert.deepEqual(rest, { iss, sub, aud: told, sid, events: { [EVENT]: {} } });
    assert.ok(typeof sid === 'string' && typeof jti === 'string' && jti !== first?.jti);
    assert.equal(Number(exp) - Number(iat), 120);
    const { body } = await service.ask('GET', `/${service.userPoolId}/.well-known/jwks.json`);
    const keys = createLocalJWKSet({ keys: body.keys as JWK[] });
    const token = posts[1]?.logoutToken ?? '';
    const expected = { issuer: String(iss), audience: told, typ: 'logout+jwt' };
    const at = { currentDate: new Date(Number(iat) * 1000) };
    assert.equal((await jwtVerify(token, keys, { ...expected, ...at })).payload.jti, jti);
    await assert.rejects(jwtVerify(token, keys, { ...expected, ...at, audience: strict }), { claim: 'aud' });
    const late = { currentDate: new Date(Number(exp) * 1000) };
    await assert.rejects(jwtVerify(token, keys, { ...expected, ...late }), { claim: 'exp' });
  });

  it('a logout token is not accepted here', async () => {
    await authorize(told);
    await logOut();
    await look();
    const token = posts[0]?.logoutToken ?? assert.fail();
    const again = await signIn(new PageBrowser(service), ADA);
    const hint = { id_token_hint: token, post_logout_redirect_uri: BYE };
    assert.equal((await again.get(`/logout?${new URLSearchParams(hint)}`, NAVIGATION)).status, 400);
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    for (const path of ['/oauth2/userInfo', '/user/profile']) {
      assert.equal((await service.ask('GET', path, bearer)).status, 401, path);
    }
  });

  it("its ID tokens contain its ID, also after a refresh, and the client's grants end with it if configured", async () => {
    const [one, other] = [await authorize(told), await authorize(strict)];
    assert.equal(one.claims.sid, other.claims.sid);
    const renewed = await renew(strict, other.refresh);
    assert.equal(decode(String(renewed.body.id_token).split('.')[1] ?? '').sid, one.claims.sid);
    const elsewhere = await authorize(strict, await signIn(new PageBrowser(service), ADA));
    assert.notEqual(elsewhere.claims.sid, one.claims.sid);
    await logOut();
    assert.equal((await renew(strict, other.refresh)).status, 400);
    const bearer = { headers: { authorization: `Bearer ${other.access}` } };
    assert.equal((await service.ask('GET', '/oauth2/userInfo', bearer)).status, 401);
    assert.equal((await renew(told, one.refresh)).status, 200, 'of others they live on');
    assert.equal((await renew(strict, elsewhere.refresh)).status, 200, 'so do those of another session');
    await look();
    assert.deepEqual(new Set(readPosted().map(({ aud }) => aud)), new Set([told, strict]));
  });

  it('it continues when its user signs in again, and ends for another user', async () => {
    const { claims } = await authorize(told);
    service.clock.advance(2_000);
    const again = await signIn(browser.copy('/cognito'), ADA);
    await look();
    assert.deepEqual(posts, []);
    assert.equal((await authorize(told, again)).claims.sid, claims.sid);
    service.clock.advance(2_000);
    const pages = again.copy('/cognito');
    await pages.get('/session');
    const proven = await pages.post('/session/step-up', { password: PASSWORD });
    assert.equal(proven.status, 200, proven.text);
    await look();
    assert.deepEqual(posts, []);
    assert.equal((await authorize(told, pages.copy(''))).claims.sid, claims.sid);
    await signIn(pages, BOB);
    await look();
    assert.deepEqual(
      readPosted().map(({ sub, sid }) => ({ sub, sid })),
      [{ sub: claims.sub, sid: claims.sid }],
    );
  });

  it('applications are notified however it ends: by an administrator, everywhere, or with its user', async () => {
    const { userPoolId: UserPoolId, operations } = service;
    await operations.adminUserGlobalSignOut({ UserPoolId, Username: ADA }, TEST_CALL);
    await look();
    posts = [];
    service.clock.advance(2_000);
    browser = await signIn(new PageBrowser(service), ADA);
    const one = await authorize(told);
    const signedOut = await authorize(told, await signIn(new PageBrowser(service), ADA));
    await operations.adminUserGlobalSignOut({ UserPoolId, Username: ADA }, TEST_CALL);
    await look();
    const sids = new Set(readPosted().map(({ sid }) => sid));
    assert.deepEqual(sids, new Set([one.claims.sid, signedOut.claims.sid]));
    await addUser(service, 'eve@example.test');
    const eve = await authorize(told, await signIn(new PageBrowser(service), 'eve@example.test'));
    posts = [];
    await operations.adminDeleteUser({ UserPoolId, Username: 'eve@example.test' }, TEST_CALL);
    await look();
    assert.deepEqual(
      readPosted().map(({ sub, sid }) => [sub, sid]),
      [[eve.claims.sub, eve.claims.sid]],
    );
  });

  it('an unreachable application is given up eventually, and one without an address is not called', async () => {
    await authorize(told);
    await logOut();
    outcome = { ok: false, failure: 'webhook_unreachable', mayRetry: true };
    for (let tries = 0; tries < 10; tries += 1) {
      await look();
      service.clock.advance(15 * HOUR_MS);
    }
    assert.equal(posts.length, 8);
    assert.deepEqual(givenUp, [`${told} webhook_unreachable`]);
    const { userPoolId: UserPoolId } = service;
    const later = await makeClient({ backchannelLogoutUri: 'https://later.test/' });
    const fresh = await signIn(new PageBrowser(service), BOB);
    await authorize(later, fresh);
    const Change = { backchannelLogoutUri: null };
    await service.embedded.extensions.client_extensions?.update({ UserPoolId, ClientId: later, Change }, TEST_CALL);
    posts = [];
    await logOut(fresh);
    await look();
    assert.deepEqual(posts, []);
  });
});
