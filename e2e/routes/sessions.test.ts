import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { logInForTokens } from '../support/routes/route-account.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

interface Session {
  readonly id: string;
  readonly session_id: string;
  readonly client_id: string;
  readonly current: boolean;
  readonly started_at: string;
  readonly refreshed_at: string | null;
  readonly expires_at: string;
}

type Headers = Readonly<Record<string, string>>;

describe('sessions at the routes', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const page = (headers: Headers, query = '') => service.get(`/user/sessions${query}`, headers);
  const listSessions = async (headers: Headers, query = '') =>
    (await page(headers, query)).body.sessions as readonly Session[];
  const end = (headers: Headers, id: string, at = service) => at.ask('DELETE', `/user/sessions/${id}`, { headers });
  const idOf = (access: string) => String(decodeTokenPart(access, 1).origin_jti);

  it('are listed for the caller, newest first, page by page', async () => {
    await addUser(service, 'ada@example.com');
    await addUser(service, 'eve@example.com');
    await logInForTokens(service, 'eve@example.com');
    const logins: Awaited<ReturnType<typeof logInForTokens>>[] = [];
    for (let n = 0; n < 3; n++) {
      logins.push(await logInForTokens(service, 'ada@example.com'));
      service.clock.advance(1000);
    }
    const [first, , last] = logins;
    assert.ok(first && last);
    const all = await listSessions(last.headers);
    assert.deepEqual(
      all.map(({ id }) => id),
      logins.map(({ access }) => idOf(access)).reverse(),
    );
    assert.deepEqual(
      all.map(({ current }) => current),
      [true, false, false],
    );
    assert.ok(all.every((each) => /^tkn[0-9a-z]{25}$/.test(each.session_id)));
    assert.ok(all.every((each) => each.client_id === service.clientId && each.refreshed_at === null));
    assert.ok(all.every((each) => Date.parse(each.expires_at) > Date.parse(each.started_at)));

    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { body } = await page(last.headers, query);
      seen.push(...(body.sessions as readonly Session[]).map(({ id }) => id));
      if (body.next_cursor === null) break;
      query = `?limit=2&cursor=${encodeURIComponent(String(body.next_cursor))}`;
    }
    assert.deepEqual(
      seen,
      all.map(({ id }) => id),
    );
    await service.post('/token/refresh', { refresh_token: first.refresh });
    const refreshed = (await listSessions(last.headers)).find(({ id }) => id === idOf(first.access));
    assert.ok(refreshed?.refreshed_at);
  });

  it('cannot be listed with an invalid cursor or that of another user: 422', async () => {
    for (const name of ['bob@example.com', 'mallory@example.com']) await addUser(service, name);
    const bob = await logInForTokens(service, 'bob@example.com');
    await logInForTokens(service, 'bob@example.com');
    const { next_cursor } = (await page(bob.headers, '?limit=1')).body;
    const mallory = await logInForTokens(service, 'mallory@example.com');
    assertInvalidField(await page(mallory.headers, `?cursor=${encodeURIComponent(String(next_cursor))}`), 'cursor');
    assertInvalidField(await page(mallory.headers, '?cursor=x'), 'cursor');
    assertInvalidField(await page(mallory.headers, '?limit=61'), 'limit');
  });

  it('end immediately, one at a time', async () => {
    await addUser(service, 'carol@example.com');
    const [mine, other, third] = [
      await logInForTokens(service, 'carol@example.com'),
      await logInForTokens(service, 'carol@example.com'),
      await logInForTokens(service, 'carol@example.com'),
    ];
    const ended = await end(mine.headers, idOf(other.access));
    assert.equal(ended.status, 200, ended.text);
    assertProblem(await service.get('/user/profile', other.headers), 401, 'unauthenticated');
    assertProblem(await service.post('/token/refresh', { refresh_token: other.refresh }), 401, 'invalid_grant');
    for (const { headers } of [mine, third]) assert.equal((await service.get('/user/profile', headers)).status, 200);
    assertProblem(await end(mine.headers, idOf(other.access)), 404, 'session_not_found');
    const left = await listSessions(mine.headers);
    assert.equal(left.length, 2);
    const byOtherId = left.find(({ current }) => !current)?.session_id ?? '';
    assert.equal((await end(mine.headers, byOtherId)).status, 200);
    assertProblem(await service.get('/user/profile', third.headers), 401, 'unauthenticated');
    assert.equal((await end(mine.headers, idOf(mine.access))).status, 200);
    assertProblem(await page(mine.headers), 401, 'unauthenticated');
  });

  it('of another user are not found, and stay valid', async () => {
    for (const name of ['dan@example.com', 'trudy@example.com']) await addUser(service, name);
    const dan = await logInForTokens(service, 'dan@example.com');
    const trudy = await logInForTokens(service, 'trudy@example.com');
    const foreign = await end(trudy.headers, idOf(dan.access));
    const unknown = await end(trudy.headers, '00000000-0000-4000-8000-000000000000');
    for (const answer of [foreign, unknown]) assertProblem(answer, 404, 'session_not_found');
    assert.deepEqual({ ...foreign.body, instance: '' }, { ...unknown.body, instance: '' });
    assertProblem(await end(trudy.headers, 'x'), 404, 'session_not_found');
    assert.equal((await service.get('/user/profile', dan.headers)).status, 200);
  });

  it('all end with a forced logout, and a new login works in the same second', async () => {
    await addUser(service, 'frank@example.com');
    for (const method of ['POST', 'PUT']) {
      const [mine, other] = [
        await logInForTokens(service, 'frank@example.com'),
        await logInForTokens(service, 'frank@example.com'),
      ];
      const answer = await service.ask(method, '/logout/forced', { headers: mine.headers });
      assert.deepEqual([answer.status, answer.body.data], [200, {}], answer.text);
      for (const { headers, refresh } of [mine, other]) {
        assertProblem(await service.get('/user/profile', headers), 401, 'unauthenticated');
        assertProblem(await service.post('/token/refresh', { refresh_token: refresh }), 401, 'invalid_grant');
      }
      const fresh = await logInForTokens(service, 'frank@example.com');
      assert.equal((await service.get('/user/profile', fresh.headers)).status, 200);
      assert.equal((await listSessions(fresh.headers)).length, 1);
    }
  });
});
