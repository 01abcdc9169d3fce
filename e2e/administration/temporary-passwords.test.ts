import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readRawContent, STORE_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import {
  assertInvalidField,
  assertProblem,
  inviteUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const DAY_MS = 86_400_000;
const NEW_PASSWORD = 'A-New-Horse2!';

describe('temporary passwords', () => {
  let place: StoreLocation | undefined;
  let service: TestService;
  const log: string[] = [];
  before(async () => {
    place = await STORE_LOCATIONS['SQLite file']?.();
    service = await startTestService({
      databaseUrl: place?.url ?? '',
      logLevel: 'trace',
      logStream: { write: (line) => void log.push(line) },
    });
  });
  after(async () => {
    await service.close();
    await place?.remove();
  });

  const logIn = (username: string, password: string) => service.post('/login', { username, password });
  const answer = (email: string, session: unknown, password: string) =>
    service.post('/challenge', {
      challenge_name: 'NEW_PASSWORD_REQUIRED',
      session,
      username: email,
      challenge_value: password,
    });

  async function generated(email: string): Promise<string> {
    const created = await service.post('/admin/users', { email }, service.asAdmin);
    assert.equal(created.status, 201, created.text);
    return String(created.body.temp_password);
  }

  it('one that was made up is in one answer, and in no other, nor in log, events and database', async () => {
    const email = 'shown@example.com';
    const password = await generated(email);
    const asked = await logIn(email, password);
    const seen = [
      asked.text,
      (await service.get(`/admin/users/${email}`, service.asAdmin)).text,
      (await service.get(`/admin/users?search=${email}`, service.asAdmin)).text,
      (await service.get('/admin/audit?limit=60', service.asAdmin)).text,
      (await service.post('/admin/users', { email, temp_password: password }, service.asAdmin)).text,
      (await answer(email, asked.body.session, 'short')).text,
      log.join(''),
      await readRawContent(place?.url ?? ''),
    ];
    assert.ok(log.length > 0);
    for (const text of seen) assert.ok(!text.includes(password), text.slice(0, 200));
  });

  it('one of an invitation is made here, whatever the provider would do without one', async () => {
    const email = 'mailed@example.com';
    const invited = await service.post('/user/invite', { email }, service.asAdmin);
    assert.equal(invited.status, 201, invited.text);
    const password = service.outbox?.list(email)[0]?.text.split(' ').at(-1)?.trim() ?? '';
    assert.equal(password.length, 20, 'the pool makes shorter ones');
    assert.equal((await logIn(email, password)).body.challenge_name, 'NEW_PASSWORD_REQUIRED');
  });

  it('neither is one that was given', async () => {
    const [email, password] = ['given@example.com', 'Given-Horse1!'];
    const created = await service.post('/admin/users', { email, temp_password: password }, service.asAdmin);
    assert.equal(created.status, 201);
    const audit = await service.get('/admin/audit?limit=60', service.asAdmin);
    for (const text of [created.text, audit.text, log.join(''), await readRawContent(place?.url ?? '')])
      assert.ok(!text.includes(password));
  });

  it('one cannot become the permanent one, by no spelling of it, and the login goes on', async () => {
    const email = 'same@example.com';
    await inviteUser(service, email);
    const asked = await logIn(email, PASSWORD);
    const same = await answer(email, asked.body.session, PASSWORD);
    assert.equal(same.status, 422, same.text);
    requireTokens(await answer(email, asked.body.session, NEW_PASSWORD));
  });

  it('one is worth nothing once it was changed', async () => {
    const email = 'once@example.com';
    await inviteUser(service, email);
    const [asked, again] = [await logIn(email, PASSWORD), await logIn(email, PASSWORD)];
    requireTokens(await answer(email, asked.body.session, NEW_PASSWORD));
    assertProblem(await logIn(email, PASSWORD), 401, 'invalid_credentials');
    assertProblem(await answer(email, again.body.session, 'Another-Horse3!'), 401, 'invalid_session');
    requireTokens(await logIn(email, NEW_PASSWORD));
  });

  it('of many who change one at once one gets tokens', async () => {
    const email = 'race@example.com';
    await inviteUser(service, email);
    const sessions: unknown[] = [];
    for (let index = 0; index < 5; index += 1) sessions.push((await logIn(email, PASSWORD)).body.session);
    const answers = await Promise.all(
      sessions.flatMap((session, index) => [1, 2].map((n) => answer(email, session, `Race-Horse${index}${n}!`))),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it('one is good for seven days, and not a second longer; a new one is good again', async () => {
    const email = 'late@example.com';
    const password = await generated(email);
    service.clock.advance(7 * DAY_MS - 1_000);
    assert.equal((await logIn(email, password)).body.challenge_name, 'NEW_PASSWORD_REQUIRED');
    service.clock.advance(1_000);
    assertProblem(await logIn(email, password), 401, 'invalid_credentials');
    const set = await service.call(
      'AdminSetUserPassword',
      { UserPoolId: service.userPoolId, Username: email, Password: 'Again-Horse4!', Permanent: false },
      service.asAdmin,
    );
    assert.equal(set.status, 200, set.text);
    assert.equal((await logIn(email, 'Again-Horse4!')).body.challenge_name, 'NEW_PASSWORD_REQUIRED');
  });

  it('a weak one is refused from an administrator too', async () => {
    for (const password of ['short', 'password', 'Password1!', 'x'.repeat(257)])
      assertInvalidField(
        await service.post('/admin/users', { email: 'weak@example.com', temp_password: password }, service.asAdmin),
        'temp_password',
        password.slice(0, 20),
      );
  });
});
