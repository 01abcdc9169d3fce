import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forEachDatabase } from '../../packages/pool/src/testing/databases.ts';
import {
  fiveKeys,
  loginByRoute,
  newStart,
  passkeyHash,
  type RouteStart,
  signedClaim,
  startByRoute,
  unsignedClaim,
  verifierAnswer,
} from '../support/routes/route-srp.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  inviteUser,
  PASSWORD,
  startTestService,
  type TestService,
  tokensIn,
} from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const FORMS = ['the five keys of the specification', 'an unsigned claim', 'a finished claim'] as const;

forEachDatabase((database) => {
  describe(`SRP login by the routes on ${database.name}`, () => {
    let service: TestService;
    let adaName: string;
    before(async () => {
      service = await startTestService({ databaseUrl: await database.create() });
      adaName = await addUser(service, ADA);
    });
    after(() => service.close());

    async function answer(form: (typeof FORMS)[number], options: RouteStart, password = PASSWORD) {
      const challenge = await startByRoute(service, ADA, options);
      const aHex = challenge.start?.aHex ?? challenge.session;
      const bodies = {
        'the five keys of the specification': () =>
          verifierAnswer(challenge, JSON.stringify(fiveKeys(service, challenge, password)), { session: aHex }),
        'an unsigned claim': () =>
          verifierAnswer(challenge, JSON.stringify(unsignedClaim(service, challenge, password)), {
            session: aHex,
            challenge_params: JSON.stringify(challenge.parameters),
          }),
        'a finished claim': () => verifierAnswer(challenge, JSON.stringify(signedClaim(service, challenge, password))),
      };
      return service.post(`${options.prefix ?? ''}/login/auth-challenge`, bodies[form]());
    }

    for (const prefix of ['', '/api/cognito']) {
      for (const form of FORMS) {
        it(`logs in with ${form} under "${prefix}"`, async () => {
          const { access } = tokensIn(await answer(form, { prefix }));
          const profile = await service.get(`${prefix}/user/profile`, { authorization: `Bearer ${access}` });
          assert.equal((profile.body.user as { username: string }).username, adaName);
        });
      }
      for (const form of ['the five keys of the specification', 'an unsigned claim'] as const) {
        it(`logs in with ${form} and a server-made a under "${prefix}"`, async () => {
          tokensIn(await answer(form, { prefix, serverMade: true }));
        });
      }
    }

    for (const form of FORMS) {
      it(`refuses a wrong password with ${form}`, async () => {
        assertProblem(await answer(form, {}, 'Wrong-Horse1!'), 401, 'invalid_credentials');
      });
    }

    it('gives salt, secret block, SRP_B and names, in the shape of a challenge', async () => {
      const { body } = await service.post('/login/srp', { username: ADA, srp_a: newStart().srpAHex });
      assert.deepEqual(Object.keys(body).sort(), [
        'challenge_name',
        'challenge_params',
        'session',
        'session_token',
        'status',
        'username',
      ]);
      assert.deepEqual([body.status, body.username, body.session_token], ['challenge', ADA, body.session]);
      const parameters = body.challenge_params as Readonly<Record<string, string>>;
      for (const name of ['SALT', 'SECRET_BLOCK', 'SRP_B', 'USER_ID_FOR_SRP', 'USERNAME'])
        assert.ok(parameters[name], name);
      assert.equal(parameters.USER_ID_FOR_SRP, adaName);
    });

    it('echoes the client’s own session token, and takes it as session of the answer', async () => {
      const sessionToken = crypto.randomUUID();
      const challenge = await startByRoute(service, ADA, { sessionToken });
      assert.equal(challenge.sessionToken, sessionToken);
      assert.notEqual(challenge.session, sessionToken);
      const body = verifierAnswer(challenge, signedClaim(service, challenge), { session: sessionToken });
      tokensIn(await service.post('/login/auth-challenge', body));
    });

    it('takes the session token with the five keys where the service made a', async () => {
      const challenge = await startByRoute(service, ADA, { sessionToken: 'my-tab-7', serverMade: true });
      const body = verifierAnswer(challenge, fiveKeys(service, challenge), { session: 'my-tab-7' });
      tokensIn(await service.post('/login/auth-challenge', body));
    });

    it('does not take another login’s session token, nor an invented session', async () => {
      await startByRoute(service, ADA, { sessionToken: 'another-tab' });
      const challenge = await startByRoute(service, ADA, { sessionToken: 'this-tab' });
      for (const session of ['another-tab', 'invented', 'ff']) {
        const body = verifierAnswer(challenge, signedClaim(service, challenge), { session });
        assertProblem(await service.post('/login/auth-challenge', body), 401, 'invalid_session', session);
      }
      tokensIn(await service.post('/login/auth-challenge', verifierAnswer(challenge, signedClaim(service, challenge))));
    });

    it('takes PRIVATE_KEY beside a session, and checks MESSAGE_BASE64 against the parts', async () => {
      const challenge = await startByRoute(service, ADA);
      const claim: Readonly<Record<string, string>> = {
        ...unsignedClaim(service, challenge),
        PRIVATE_KEY: challenge.start?.aHex ?? '',
      };
      const send = (message: Buffer) =>
        service.post(
          '/login/auth-challenge',
          verifierAnswer(
            challenge,
            { ...claim, MESSAGE_BASE64: message.toString('base64') },
            { challenge_params: challenge.parameters },
          ),
        );
      const parts = [
        Buffer.from(`${service.poolName}${adaName}`),
        Buffer.from(claim.PASSWORD_CLAIM_SECRET_BLOCK ?? '', 'base64'),
        Buffer.from(claim.TIMESTAMP ?? ''),
      ];
      assertInvalidField(await send(Buffer.from('another message')), 'challenge_value.MESSAGE_BASE64');
      tokensIn(await send(Buffer.concat(parts)));
    });

    it('answers any pending challenge at each of its three paths, whatever the case of its name', async () => {
      for (const path of ['/challenge', '/login/challenge', '/login/auth-challenge', '/api/cognito/challenge']) {
        const challenge = await startByRoute(service, ADA);
        const body = verifierAnswer(challenge, signedClaim(service, challenge), {
          challenge_name: 'password_Verifier',
        });
        tokensIn(await service.post(path, body));
      }
    });

    it('knows a user by address in any case, by user name and by sub, and echoes what was typed', async () => {
      for (const username of ['ADA@Example.com', adaName]) {
        const challenge = await startByRoute(service, username);
        assert.equal(challenge.parameters.USER_ID_FOR_SRP, adaName);
        tokensIn(
          await service.post('/login/auth-challenge', verifierAnswer(challenge, signedClaim(service, challenge))),
        );
      }
    });

    it('reads SRP_A in upper case and of odd length, as clients send it one time in sixteen', async () => {
      let start = newStart();
      while (start.srpAHex.length % 2 === 0) start = newStart();
      const { body } = await service.post('/login/srp', { username: ADA, srp_a: start.srpAHex.toUpperCase() });
      const parameters = body.challenge_params as Readonly<Record<string, string>>;
      const session = String(body.session);
      const challenge = { username: ADA, start, session, sessionToken: session, parameters };
      tokensIn(await service.post('/login/auth-challenge', verifierAnswer(challenge, signedClaim(service, challenge))));
    });

    it('a temporary password leads from the proof to NEW_PASSWORD_REQUIRED and then to tokens', async () => {
      const eve = `eve-${database.name.length}@example.com`;
      await inviteUser(service, eve);
      const step = await loginByRoute(service, eve);
      assert.deepEqual([step.status, step.body.challenge_name], [200, 'NEW_PASSWORD_REQUIRED'], step.text);
      assert.equal(step.body.session, step.body.session_token);
      const body = { challenge_name: 'NEW_PASSWORD_REQUIRED', session: step.body.session, username: eve };
      const weak = await service.post('/challenge', { ...body, challenge_value: 'short' });
      assertInvalidField(weak, /^challenge_value/);
      tokensIn(
        await service.post('/challenge', {
          ...body,
          challenge_value: { NEW_PASSWORD: 'A-New-Horse2!', 'userAttributes.name': 'Eve' },
        }),
      );
      tokensIn(await loginByRoute(service, eve, 'A-New-Horse2!'));
      assertProblem(await loginByRoute(service, eve), 401, 'invalid_credentials');
    });

    it('other challenges are not pending, and unknown names are no challenges', async () => {
      const challenge = await startByRoute(service, ADA);
      const answerAs = (name: string) =>
        service.post('/challenge', { ...verifierAnswer(challenge, '123456'), challenge_name: name });
      for (const name of ['SOFTWARE_TOKEN_MFA', 'SMS_OTP', 'WEB_AUTHN'])
        assertProblem(await answerAs(name), 400, 'challenge_mismatch', name);
      for (const name of ['toString', '__proto__', 'TOKENS'])
        assertInvalidField(await answerAs(name), 'challenge_name', name);
    });
  });
});

describe('SRP without help from the service', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ srpAssisted: false });
    await addUser(service, ADA);
  });
  after(() => service.close());

  it('IDP_SRP_ASSISTED=false: only a finished claim of the client is taken', async () => {
    assertProblem(await service.post('/login/srp', { username: ADA }), 403, 'feature_disabled');
    const challenge = await startByRoute(service, ADA);
    const session = challenge.start?.aHex;
    for (const value of [fiveKeys(service, challenge), unsignedClaim(service, challenge)]) {
      const body = verifierAnswer(challenge, value, { session, challenge_params: challenge.parameters });
      assertProblem(await service.post('/login/auth-challenge', body), 403, 'feature_disabled');
    }
    assert.match(passkeyHash(service, challenge), /^[0-9a-f]{64}$/);
    tokensIn(await service.post('/login/auth-challenge', verifierAnswer(challenge, signedClaim(service, challenge))));
  });
});
