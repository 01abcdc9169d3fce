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
  logInWithPasskey,
  startDiscoverableLogin,
  startPasskeyLogin,
  startPasskeyService,
  startRegistration,
} from '../support/routes/route-passkeys.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, assertProblem, requireTokens, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const EVE = 'eve@example.com';

describe('passkey challenges', () => {
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

  it('a challenge of another login, of the same or another user, proves nothing', async () => {
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

  it('a challenge expires, and a new registration invalidates the one before', async () => {
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

  it('a counter that decreased is recorded as an event, other wrong answers are not', async () => {
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

  it('accept only one of two parallel completions or answers', async () => {
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
});
