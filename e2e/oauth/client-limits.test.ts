import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createTestDatabase } from '@poolgate/store/testing';
import type { StartOptions } from 'poolgate';
import {
  assertOAuthError,
  createOAuthClient,
  createResourceServer,
  type OAuthClient,
  postForm,
  toBasicHeader,
} from '../support/oauth/oauth-client.ts';
import { BEHIND_PROXY, createClientAddress, type Exchange } from '../support/requests/exchange.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

const ALLOWED = 40;
const ASKED = 80;
const MACHINE = {
  GenerateSecret: true,
  AllowedOAuthFlows: ['client_credentials'],
  AllowedOAuthScopes: ['things/read'],
};
const HERE = { 'x-forwarded-for': '203.0.113.7' };
const GRANT = { grant_type: 'client_credentials' };

const ask = (service: TestService, client: OAuthClient, from: Readonly<Record<string, string>>) =>
  postForm(service, '/oauth2/token', GRANT, { ...toBasicHeader(client), ...from });

const wrong = ({ id }: OAuthClient): OAuthClient => ({ id, secret: 'w'.repeat(40) });

/** The number of requests that no limit refused. A refused request gets an error that RFC 6749 does not define, and Retry-After. */
function admitted(answers: readonly Exchange[]): number {
  const limited = answers.filter(({ status }) => status === 429);
  for (const answer of limited) {
    assertOAuthError(answer, 429, 'temporarily_unavailable');
    assert.match(String(answer.headers['retry-after']), /^\d+$/);
  }
  return answers.length - limited.length;
}

async function started(context: TestContext, options: StartOptions) {
  const service = await startTestService({ ...BEHIND_PROXY, ...options });
  context.after(() => service.close());
  await createResourceServer(service);
  return service;
}

async function inTurn(times: number, act: (time: number) => Promise<Exchange>): Promise<readonly Exchange[]> {
  const answers: Exchange[] = [];
  for (let time = 0; time < times; time += 1) answers.push(await act(time));
  return answers;
}

describe('the token endpoint at two replicas', () => {
  const GRANTS = {
    'refresh tokens': (id: string) => ({ grant_type: 'refresh_token', client_id: id, refresh_token: 'invented' }),
    codes: (id: string) => ({ grant_type: 'authorization_code', client_id: id, code: 'invented' }),
    machines: () => GRANT,
  } as const;

  it('counts requests of one /64 together, for every grant', async (context) => {
    const database = await createTestDatabase();
    context.after(() => database.drop());
    const one = await started(context, { databaseUrl: database.url, limitLoginSteps: ALLOWED });
    const other = await one.replica();
    context.after(() => other.close());
    const fields = Object.values(GRANTS);
    const answers = await Promise.all(
      Array.from({ length: ASKED }, (_, place) => {
        const form = fields[place % fields.length]?.(one.clientId) ?? GRANT;
        const from = { 'x-forwarded-for': `2001:db8:1:2::${place}` };
        return postForm(place % 2 === 0 ? one : other, '/oauth2/token', form, from);
      }),
    );
    assert.equal(admitted(answers), ALLOWED);
    // The same limit as that of logins.
    const login = await one.post('/login/srp', { username: 'a@b.test' }, { 'x-forwarded-for': '2001:db8:1:2::1' });
    assert.equal(login.status, 429);
  });

  it('counts wrong secrets for one client from one network together, at both endpoints', async (context) => {
    const database = await createTestDatabase();
    context.after(() => database.drop());
    const one = await started(context, { databaseUrl: database.url, limitLoginSteps: 1_000 });
    const other = await one.replica();
    context.after(() => other.close());
    const guessed = wrong(await createOAuthClient(one, MACHINE));
    const answers = await inTurn(130, (time) => {
      const service = time % 2 === 0 ? one : other;
      if (time % 4 < 2) return ask(service, guessed, HERE);
      return postForm(service, '/oauth2/revoke', { token: 'x' }, { ...toBasicHeader(guessed), ...HERE });
    });
    assert.equal(admitted(answers), 100, 'a tenth of the steps of a network');
  });
});

