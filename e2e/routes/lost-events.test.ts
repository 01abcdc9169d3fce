import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { execute, PERSISTENT_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import { computeWrongTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

/** Refuses every new row of the audit log, like a full disk. */
const REFUSE: Readonly<Record<string, string>> = {
  'SQLite file': "create trigger refuse before insert on events begin select raise(abort, 'the table is full'); end",
  PostgreSQL: `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the table is full'; end $$;
    create trigger refuse before insert on events for each row execute function refuse()`,
};

const START_MS = Date.UTC(2026, 4, 7, 0, 9, 40);
const LOCKED = { NotAuthorizedException: 'Password attempts exceeded' };

for (const [name, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`guesses while the audit log cannot be written on ${name}`, () => {
    let place: StoreLocation;
    let service: TestService;
    let count = 0;
    const lines: string[] = [];
    const secrets = new Map<string, string>();

    const someone = async (hasMfa = false): Promise<string> => {
      const email = `ada${count++}@example.test`;
      await addUser(service, email);
      if (hasMfa) secrets.set(email, await createActiveAuthenticator(service, email));
      return email;
    };
    let users: readonly string[] = [];
    before(async () => {
      place = await makePlace();
      const logStream = { write: (line: string) => void lines.push(line) };
      service = await startTestService(
        { databaseUrl: place.url, logStream, logLevel: 'error' },
        new TestClock(START_MS),
      );
      users = [await someone(), await someone(), await someone(true), await someone()];
      await execute(place.url, REFUSE[name] ?? '');
    });
    after(async () => {
      await service.close();
      await place.remove();
    });

    const guess = (username: string, password = 'Wrong-Horse1!') => service.post('/login', { username, password });
    const statuses = (answers: readonly Exchange[]) => answers.map(({ status }) => status);

    it('are counted and locked at the routes, whether the name exists or not', async () => {
      for (const username of [users[0] ?? '', 'nobody@example.test']) {
        const answers: Exchange[] = [];
        for (let round = 0; round < 6; round++) answers.push(await guess(username));
        assert.deepEqual(statuses(answers), [401, 401, 401, 401, 401, 429], username);
        assert.equal((await guess(username, PASSWORD)).status, 429, username);
      }
    });

    it('are counted and locked at the Cognito-compatible API, also in parallel', async () => {
      for (const USERNAME of [users[1] ?? '', 'nobody1@example.test']) {
        const AuthParameters = { USERNAME, PASSWORD: 'Wrong-Horse1!' };
        const input = { AuthFlow: 'USER_PASSWORD_AUTH', ClientId: service.clientId, AuthParameters };
        const answers = await Promise.all(Array.from({ length: 12 }, () => service.call('InitiateAuth', input)));
        assert.deepEqual(new Set(statuses(answers)), new Set([400]), JSON.stringify(answers.map(({ text }) => text)));
        const locked = answers.filter(({ body }) => body.message === LOCKED.NotAuthorizedException);
        assert.equal(locked.length, 7);
      }
    });

    it('of a second factor are counted, and never cause a 500', async () => {
      const email = users[2] ?? '';
      const first = await guess(email, PASSWORD);
      assert.equal(first.body.challenge_name, 'SOFTWARE_TOKEN_MFA', first.text);
      const code = computeWrongTotpCode(service, secrets.get(email) ?? '');
      const answers: Exchange[] = [];
      for (let round = 0; round < 11; round++) {
        answers.push(
          await service.post('/challenge', {
            challenge_name: 'SOFTWARE_TOKEN_MFA',
            session: first.body.session,
            username: email,
            challenge_value: code,
          }),
        );
      }
      assert.deepEqual(statuses(answers), [...Array(10).fill(400), 429]);
    });

    it('of a reset code are refused as before, and so are requests for one', async () => {
      for (const username of [users[3] ?? '', 'nobody2@example.test']) {
        assert.equal((await service.post('/password/forgot', { username })).status, 200, username);
        const reset = { username, code: '000000', password: 'Other-Horse-22!' };
        const answers: Exchange[] = [];
        for (let round = 0; round < 11; round++) answers.push(await service.post('/password/reset', reset));
        assert.deepEqual(statuses(answers), [...Array(10).fill(400), 429], username);
      }
    });

    it('are written to the log instead', () => {
      const lost = lines.filter((line) => line.includes('Events could not be written to the audit log.'));
      assert.ok(lost.length > 10);
      assert.ok(lost.some((line) => (JSON.parse(line).event_types as string[]).includes('login.failed')));
      assert.doesNotMatch(lost.join(''), /example\.test/);
    });

    it("do not let an administrator's command run that cannot be recorded", async () => {
      const email = users[0] ?? '';
      const refused = await service.post(`/admin/users/${email}/disable`, {}, service.asAdmin);
      assert.ok(refused.status >= 500, refused.text);
      const shown = await service.get(`/admin/users/${email}`, service.asAdmin);
      assert.equal((shown.body.user as { enabled: boolean }).enabled, true);
    });
  });
}
