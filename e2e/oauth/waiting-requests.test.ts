import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readStoredRows } from '@poolgate/store/testing';
import {
  CALLBACK,
  callAsAdmin,
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  type OAuthClient,
  readCallbackParameters,
  readLocation,
  toRootBrowser,
} from '../support/oauth/oauth-client.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const ADA = 'ada@example.test';
const HOUR_MS = 3_600_000;
/** As long as applications make it if they store their own request in it. */
const LONG_STATE = 's'.repeat(3_000);

describe('a pending request of an application', () => {
  const { challenge } = createPkce();
  let replicas: Replicas;
  let one: TestService;
  let client: OAuthClient;
  before(async () => {
    replicas = await openReplicas();
    one = replicas.one;
    await addUser(one, ADA);
    client = await createOAuthClient(one);
  });
  after(() => replicas.close());

  const query = (more: Readonly<Record<string, string>> = {}) => createAuthorizeQuery(client, challenge, more);
  const returnTo = (answer: Exchange) => new URL(readLocation(answer), one.baseUrl).searchParams.get('return_to') ?? '';
  /** A browser that has brought a request and then logged in. */
  const backFromLogin = async (more: Readonly<Record<string, string>> = {}) => {
    const pages = new CookieBrowser(one);
    const before = toRootBrowser(one, pages);
    const place = returnTo(await before.get(`/oauth2/authorize?${query(more)}`));
    await pages.logIn(ADA);
    const browser = toRootBrowser(one, pages);
    for (const [name, value] of before.cookies) browser.cookies.set(name, value);
    return { browser, place, pages };
  };

  it('storage exhaustion: no request of a stranger leaves a row, whatever its length', async () => {
    const rows = await readStoredRows(replicas.databaseUrl);
    for (const path of ['oauth2/authorize', 'login', 'signup', 'forgotPassword', 'passkeys/add']) {
      for (let times = 0; times < 3; times += 1) {
        const answer = await new CookieBrowser(one, '').get(`/${path}?${query({ state: `${LONG_STATE}${times}` })}`);
        assert.equal(answer.status, 302, answer.text);
      }
    }
    assert.deepEqual(await readStoredRows(replicas.databaseUrl), rows);
  });

  it('continues with a long state, and the page may redirect there', async () => {
    const { browser, place, pages } = await backFromLogin({ state: LONG_STATE });
    const session = await pages.get(`/session?return_to=${encodeURIComponent(place)}`);
    assert.equal(session.body.return_to, `${one.baseUrl}${place}`);
    const parameters = readCallbackParameters(await browser.get(place));
    assert.equal(parameters.get('state'), LONG_STATE);
    assert.ok(parameters.get('code'));
  });

  it('gives a code to one of many who continue it at the same instant at two replicas', async () => {
    const { browser, place } = await backFromLogin();
    const entrances = [one, replicas.other].flatMap((service) => Array.from({ length: 5 }, () => browser.at(service)));
    const answers = await Promise.all(entrances.map((entrance) => entrance.get(place)));
    assert.equal(answers.filter(({ status }) => status === 302).length, 1);
    for (const { status, text } of answers.filter(({ status }) => status !== 302)) {
      assert.equal(status, 400, text);
      assert.match(text, /was answered/);
    }
    assert.equal((await browser.at(replicas.other).get(place)).status, 400, 'nor does anybody later');
  });

  it('continues only while its client may request it, at the address that it had', async () => {
    const taken: Readonly<Record<string, object>> = {
      'the address': { CallbackURLs: ['https://app.test/other'] },
      'the grant': { AllowedOAuthFlows: ['implicit'] },
      'a scope': { AllowedOAuthScopes: ['openid'] },
      'its users': { SupportedIdentityProviders: [] },
      'all of it': { AllowedOAuthFlowsUserPoolClient: false },
    };
    const members = {
      UserPoolId: one.userPoolId,
      ClientId: client.id,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email'],
      SupportedIdentityProviders: ['COGNITO'],
      CallbackURLs: [CALLBACK],
    };
    for (const [name, change] of Object.entries(taken)) {
      const { browser, place } = await backFromLogin();
      await callAsAdmin(one, 'UpdateUserPoolClient', { ...members, ...change });
      const refused = await browser.get(place);
      assert.deepEqual([refused.status, refused.headers.location], [400, undefined], name);
      await callAsAdmin(one, 'UpdateUserPoolClient', members);
      assert.ok(readCallbackParameters(await browser.get(place)).get('code'), `${name}: nothing was spent`);
    }
  });

  it('lasts an hour, and neither another browser nor an altered text continues it', async () => {
    const { browser, place } = await backFromLogin();
    const thief = await backFromLogin();
    assert.equal((await thief.browser.get(place)).status, 400, 'stolen from an address');
    const [path = '', handle = ''] = place.split('request=');
    const flipped = handle.slice(0, 40) + (handle[40] === 'A' ? 'B' : 'A') + handle.slice(41);
    for (const forged of [
      flipped,
      handle.slice(0, -4),
      handle.replace('.', ''),
      'x'.repeat(43),
      '',
      '%00',
      `${handle}A`,
    ]) {
      assert.equal((await browser.get(`${path}request=${forged}`)).status, 400, forged);
    }
    one.clock.advance(HOUR_MS);
    assert.equal((await browser.get(place)).status, 400, 'an hour later');
    const { browser: quick, place: soon } = await backFromLogin();
    assert.equal((await quick.get(soon)).status, 302);
  });
});
