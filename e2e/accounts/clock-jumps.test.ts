import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase } from '@poolgate/store/testing';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import {
  answerAtPath,
  enrollAuthenticator,
  findLatestCode,
  startCodeLogin,
} from '../support/requests/pending-challenges.ts';
import { listAcceptingEndpoints, logIn } from '../support/routes/owner-login.ts';
import { computeTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How far the clock is off before it is corrected. */
const JUMPS = { 'an hour back': -HOUR_MS, 'a day forward': DAY_MS } as const;

/** This many wrong passwords lock for two minutes. */
const GUESSES = 12;

/** An invalid code, whether the error mentions its expiry or not. */
function assertNoCode({ status, body, text }: Exchange, about = ''): void {
  assert.equal(status, 400, `${about} ${text}`);
  assert.match(String(body.code), /^code_(?:mismatch|expired)$/, `${about} ${text}`);
}

const login = (service: TestService, username: string, password = PASSWORD) =>
  service.post('/login', { username, password });

/** Sends wrong passwords until the service counts them. */
async function guess(service: TestService, username: string): Promise<void> {
  for (let failures = 1; failures <= GUESSES; failures += 1) {
    assertProblem(await login(service, username, 'Wrong-Horse1!'), 401, 'invalid_credentials');
    if (failures >= 5 && failures < GUESSES) service.clock.advance(2 ** (failures - 5) * SECOND_MS);
  }
}

for (const [name, jumpMs] of Object.entries(JUMPS)) {
  describe(`a clock that is set ${name} and then corrected`, () => {
    let service: TestService;
    let users = 0;
    before(async () => {
      service = await startTestService();
    });
    after(() => service.close());

    const newUser = async (): Promise<string> => {
      users += 1;
      const email = `user-${users}@example.com`;
      await addUser(service, email);
      // The previous password change still applies: earlier tokens do not belong to this password.
      service.clock.advance(2 * HOUR_MS);
      return email;
    };
    /** Acts while the clock is wrong, and again once it is correct. */
    const atBoth = async (look: (about: string) => Promise<void>): Promise<void> => {
      service.clock.advance(jumpMs);
      await look(name);
      service.clock.advance(-jumpMs);
      await look('put right');
    };

    it('does not stop logins, tokens or refreshes', async () => {
      const email = await newUser();
      await atBoth(async (about) => {
        const accepted = await listAcceptingEndpoints(service, await logIn(service, email));
        for (const [entryPoint, isAccepted] of Object.entries(accepted).slice(0, 4))
          assert.ok(isAccepted, `${about}: ${entryPoint}`);
      });
    });

    it('does not make a revoked token or a used refresh token valid again', async () => {
      const email = await newUser();
      const ended = await logIn(service, email);
      const used = await logIn(service, email);
      assert.equal((await service.post('/logout', {}, createBearerHeader(ended.access))).status, 200);
      const next = await service.post('/token/refresh', { refresh_token: used.refresh });
      assert.equal(next.status, 200, next.text);
      service.clock.advance(MINUTE_MS);
      await atBoth(async (about) => {
        for (const [entryPoint, isAccepted] of Object.entries(await listAcceptingEndpoints(service, ended)))
          assert.ok(!isAccepted, `${about}: ${entryPoint}`);
        const again = await service.post('/token/refresh', { refresh_token: used.refresh });
        assertProblem(again, 401, 'invalid_grant', about);
      });
    });

    it('does not make a used code valid again', async () => {
      const email = await newUser();
      assert.equal((await service.post('/password/forgot', { email })).status, 200);
      const reset = { email, code: findLatestCode(service, email), password: 'A-New-Horse2!' };
      assert.equal((await service.post('/password/reset', reset)).status, 200);
      await atBoth(async (about) => {
        const { status } = await service.post('/password/reset', { ...reset, password: 'B-New-Horse3!' });
        assert.ok(status >= 400 && status < 500, `${about}: ${status}`);
        assert.equal((await login(service, email, reset.password)).status, 200, about);
      });
    });

    it('does not make a used authenticator code valid again', async () => {
      const email = await newUser();
      const nextCode = await enrollAuthenticator(service, email);
      const code = nextCode();
      assert.equal((await answerAtPath(service, 0, await startCodeLogin(service, email), code)).status, 200);
      await atBoth(async (about) => {
        const again = await answerAtPath(service, 0, await startCodeLogin(service, email), code);
        assertNoCode(again, about);
      });
      // A code of an earlier step is refused, too.
      service.clock.advance(-HOUR_MS);
      const older = await answerAtPath(service, 0, await startCodeLogin(service, email), nextCode());
      assertNoCode(older);
      service.clock.advance(HOUR_MS);
    });

    it('does not extend a lockout', async () => {
      const [before, meanwhile] = [await newUser(), await newUser()];
      await guess(service, before);
      assertProblem(await login(service, before), 429, 'too_many_requests');
      service.clock.advance(jumpMs);
      assert.equal((await login(service, before)).status, 200);
      await guess(service, meanwhile);
      assertProblem(await login(service, meanwhile), 429, 'too_many_requests');
      service.clock.advance(-jumpMs);
      if (jumpMs < 0) service.clock.advance(HOUR_MS);
      assert.equal((await login(service, meanwhile)).status, 200);
      if (jumpMs < 0) service.clock.advance(-HOUR_MS);
    });

    it('extends a limit by at most a minute', async (t) => {
      const limited = await startTestService({ limitLoginSteps: 5 });
      t.after(() => limited.close());
      const email = 'often@example.com';
      await addUser(limited, email);
      const spend = async (): Promise<void> => {
        let status = 0;
        for (let step = 0; step < 20 && status !== 429; step += 1) status = (await login(limited, email)).status;
        assert.equal(status, 429);
      };
      for (const byMs of [jumpMs, -jumpMs]) {
        await spend();
        limited.clock.advance(byMs);
        // Counted from the next request.
        await login(limited, email);
        limited.clock.advance(MINUTE_MS);
        assert.equal((await login(limited, email)).status, 200, `${byMs}`);
      }
    });
  });
}

describe('two replicas whose clocks differ by five seconds', () => {
  it('continue each other’s logins and accept each code once', async (t) => {
    const database = await createTestDatabase();
    const nowMs = Date.now();
    const one = await startTestService({ databaseUrl: database.url }, new TestClock(nowMs));
    const { dataDir } = one;
    const other = await startTestService({ databaseUrl: database.url, dataDir }, new TestClock(nowMs + 5 * SECOND_MS));
    t.after(async () => {
      await other.close();
      await one.close();
      await database.drop();
    });
    const email = 'apart@example.com';
    await addUser(one, email);
    const secretCode = await createActiveAuthenticator(one, email);
    for (const service of [one, other]) service.clock.advance(MINUTE_MS);
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const code = computeTotpCode(here, secretCode);
      const answered = await answerAtPath(there, 0, await startCodeLogin(here, email), code);
      assert.equal(answered.status, 200, answered.text);
      const tokens = answered.body as { access_token: string; refresh_token: string };
      assertNoCode(await answerAtPath(here, 0, await startCodeLogin(there, email), code));
      assert.equal((await here.get('/user/profile', createBearerHeader(tokens.access_token))).status, 200);
      const refreshed = await here.post('/token/refresh', { refresh_token: tokens.refresh_token });
      assert.equal(refreshed.status, 200, refreshed.text);
      assert.equal(
        (await there.post('/logout', {}, createBearerHeader(String(refreshed.body.access_token)))).status,
        200,
      );
      assertProblem(await here.get('/user/profile', createBearerHeader(tokens.access_token)), 401, 'unauthenticated');
      for (const service of [one, other]) service.clock.advance(MINUTE_MS);
    }
  });
});
