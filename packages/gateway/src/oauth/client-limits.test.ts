import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser, TEST_CALL } from '@poolgate/pool/testing';
import { toClientSlot } from '../limits/shared-rate-limit.ts';
import { PageBrowser } from '../testing/page-browser.ts';
import { type PoolService, type PoolServiceResponse, startPoolService } from '../testing/pool-service.ts';

const MINUTE_MS = 60_000;
const CALLBACK = 'https://app.test/callback';
const GRANT = { grant_type: 'client_credentials' };

type Texts = Readonly<Record<string, string>>;

describe('the app clients of the OAuth endpoints', () => {
  let service: PoolService;
  /** Ending a session fails now. */
  let isAway = false;
  /** Other replicas have used up the limit. */
  let isAllTaken = false;
  /** What must happen before a refusal is returned. */
  const telling: { wait: PromiseWithResolvers<void> | undefined } = { wait: undefined };
  let rates: { readonly machine: Texts; readonly other: Texts };

  before(async () => {
    const rateLimits = { readsPerMinute: 0, loginStepsPerMinute: 10, userStepsPerMinute: 0, clientStepsPerMinute: 2 };
    service = await startPoolService({
      settings: { rateLimits },
      wrapRecords: (records) => ({
        ...records,
        rates: { take: async (asked, nowMs) => (isAllTaken ? [] : records.rates.take(asked, nowMs)) },
        events: {
          ...records.events,
          async tryAppend(event) {
            await telling.wait?.promise;
            return records.events.tryAppend(event);
          },
        },
        webSessions: {
          ...records.webSessions,
          end: (digest) => (isAway ? away() : records.webSessions.end(digest)),
        },
      }),
    });
    const { operations, userPoolId: UserPoolId } = service;
    const Scopes = [{ ScopeName: 'read', ScopeDescription: 'read' }];
    await operations.createResourceServer({ UserPoolId, Identifier: 'things', Name: 'Things', Scopes }, TEST_CALL);
    const machine = await makeMachine();
    let other = await makeMachine();
    // One in 64 clients shares the count of wrong secrets with the first.
    while (toClientSlot(other.client_id) === toClientSlot(machine.client_id)) other = await makeMachine();
    rates = { machine, other };
  });
  after(() => service.close());

  const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'store_unavailable' }));

  async function makeMachine(): Promise<Readonly<Record<'client_id' | 'client_secret', string>>> {
    const { UserPoolClient } = await service.operations.createUserPoolClient(
      {
        UserPoolId: service.userPoolId,
        ClientName: 'machine',
        GenerateSecret: true,
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['client_credentials'],
        AllowedOAuthScopes: ['things/read'],
      },
      TEST_CALL,
    );
    return { client_id: UserPoolClient?.ClientId ?? '', client_secret: UserPoolClient?.ClientSecret ?? '' };
  }

  const ask = (fields: Texts, path = '/oauth2/token'): Promise<PoolServiceResponse> =>
    service.ask('POST', path, { body: new URLSearchParams({ ...GRANT, ...fields }).toString() });

  async function refusals(): Promise<readonly unknown[]> {
    const { rows } = await service.records.events.page({ userPoolId: service.userPoolId }, 100, undefined);
    return rows.flatMap(({ type, outcome, clientId, details }) =>
      type === 'client.refused' ? [{ outcome, clientId, ...details }] : [],
    );
  }

  it('have a separate limit, which only callers with the secret use', async () => {
    const { machine, other } = rates;
    for (let asked = 0; asked < 2; asked += 1) assert.equal((await ask(machine)).status, 200);
    const refused = await ask(machine);
    assert.deepEqual([refused.status, refused.body.error], [429, 'temporarily_unavailable']);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal((await ask(other)).status, 200);
    service.clock.advance(MINUTE_MS);
  });

  it('are refused for a minute if someone in the same network guesses secrets', async () => {
    const { machine, other } = rates;
    const wrong = { ...machine, client_secret: 'x' };
    assert.equal((await ask(wrong)).status, 400);
    assert.equal((await ask(wrong)).status, 429);
    assert.equal((await ask(machine)).status, 429, 'the right one is not looked at');
    assert.equal((await ask(other)).status, 200);
    service.clock.advance(MINUTE_MS);
    assert.equal((await ask(machine)).status, 200);
    assert.deepEqual(await refusals(), [{ outcome: 'failure', clientId: machine.client_id, reason: 'client_secret' }]);
    service.clock.advance(MINUTE_MS);
  });

  it('that are unknown are recorded without what was typed, once a minute per network', async () => {
    const before = (await refusals()).length;
    const unknown = (client_id: string) => ask({ client_id, token: 'x' }, '/oauth2/revoke');
    assert.equal((await unknown('nobody')).status, 400);
    assert.equal((await unknown('nobody else')).status, 400);
    const told = await refusals();
    assert.equal(told.length, before + 1);
    const expected = { outcome: 'failure', clientId: null, reason: 'unknown_client' };
    assert.ok(
      told.some((one) => JSON.stringify(one) === JSON.stringify(expected)),
      JSON.stringify(told),
    );
    service.clock.advance(MINUTE_MS);
    telling.wait = Promise.withResolvers<void>();
    let isAnswered = false;
    const asked = unknown('nobody at all').finally(() => {
      isAnswered = true;
    });
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isAnswered, false, 'it is told about before the answer');
    telling.wait.resolve();
    assert.equal((await asked).status, 400);
    service.clock.advance(MINUTE_MS);
  });

  it('share the limit of a network', async () => {
    const statuses: number[] = [];
    for (let asked = 0; asked < 11; asked += 1) statuses.push((await ask({})).status);
    assert.equal(statuses.indexOf(429), 10, String(statuses));
    service.clock.advance(MINUTE_MS);
    isAllTaken = true;
    assert.equal((await ask({})).status, 429, 'at whichever replica');
    isAllTaken = false;
    service.clock.advance(MINUTE_MS);
  });

  it('do not report a sign-out if the session could not be ended', async () => {
    await addUser(service, 'ada@example.test');
    const { UserPoolClient } = await service.operations.createUserPoolClient(
      {
        UserPoolId: service.userPoolId,
        ClientName: 'app',
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: ['openid'],
        SupportedIdentityProviders: ['COGNITO'],
        CallbackURLs: [CALLBACK],
        LogoutURLs: [CALLBACK],
      },
      TEST_CALL,
    );
    const client_id = UserPoolClient?.ClientId ?? '';
    const pages = new PageBrowser(service);
    await pages.logIn('ada@example.test');
    const browser = pages.copy('');
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const asked = {
      client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      prompt: 'consent',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    };
    const kept = await browser.get(`/oauth2/authorize?${new URLSearchParams(asked)}`);
    const page = await browser.get(String(kept.headers.location));
    const hidden = Object.fromEntries(
      Array.from(page.text.matchAll(/name="(request|csrf_token)" value="([^"]+)"/g), ([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    isAway = true;
    const out = await browser.get(`/logout?${new URLSearchParams({ client_id, logout_uri: CALLBACK })}`, navigation);
    assert.equal(out.status, 503, 'by a logout');
    const other = await service.ask('POST', '/oauth2/authorize/continue', {
      body: new URLSearchParams({ ...hidden, choice: 'other' }).toString(),
      headers: { ...browser.cookieHeader, origin: service.baseUrl },
    });
    assert.equal(other.status, 503, 'by another account');
    isAway = false;
    assert.ok(await pages.user());
  });
});
