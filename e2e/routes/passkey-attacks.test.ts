import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SoftwareAuthenticator } from '../../packages/pool/src/testing/software-authenticator.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
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
  ORIGIN,
  type PendingPasskey,
  startDiscoverableLogin,
  startPasskeyLogin,
  startPasskeyService,
  startRegistration,
} from '../support/routes/route-passkeys.ts';
import { addUser, assertProblem, requireTokens, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const EVE = 'eve@example.com';
const BOB = 'bob@example.com';

describe('attacks on passkeys', () => {
  let service: TestService;
  let ada: string;
  let eve: string;
  let ofAda: SoftwareAuthenticator;
  let ofEve: SoftwareAuthenticator;
  before(async () => {
    service = await startPasskeyService();
    for (const username of [ADA, EVE, BOB]) await addUser(service, username);
    ofAda = createAuthenticator();
    ofEve = createAuthenticator();
    await createRegisteredPasskey(service, ADA, ofAda);
    await createRegisteredPasskey(service, EVE, ofEve);
    ada = await logInForAccessToken(service, ADA);
    eve = await logInForAccessToken(service, EVE);
  });
  after(() => service.close());

  it('the passkey of one user cannot answer a login of another, in either direction', async () => {
    for (const [user, foreign] of [
      [ADA, ofEve],
      [EVE, ofAda],
    ] as const) {
      const challenge = await startPasskeyLogin(service, user);
      const assertion = foreign.assert(challenge.options, { passkey: foreign.latest });
      assertNotLoggedIn(await answerPasskey(service, challenge, assertion), 'with the own user handle');
      for (const userHandle of [null, user === ADA ? ofAda.latest.userHandle : ofEve.latest.userHandle]) {
        const again = await startPasskeyLogin(service, user);
        const knobs = { passkey: foreign.latest, userHandle };
        assertNotLoggedIn(
          await answerPasskey(service, again, foreign.assert(again.options, knobs)),
          String(userHandle),
        );
      }
    }
  });

  it('a response to one user’s login does not answer that of another user', async () => {
    const challenge = await startPasskeyLogin(service, ADA);
    const assertion = ofEve.assert(challenge.options, { passkey: ofEve.latest });
    const taken = await answerPasskey(service, { ...challenge, username: EVE }, assertion);
    assertProblem(taken, 401, 'invalid_session');
    // Without a name, the passkey would reveal the owner of the login, so this login starts with a name.
    const nameless = await answerPasskey(service, { ...challenge, username: '' }, assertion);
    assert.equal(nameless.status, 401, nameless.text);
  });

  it('a login without a name belongs to the owner of the passkey, and to no other user that the response names', async () => {
    for (const userHandle of [null, ofAda.latest.userHandle, 'bm9ib2R5']) {
      const challenge = await startDiscoverableLogin(service);
      const assertion = ofEve.assert(challenge.options, { passkey: ofEve.latest, userHandle });
      assertNotLoggedIn(await answerPasskey(service, challenge, assertion), String(userHandle));
    }
    const named = await startDiscoverableLogin(service);
    const assertion = ofEve.assert(named.options, { passkey: ofEve.latest });
    assertProblem(await answerPasskey(service, { ...named, username: EVE }, assertion), 400, 'challenge_mismatch');
  });

  it('a user cannot complete a registration that another user started', async () => {
    const options = await startRegistration(service, ada);
    const credential = createAuthenticator().register(options);
    assertNotRegistered(await completeRegistration(service, eve, credential), 'by another user');
    assert.equal((await listPasskeyIds(service, eve)).length, 1);
  });

  it('an origin of an application is accepted only after it is listed', async (t) => {
    const [listed, other] = ['B', 'C'].map((letter) => `android:apk-key-hash:${letter.repeat(43)}`) as [string, string];
    const mobile = await startPasskeyService({ origins: [ORIGIN, listed] });
    t.after(() => mobile.close());
    await addUser(mobile, ADA);
    const phone = createAuthenticator({ origin: listed });
    await createRegisteredPasskey(mobile, ADA, phone);
    requireTokens(await logInWithPasskey(mobile, ADA, phone));
    assertNotLoggedIn(await logInWithPasskey(mobile, ADA, phone, { origin: other }), other);
  });

  it('known users, unknown users and users without a passkey get the same responses', async () => {
    const users = { known: ADA, without: 'ten-without@example.com', unknown: 'nobody@example.com' };
    await addUser(service, users.without);
    const seen = await Promise.all(
      Object.values(users).map(async (username) => {
        const asked = await startPasskeyLogin(service, username);
        const forged = createAuthenticator();
        forged.register({ challenge: '', rp: { id: 'example.com' }, user: { id: 'AAAA' } });
        const [shown] = asked.options.allowCredentials ?? [];
        assert.ok(shown);
        const assertion = {
          ...forged.assert(asked.options, { passkey: forged.latest }),
          id: shown.id,
          rawId: shown.id,
        };
        const refused = await answerPasskey(service, asked, assertion);
        assertNotLoggedIn(refused, username);
        const { request_id: _, instance: __, ...problem } = refused.body;
        return { question: shapeOf(asked), problem, session: Math.round(asked.session.length / 100) };
      }),
    );
    assert.deepEqual(seen[1], seen[0]);
    assert.deepEqual(seen[2], seen[0]);
    const lists = await Promise.all(
      Object.values(users).map((username) => service.ask('GET', '/login/passkey/challenge', { body: { username } })),
    );
    for (const { status, body } of lists) {
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), Object.keys(lists[0]?.body ?? {}));
    }
  });

  it('only its user can remove a passkey, and the flag disappears with the last one', async () => {
    const second = createAuthenticator();
    // For two at the same instant, the ID would decide which is first.
    service.clock.advance(1);
    await createRegisteredPasskey(service, EVE, second);
    const gone = (access: string, credential_id: string) =>
      service.ask('DELETE', '/passkey/delete', { body: { credential_id }, headers: createBearerHeader(access) });
    for (const passkey of [ofEve.latest, second.latest]) {
      assertProblem(await gone(ada, passkey.id), 404, 'passkey_not_found');
    }
    assertProblem(await gone(eve, 'AAAA'), 404, 'passkey_not_found');
    assert.deepEqual(await listPasskeyIds(service, eve), [ofEve.latest.id, second.latest.id]);
    const flag = async () =>
      ((await service.get('/user/profile', createBearerHeader(eve))).body.user as Record<string, unknown>)
        .is_webauthn_enabled;
    assert.equal((await gone(eve, second.latest.id)).body.is_webauthn_enabled, true);
    assert.equal(await flag(), true);
    assertNotLoggedIn(await logInWithPasskey(service, EVE, second, { passkey: second.latest }), 'with the removed one');
    assert.equal((await gone(eve, ofEve.latest.id)).body.is_webauthn_enabled, false);
    assert.equal(await flag(), false);
  });
});

/** The form of a passkey challenge, for any user. */
function shapeOf({ parameters, options }: PendingPasskey) {
  const [shown] = options.allowCredentials ?? [];
  return {
    parameters: Object.keys(parameters),
    options: Object.keys(options),
    credential: Object.keys(shown ?? {}),
    challenge: options.challenge.length,
  };
}
