import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SoftwareAuthenticator } from '../../packages/pool/src/testing/software-authenticator.ts';
import { countStatuses } from '../support/requests/pending-challenges.ts';
import { logInForAccessToken } from '../support/routes/route-mfa.ts';
import {
  answerPasskey,
  assertNotLoggedIn,
  assertNotRegistered,
  completeRegistration,
  createAuthenticator,
  createRegisteredPasskey,
  listPasskeyIds,
  logInWithPasskey,
  registerNewPasskey,
  startDiscoverableLogin,
  startPasskeyLogin,
  startPasskeyService,
  startRegistration,
} from '../support/routes/route-passkeys.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, assertProblem, requireTokens, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const EVE = 'eve@example.com';

describe('the challenges of passkeys', () => {
  let service: TestService;
  let ada: string;
  let ofAda: SoftwareAuthenticator;
  before(async () => {
    service = await startPasskeyService();
    for (const username of [ADA, EVE]) await addUser(service, username);
    ofAda = createAuthenticator();
    await createRegisteredPasskey(service, ADA, ofAda);
    await createRegisteredPasskey(service, EVE, createAuthenticator());
    ada = await logInForAccessToken(service, ADA);
  });
  after(() => service.close());

  it('another relying party, the other ceremony, or another challenge proves nothing', async () => {
    for (const knobs of [
      { rpId: 'login.example.com' },
      { rpId: 'evil.test' },
      { type: 'webauthn.get' },
      { type: 'payment.get' },
      { challenge: 'A'.repeat(43) },
      { challenge: '' },
    ]) {
      const about = JSON.stringify(knobs);
      assertNotRegistered(await registerNewPasskey(service, ada, createAuthenticator(), knobs), about);
      const swapped = knobs.type === 'webauthn.get' ? { type: 'webauthn.create' } : knobs;
      assertNotLoggedIn(await logInWithPasskey(service, ADA, ofAda, swapped), about);
    }
  });

  it('a challenge that is spelled otherwise is another one', async () => {
    const spellings = [(text: string) => `${text}=`, (text: string) => `${text}%3D`, (text: string) => ` ${text}`];
    for (const spelled of spellings) {
      const challenge = await startPasskeyLogin(service, ADA);
      const assertion = ofAda.assert(challenge.options, { challenge: spelled(challenge.options.challenge) });
      assertNotLoggedIn(await answerPasskey(service, challenge, assertion), 'login');
      const options = await startRegistration(service, ada);
      const credential = createAuthenticator().register(options, { challenge: spelled(options.challenge) });
      assertNotRegistered(await completeRegistration(service, ada, credential), 'registration');
    }
  });

  it('a challenge of another user’s login, or of another login of the same user, proves nothing', async () => {
    for (const user of [EVE, ADA]) {
      const [asked, other] = [await startPasskeyLogin(service, ADA), await startPasskeyLogin(service, user)];
      const assertion = ofAda.assert(asked.options, { challenge: other.options.challenge });
      assertNotLoggedIn(await answerPasskey(service, asked, assertion), user);
    }
    const options = await startRegistration(service, ada);
    const login = await startPasskeyLogin(service, ADA);
    const mixed = ofAda.assert(login.options, { challenge: options.challenge });
    assertNotLoggedIn(await answerPasskey(service, login, mixed), 'a registration’s');
  });

  it('a challenge is good for one answer, and spent before that is verified', async () => {
    const challenge = await startPasskeyLogin(service, ADA);
    const right = ofAda.assert(challenge.options);
    assertNotLoggedIn(
      await answerPasskey(service, challenge, { ...right, response: { ...right.response, signature: 'AAAA' } }),
      '',
    );
    assertProblem(await answerPasskey(service, challenge, right), 401, 'invalid_session');

    const used = await startPasskeyLogin(service, ADA);
    const assertion = ofAda.assert(used.options);
    requireTokens(await answerPasskey(service, used, assertion));
    assertProblem(await answerPasskey(service, used, assertion), 401, 'invalid_session');

    const options = await startRegistration(service, ada);
    const wrong = createAuthenticator().register(options, { origin: 'https://evil.test' });
    assertNotRegistered(await completeRegistration(service, ada, wrong), 'the wrong one');
    assertNotRegistered(
      await completeRegistration(service, ada, createAuthenticator().register(options)),
      'the right one after it',
    );
  });

  it('the challenge of a login without a name is good for one answer, and spent before that is verified', async () => {
    const challenge = await startDiscoverableLogin(service);
    const right = ofAda.assert(challenge.options);
    assertNotLoggedIn(
      await answerPasskey(service, challenge, { ...right, response: { ...right.response, signature: 'AAAA' } }),
      '',
    );
    assertProblem(await answerPasskey(service, challenge, right), 401, 'invalid_session');
    const unknown = createAuthenticator().register({ challenge: '', rp: { id: 'example.com' }, user: { id: 'AAAA' } });
    const next = await startDiscoverableLogin(service);
    const assertion = ofAda.assert(next.options);
    const renamed = { ...assertion, id: unknown.id, rawId: unknown.id };
    assertProblem(await answerPasskey(service, next, renamed), 404, 'passkey_not_found');
    assertProblem(await answerPasskey(service, next, assertion), 401, 'invalid_session');
  });

  it('a challenge expires, and a new registration voids the one before', async () => {
    const [named, nameless] = [await startPasskeyLogin(service, ADA), await startDiscoverableLogin(service)];
    const [first, second] = [await startRegistration(service, ada), await startRegistration(service, ada)];
    assertNotRegistered(await completeRegistration(service, ada, createAuthenticator().register(first)), 'voided');
    const late = createAuthenticator().register(second);
    service.clock.advance(5 * 60_000 + 1);
    assertNotRegistered(await completeRegistration(service, ada, late), 'late');
    for (const challenge of [named, nameless]) {
      assertProblem(await answerPasskey(service, challenge, ofAda.assert(challenge.options)), 401, 'invalid_session');
    }
  });

  it('of ten completions of one registration at once one stores a passkey', async () => {
    await addUser(service, 'ten@example.com');
    const access = await logInForAccessToken(service, 'ten@example.com');
    const credential = createAuthenticator().register(await startRegistration(service, access));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => completeRegistration(service, access, credential)),
    );
    assert.deepEqual(countStatuses(answers), { 200: 1, 400: 9 });
    assert.deepEqual(await listPasskeyIds(service, access), [credential.id]);
  });

  it('of ten answers to one login at once one gives tokens, with and without a name', async () => {
    for (const challenge of [await startPasskeyLogin(service, ADA), await startDiscoverableLogin(service)]) {
      const assertion = ofAda.assert(challenge.options);
      const answers = await Promise.all(Array.from({ length: 10 }, () => answerPasskey(service, challenge, assertion)));
      assert.deepEqual(countStatuses(answers), { 200: 1, 401: 9 });
    }
  });

  it('of ten logins at once that show one state of a counter one gives tokens', async () => {
    const challenges = await Promise.all(Array.from({ length: 10 }, () => startPasskeyLogin(service, ADA)));
    const counter = ofAda.latest.counter + 10;
    const answers = await Promise.all(
      challenges.map((challenge) => answerPasskey(service, challenge, ofAda.assert(challenge.options, { counter }))),
    );
    assert.deepEqual(countStatuses(answers), { 200: 1, 401: 9 });
    ofAda.latest.counter = counter;
  });

  it('a counter that went back is reported by an event of its own, any other wrong answer is not', async () => {
    const told = async () => {
      const { body } = await service.get('/admin/audit?type=factor.maybe_copied&limit=60', service.asAdmin);
      return body.events as readonly { outcome: string; user: { sub: string }; details: object }[];
    };
    const { counter } = ofAda.latest;
    requireTokens(await logInWithPasskey(service, ADA, ofAda, { counter: counter + 5 }));
    const before = (await told()).length;
    const unsigned = { counter: counter + 9, signature: Buffer.from('none') };
    assertNotLoggedIn(await logInWithPasskey(service, ADA, ofAda, unsigned), 'no signature');
    assert.equal((await told()).length, before);
    assertNotLoggedIn(await logInWithPasskey(service, ADA, ofAda, { counter: counter + 4 }), 'a smaller one');
    const [event, ...more] = await told();
    assert.equal(more.length, before);
    assert.deepEqual([event?.outcome, event?.details], ['failure', { factor: 'WEB_AUTHN' }]);
    const { body } = await service.get(`/admin/users/${ADA}`, service.asAdmin);
    assert.equal(event?.user.sub, (body.user as { sub: string }).sub);
    ofAda.latest.counter = counter + 5;
  });

  it('a counter that does not grow is a copy’s; whether a passkey can be copied does not change', async () => {
    const { counter } = ofAda.latest;
    assertNotLoggedIn(await logInWithPasskey(service, ADA, ofAda, { counter }), 'the same');
    assertNotLoggedIn(await logInWithPasskey(service, ADA, ofAda, { counter: counter - 1 }), 'a smaller one');
    assertNotLoggedIn(await logInWithPasskey(service, ADA, ofAda, { counter: 0 }), 'none');
    assertNotLoggedIn(
      await logInWithPasskey(service, ADA, ofAda, { counter: counter + 100, backupEligible: true }),
      'eligible now',
    );
    requireTokens(await logInWithPasskey(service, ADA, ofAda, { counter: counter + 50 }));
    ofAda.latest.counter = counter + 50;
  });
});

