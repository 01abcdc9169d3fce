import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SoftwareAuthenticator } from '../../packages/pool/src/testing/authenticator.ts';
import { countStatuses } from '../support/requests/pending.ts';
import { accessOf } from '../support/routes/route-mfa.ts';
import {
  answerPasskey,
  askedForAnyPasskey,
  askedForPasskey,
  completeRegistration,
  logInWith,
  newAuthenticator,
  notLoggedIn,
  notRegistered,
  passkeyIds,
  register,
  registered,
  startPasskeyService,
  startRegistration,
} from '../support/routes/route-passkeys.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, assertProblem, type TestService, tokensIn } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const EVE = 'eve@example.com';

describe('the challenges of passkeys', () => {
  let service: TestService;
  let ada: string;
  let ofAda: SoftwareAuthenticator;
  before(async () => {
    service = await startPasskeyService();
    for (const username of [ADA, EVE]) await addUser(service, username);
    ofAda = newAuthenticator();
    await registered(service, ADA, ofAda);
    await registered(service, EVE, newAuthenticator());
    ada = await accessOf(service, ADA);
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
      notRegistered(await register(service, ada, newAuthenticator(), knobs), about);
      const swapped = knobs.type === 'webauthn.get' ? { type: 'webauthn.create' } : knobs;
      notLoggedIn(await logInWith(service, ADA, ofAda, swapped), about);
    }
  });

  it('a challenge that is spelled otherwise is another one', async () => {
    const spellings = [(text: string) => `${text}=`, (text: string) => `${text}%3D`, (text: string) => ` ${text}`];
    for (const spelled of spellings) {
      const challenge = await askedForPasskey(service, ADA);
      const assertion = ofAda.assert(challenge.options, { challenge: spelled(challenge.options.challenge) });
      notLoggedIn(await answerPasskey(service, challenge, assertion), 'login');
      const options = await startRegistration(service, ada);
      const credential = newAuthenticator().register(options, { challenge: spelled(options.challenge) });
      notRegistered(await completeRegistration(service, ada, credential), 'registration');
    }
  });

  it('a challenge of another user’s login, or of another login of the same user, proves nothing', async () => {
    for (const user of [EVE, ADA]) {
      const [asked, other] = [await askedForPasskey(service, ADA), await askedForPasskey(service, user)];
      const assertion = ofAda.assert(asked.options, { challenge: other.options.challenge });
      notLoggedIn(await answerPasskey(service, asked, assertion), user);
    }
    const options = await startRegistration(service, ada);
    const login = await askedForPasskey(service, ADA);
    const mixed = ofAda.assert(login.options, { challenge: options.challenge });
    notLoggedIn(await answerPasskey(service, login, mixed), 'a registration’s');
  });

  it('a challenge is good for one answer, and spent before that is verified', async () => {
    const challenge = await askedForPasskey(service, ADA);
    const right = ofAda.assert(challenge.options);
    notLoggedIn(
      await answerPasskey(service, challenge, { ...right, response: { ...right.response, signature: 'AAAA' } }),
      '',
    );
    assertProblem(await answerPasskey(service, challenge, right), 401, 'invalid_session');

    const used = await askedForPasskey(service, ADA);
    const assertion = ofAda.assert(used.options);
    tokensIn(await answerPasskey(service, used, assertion));
    assertProblem(await answerPasskey(service, used, assertion), 401, 'invalid_session');

    const options = await startRegistration(service, ada);
    const wrong = newAuthenticator().register(options, { origin: 'https://evil.test' });
    notRegistered(await completeRegistration(service, ada, wrong), 'the wrong one');
    notRegistered(
      await completeRegistration(service, ada, newAuthenticator().register(options)),
      'the right one after it',
    );
  });

  it('the challenge of a login without a name is good for one answer, and spent before that is verified', async () => {
    const challenge = await askedForAnyPasskey(service);
    const right = ofAda.assert(challenge.options);
    notLoggedIn(
      await answerPasskey(service, challenge, { ...right, response: { ...right.response, signature: 'AAAA' } }),
      '',
    );
    assertProblem(await answerPasskey(service, challenge, right), 401, 'invalid_session');
    const unknown = newAuthenticator().register({ challenge: '', rp: { id: 'example.com' }, user: { id: 'AAAA' } });
    const next = await askedForAnyPasskey(service);
    const assertion = ofAda.assert(next.options);
    const renamed = { ...assertion, id: unknown.id, rawId: unknown.id };
    assertProblem(await answerPasskey(service, next, renamed), 404, 'passkey_not_found');
    assertProblem(await answerPasskey(service, next, assertion), 401, 'invalid_session');
  });

  it('a challenge expires, and a new registration voids the one before', async () => {
    const [named, nameless] = [await askedForPasskey(service, ADA), await askedForAnyPasskey(service)];
    const [first, second] = [await startRegistration(service, ada), await startRegistration(service, ada)];
    notRegistered(await completeRegistration(service, ada, newAuthenticator().register(first)), 'voided');
    const late = newAuthenticator().register(second);
    service.clock.advance(5 * 60_000 + 1);
    notRegistered(await completeRegistration(service, ada, late), 'late');
    for (const challenge of [named, nameless]) {
      assertProblem(await answerPasskey(service, challenge, ofAda.assert(challenge.options)), 401, 'invalid_session');
    }
  });

  it('of ten completions of one registration at once one stores a passkey', async () => {
    await addUser(service, 'ten@example.com');
    const access = await accessOf(service, 'ten@example.com');
    const credential = newAuthenticator().register(await startRegistration(service, access));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => completeRegistration(service, access, credential)),
    );
    assert.deepEqual(countStatuses(answers), { 200: 1, 400: 9 });
    assert.deepEqual(await passkeyIds(service, access), [credential.id]);
  });

  it('of ten answers to one login at once one gives tokens, with and without a name', async () => {
    for (const challenge of [await askedForPasskey(service, ADA), await askedForAnyPasskey(service)]) {
      const assertion = ofAda.assert(challenge.options);
      const answers = await Promise.all(Array.from({ length: 10 }, () => answerPasskey(service, challenge, assertion)));
      assert.deepEqual(countStatuses(answers), { 200: 1, 401: 9 });
    }
  });

  it('of ten logins at once that show one state of a counter one gives tokens', async () => {
    const challenges = await Promise.all(Array.from({ length: 10 }, () => askedForPasskey(service, ADA)));
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
    tokensIn(await logInWith(service, ADA, ofAda, { counter: counter + 5 }));
    const before = (await told()).length;
    const unsigned = { counter: counter + 9, signature: Buffer.from('none') };
    notLoggedIn(await logInWith(service, ADA, ofAda, unsigned), 'no signature');
    assert.equal((await told()).length, before);
    notLoggedIn(await logInWith(service, ADA, ofAda, { counter: counter + 4 }), 'a smaller one');
    const [event, ...more] = await told();
    assert.equal(more.length, before);
    assert.deepEqual([event?.outcome, event?.details], ['failure', { factor: 'WEB_AUTHN' }]);
    const { body } = await service.get(`/admin/users/${ADA}`, service.asAdmin);
    assert.equal(event?.user.sub, (body.user as { sub: string }).sub);
    ofAda.latest.counter = counter + 5;
  });

  it('a counter that does not grow is a copy’s; whether a passkey can be copied does not change', async () => {
    const { counter } = ofAda.latest;
    notLoggedIn(await logInWith(service, ADA, ofAda, { counter }), 'the same');
    notLoggedIn(await logInWith(service, ADA, ofAda, { counter: counter - 1 }), 'a smaller one');
    notLoggedIn(await logInWith(service, ADA, ofAda, { counter: 0 }), 'none');
    notLoggedIn(await logInWith(service, ADA, ofAda, { counter: counter + 100, backupEligible: true }), 'eligible now');
    tokensIn(await logInWith(service, ADA, ofAda, { counter: counter + 50 }));
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
    const key = newAuthenticator();
    const access = await accessOf(one, ADA);
    const both = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : other));
    const credential = key.register(await startRegistration(one, access));
    const completed = await Promise.all(both.map((replica) => completeRegistration(replica, access, credential)));
    assert.deepEqual(countStatuses(completed), { 200: 1, 400: 9 });
    for (const challenge of [await askedForPasskey(one, ADA), await askedForAnyPasskey(one)]) {
      const assertion = key.assert(challenge.options);
      const answers = await Promise.all(both.map((replica) => answerPasskey(replica, challenge, assertion)));
      assert.deepEqual(countStatuses(answers), { 200: 1, 401: 9 });
    }
  });

  it('the invented passkeys of a name are the same on both', async () => {
    const asked = await Promise.all([one, other].map((replica) => askedForPasskey(replica, 'nobody@example.com')));
    const [here, there] = asked.map(({ options }) => options.allowCredentials);
    assert.ok(here && here.length > 0);
    assert.deepEqual(there, here);
  });
});
