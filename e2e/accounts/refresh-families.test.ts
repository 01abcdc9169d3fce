import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { listAcceptingEndpoints, logIn } from '../support/routes/owner-login.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, assertProblem, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const GRACE_MS = 10_000;

/** Returns new tokens from any entry point. */
interface Renewed {
  readonly access: string;
  readonly refresh: string;
}

type Renew = (service: TestService, refresh: string) => Promise<Renewed | undefined>;

const cognitoApiTokens = (body: Readonly<Record<string, unknown>>): Renewed | undefined => {
  const { AccessToken, RefreshToken } = (body.AuthenticationResult ?? {}) as Readonly<Record<string, string>>;
  return AccessToken && RefreshToken ? { access: AccessToken, refresh: RefreshToken } : undefined;
};

async function byRoute(service: TestService, refresh_token: string, path: string): Promise<Renewed | undefined> {
  const { access_token, refresh_token: next } = (await service.post(path, { refresh_token })).body;
  return access_token && next ? { access: String(access_token), refresh: String(next) } : undefined;
}

/** Every entry point that renews tokens. */
const ENTRY_POINTS: readonly Renew[] = [
  (service, refresh) => byRoute(service, refresh, '/token/refresh'),
  (service, refresh) => byRoute(service, refresh, '/api/cognito/token/revalidate'),
  async (service, RefreshToken) =>
    cognitoApiTokens(
      (await service.call('GetTokensFromRefreshToken', { ClientId: service.clientId, RefreshToken })).body,
    ),
  async (service, REFRESH_TOKEN) =>
    cognitoApiTokens(
      (
        await service.call('InitiateAuth', {
          ClientId: service.clientId,
          AuthFlow: 'REFRESH_TOKEN_AUTH',
          AuthParameters: { REFRESH_TOKEN },
        })
      ).body,
    ),
];

describe('refresh tokens at two services on one PostgreSQL', () => {
  let replicas: Replicas;
  let one: TestService;
  let other: TestService;
  before(async () => {
    replicas = await openReplicas();
    ({ one, other } = replicas);
    await addUser(one, ADA);
  });
  after(() => replicas?.close());

  const listSessions = async (access: string): Promise<readonly { readonly id: string }[]> => {
    const listed = await other.get('/user/sessions', createBearerHeader(access));
    assert.equal(listed.status, 200, listed.text);
    return listed.body.sessions as readonly { readonly id: string }[];
  };

  it('twenty parallel refreshes with one token at all entry points leave one family', async () => {
    const email = 'parallel@example.com';
    await addUser(one, email);
    const first = await logIn(one, email);
    const renewed = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ENTRY_POINTS[index % ENTRY_POINTS.length]?.(index % 2 ? one : other, first.refresh),
      ),
    );
    assert.ok(renewed.every((tokens) => tokens !== undefined));
    assert.equal(new Set(renewed.map((tokens) => tokens?.refresh)).size, 1);
    const origins = new Set(renewed.map((tokens) => decodeTokenPart(tokens?.access ?? '', 1).origin_jti));
    assert.deepEqual([...origins], [decodeTokenPart(first.access, 1).origin_jti]);
    const sessions = await listSessions(first.access);
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [...origins],
    );
    const next = await ENTRY_POINTS[0]?.(other, renewed[0]?.refresh ?? '');
    assert.ok(next && next.refresh !== renewed[0]?.refresh);
  });

  for (const [index, renew] of ENTRY_POINTS.entries()) {
    it(`a replay after the grace period ends its family on both, including access tokens, and no other login (entry point ${index + 1})`, async () => {
      const [first, bystander] = [await logIn(one, ADA), await logIn(other, ADA)];
      const second = await ENTRY_POINTS[0]?.(other, first.refresh);
      assert.ok(second);
      one.clock.advance(1_000);
      const third = await ENTRY_POINTS[0]?.(one, second.refresh);
      assert.ok(third);
      for (const service of [one, other])
        assert.equal((await service.get('/user/profile', createBearerHeader(third.access))).status, 200);
      one.clock.advance(GRACE_MS);
      assert.equal(await renew(one, first.refresh), undefined);
      for (const { access, refresh } of [first, second, third])
        for (const service of [other, one])
          assert.ok(!Object.values(await listAcceptingEndpoints(service, { access, refresh, id: '' })).includes(true));
      assert.equal((await other.get('/user/profile', createBearerHeader(bystander.access))).status, 200);
      assert.ok(await ENTRY_POINTS[0]?.(one, bystander.refresh));
    });
  }

  it('no parallel replay on both gets tokens, and the log reports the theft', async () => {
    const email = 'stolen@example.com';
    await addUser(one, email);
    const first = await logIn(one, email);
    const second = await ENTRY_POINTS[0]?.(one, first.refresh);
    assert.ok(second);
    one.clock.advance(GRACE_MS + 1_000);
    const replays = Array.from({ length: 12 }, (_, index) =>
      ENTRY_POINTS[index % ENTRY_POINTS.length]?.(index % 2 ? one : other, first.refresh),
    );
    assert.deepEqual(
      (await Promise.all(replays)).filter((tokens) => tokens !== undefined),
      [],
    );
    assertProblem(await other.get('/user/profile', createBearerHeader(second.access)), 401, 'unauthenticated');
    const noted = await other.get(`/admin/audit?type=login.reuse_detected&user=${email}`, other.asAdmin);
    assert.equal(noted.status, 200, noted.text);
    assert.ok((noted.body.events as readonly unknown[]).length >= 1, noted.text);
  });
});