describe('two services on one PostgreSQL', () => {
  let replicas: Replicas;
  let one: TestService;
  let other: TestService;
  before(async () => {
    replicas = await openReplicas(startPasskeyService);
    ({ one, other } = replicas);
    await addUser(one, ADA);
  });
  after(() => replicas?.close());

  it('of completions and of answers that both get at once one counts', async () => {
    const key = createAuthenticator();
    const access = await logInForAccessToken(one, ADA);
    const both = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : other));
    const credential = key.register(await startRegistration(one, access));
    const completed = await Promise.all(both.map((replica) => completeRegistration(replica, access, credential)));
    assert.deepEqual(countStatuses(completed), { 200: 1, 400: 9 });
    for (const challenge of [await startPasskeyLogin(one, ADA), await startDiscoverableLogin(one)]) {
      const assertion = key.assert(challenge.options);
      const answers = await Promise.all(both.map((replica) => answerPasskey(replica, challenge, assertion)));
      assert.deepEqual(countStatuses(answers), { 200: 1, 401: 9 });
    }
  });

  it('the invented passkeys of a name are the same on both', async () => {
    const asked = await Promise.all([one, other].map((replica) => startPasskeyLogin(replica, 'nobody@example.com')));
    const [here, there] = asked.map(({ options }) => options.allowCredentials);
    assert.ok(here && here.length > 0);
    assert.deepEqual(there, here);
  });
});