describe('guessing the secret of a client', () => {
  it('blocks only this network and this client, and only for the announced time', async (context) => {
    const service = await started(context, { limitLoginSteps: 50 });
    const client = await createOAuthClient(service, MACHINE);
    let other = await createOAuthClient(service, MACHINE);
    const guesses = await inTurn(8, () => ask(service, wrong(client), HERE));
    assert.deepEqual(
      guesses.map(({ status }) => status),
      [401, 401, 401, 401, 401, 429, 429, 429],
    );
    // A replica learns of it with its next wrong secret, so some of the 50 steps remain for each.
    const more = await inTurn(30, () => ask(service, wrong(client), HERE));
    assert.deepEqual([...new Set(more.map(({ status }) => status))], [429]);
    const told = Number(more.at(-1)?.headers['retry-after']);
    assert.equal((await ask(service, client, HERE)).status, 429, 'a right one is not told from a wrong one');
    assert.equal((await ask(service, client, createClientAddress())).status, 200);
    // Clients may share a row of the count, one of 64.
    while ((await ask(service, other, HERE)).status === 429) other = await createOAuthClient(service, MACHINE);
    service.clock.advance(told * 1_000);
    assert.equal((await ask(service, client, HERE)).status, 200);
  });

  it("from all networks uses up nothing of a client's limit", async (context) => {
    const service = await started(context, { limitClientSteps: 5 });
    const client = await createOAuthClient(service, MACHINE);
    const open = await createOAuthClient(service);
    const guesses = await inTurn(20, () => ask(service, wrong(client), createClientAddress()));
    assert.deepEqual([...new Set(guesses.map(({ status }) => status))], [401]);
    const own = await inTurn(6, () => ask(service, client, createClientAddress()));
    assert.deepEqual(
      own.map(({ status }) => status),
      [200, 200, 200, 200, 200, 429],
    );
    const invented = { grant_type: 'refresh_token', client_id: open.id, refresh_token: 'invented' };
    const anybody = await inTurn(20, () => postForm(service, '/oauth2/token', invented, createClientAddress()));
    assert.deepEqual(
      [...new Set(anybody.map(({ status }) => status))],
      [400],
      'anybody can be a client without secret',
    );
  });

  it('is limited in the same way for an unknown client', async (context) => {
    const service = await started(context, { limitLoginSteps: 50 });
    const client = await createOAuthClient(service, MACHINE);
    const [known, unknown] = await Promise.all(
      [client.id, 'x'.repeat(26)].map(async (id) => {
        const from = createClientAddress();
        const answers = await inTurn(7, () => ask(service, wrong({ id, secret: '' }), from));
        return answers.map(({ status, text }) => [status, text]);
      }),
    );
    assert.deepEqual(known, unknown);
  });

  it('appears in the audit log once a minute per network, without what was sent', async (context) => {
    const service = await started(context, {});
    const client = await createOAuthClient(service, MACHINE);
    const events = async () => {
      const { body, text } = await service.get('/admin/audit?type=client.refused', service.asAdmin);
      assert.ok(!text.includes('w'.repeat(40)) && !text.includes('typed-by-somebody'), text);
      return body.events as readonly Readonly<Record<string, unknown>>[];
    };
    await inTurn(5, () => ask(service, wrong(client), HERE));
    const [event, ...more] = await events();
    assert.deepEqual(more, []);
    const { outcome, actor, user, client_id, source_address, details } = event ?? {};
    assert.deepEqual(
      { outcome, actor, user, client_id, source_address, details },
      {
        outcome: 'failure',
        actor: { kind: 'anonymous', id: null },
        user: null,
        client_id: client.id,
        source_address: HERE['x-forwarded-for'],
        details: { reason: 'client_secret' },
      },
    );
    await ask(service, { id: 'typed-by-somebody', secret: 'x' }, createClientAddress());
    const unknown = (await events()).filter(({ id }) => id !== event?.id);
    assert.deepEqual(
      unknown.map((found) => [found.client_id, found.details]),
      [[null, { reason: 'unknown_client' }]],
    );
    service.clock.advance(60_000);
    await ask(service, { id: client.id, secret: undefined }, HERE);
    assert.equal((await events()).length, 3);
    await inTurn(90, () => ask(service, wrong(client), createClientAddress()));
    assert.ok((await events()).length <= 60, 'a page');
    const refusedKey = await service.get('/admin/users', { authorization: `Bearer pg_nobody_${'x'.repeat(40)}` });
    assert.equal(refusedKey.status, 401);
    const noted = await service.get('/admin/audit?type=admin.refused', service.asAdmin);
    assert.equal((noted.body.events as readonly unknown[]).length, 1, 'a flood of them hides no refused admin key');
  });
});
