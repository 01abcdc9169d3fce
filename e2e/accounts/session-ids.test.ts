import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sessionIds } from '../proofs/session-ids.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { logIn } from '../support/routes/owner-login.ts';
import { addUser, assertProblem, startTestService, type TestService } from '../support/services/test-service.ts';

const LOGINS = 1_000;
/** IDs of the access and ID token, the login and its event, the refresh token, and the key of the device. */
const IDS_OF_A_LOGIN = 6;

it(`no ID of ${LOGINS} parallel logins at two services occurs twice or belongs to another user`, async () => {
  const { logins, ids, faults } = await sessionIds(LOGINS);
  assert.deepEqual(faults, []);
  assert.deepEqual([logins, ids], [LOGINS, LOGINS * IDS_OF_A_LOGIN]);
});

describe('sessions of several users', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  it('each of many parallel users sees only their own profile and sessions', async () => {
    const users = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const email = `side-${index}@example.com`;
        return { email, sub: await addUser(service, email), ...(await logIn(service, email)) };
      }),
    );
    const origins = new Set<string>();
    const looks = await Promise.all(
      users.flatMap((user) =>
        Array.from({ length: 5 }, async () => ({
          user,
          profile: await service.get('/user/profile', createBearerHeader(user.access)),
          sessions: await service.get('/user/sessions', createBearerHeader(user.access)),
        })),
      ),
    );
    for (const { user, profile, sessions } of looks) {
      assert.equal((profile.body.user as { readonly sub: string }).sub, user.sub);
      const listed = sessions.body.sessions as readonly { readonly id: string; readonly current: boolean }[];
      assert.deepEqual(
        listed.map(({ current }) => current),
        [true],
      );
      for (const { id } of listed) origins.add(id);
    }
    assert.equal(origins.size, users.length);
  });

  it('a logout without a token ends no login, and no user can end the login of another', async () => {
    const [ada, eve] = ['ada@example.com', 'eve@example.com'];
    for (const email of [ada, eve]) await addUser(service, email);
    const [hers, other] = [await logIn(service, ada), await logIn(service, eve)];
    for (const path of ['/logout', '/logout/forced'])
      assertProblem(await service.post(path, {}), 401, 'unauthenticated');
    const [mine] = (await service.get('/user/sessions', createBearerHeader(hers.access))).body.sessions as {
      id: string;
    }[];
    const ended = await service.ask('DELETE', `/user/sessions/${mine?.id}`, {
      headers: createBearerHeader(other.access),
      body: {},
    });
    assertProblem(ended, 404, 'session_not_found');
    assert.equal((await service.get('/user/profile', createBearerHeader(hers.access))).status, 200);
  });
});
