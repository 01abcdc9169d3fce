import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  computePasskeyHash,
  createFiveKeyClaim,
  createSignedClaim,
  createSrpStart,
  createUnsignedClaim,
  createVerifierAnswer,
  logInBySrp,
  type RouteStart,
  startSrpLogin,
} from '../support/routes/route-srp.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  inviteUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const FORMS = ['the five keys of the specification', 'an unsigned claim', 'a finished claim'] as const;

describe('SRP login at the routes', () => {
  let service: TestService;
  let adaName: string;
  before(async () => {
    service = await startTestService();
    adaName = await addUser(service, ADA);
  });
  after(() => service.close());

  async function answer(form: (typeof FORMS)[number], options: RouteStart, password = PASSWORD) {
    const challenge = await startSrpLogin(service, ADA, options);
    const aHex = challenge.start?.aHex ?? challenge.session;
    const bodies = {
      'the five keys of the specification': () =>
        createVerifierAnswer(challenge, JSON.stringify(createFiveKeyClaim(service, challenge, password)), {
          session: aHex,
        }),
      'an unsigned claim': () =>
        createVerifierAnswer(challenge, JSON.stringify(createUnsignedClaim(service, challenge, password)), {
          session: aHex,
          challenge_params: JSON.stringify(challenge.parameters),
        }),
      'a finished claim': () =>
        createVerifierAnswer(challenge, JSON.stringify(createSignedClaim(service, challenge, password))),
    };
    return service.post(`${options.prefix ?? ''}/login/auth-challenge`, bodies[form]());
  }

  for (const prefix of ['', '/api/cognito']) {
    for (const form of FORMS) {
      it(`logs in with ${form} under "${prefix}"`, async () => {
        const { access } = requireTokens(await answer(form, { prefix }));
        const profile = await service.get(`${prefix}/user/profile`, { authorization: `Bearer ${access}` });
        assert.equal((profile.body.user as { username: string }).username, adaName);
      });
    }
    for (const form of ['the five keys of the specification', 'an unsigned claim'] as const) {
      it(`logs in with ${form} and a private value of the service under "${prefix}"`, async () => {
        requireTokens(await answer(form, { prefix, serverMade: true }));
      });
    }
  }

  for (const form of FORMS) {
    it(`refuses a wrong password with ${form}`, async () => {
      assertProblem(await answer(form, {}, 'Wrong-Horse1!'), 401, 'invalid_credentials');
    });
  }

  it('returns salt, secret block, SRP_B and names in the form of a challenge', async () => {
    const { body } = await service.post('/login/srp', { username: ADA, srp_a: createSrpStart().srpAHex });
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

  it('returns the client’s session token and accepts it as the session of the answer', async () => {
    const sessionToken = crypto.randomUUID();
    const challenge = await startSrpLogin(service, ADA, { sessionToken });
    assert.equal(challenge.sessionToken, sessionToken);
    assert.notEqual(challenge.session, sessionToken);
    const body = createVerifierAnswer(challenge, createSignedClaim(service, challenge), { session: sessionToken });
    requireTokens(await service.post('/login/auth-challenge', body));
  });

  it('accepts the session token with the five keys if the service created the private value', async () => {
    const challenge = await startSrpLogin(service, ADA, { sessionToken: 'my-tab-7', serverMade: true });
    const body = createVerifierAnswer(challenge, createFiveKeyClaim(service, challenge), { session: 'my-tab-7' });
    requireTokens(await service.post('/login/auth-challenge', body));
  });

  it('refuses the session token of another login and an invented session', async () => {
    await startSrpLogin(service, ADA, { sessionToken: 'another-tab' });
    const challenge = await startSrpLogin(service, ADA, { sessionToken: 'this-tab' });
    for (const session of ['another-tab', 'invented', 'ff']) {
      const body = createVerifierAnswer(challenge, createSignedClaim(service, challenge), { session });
      assertProblem(await service.post('/login/auth-challenge', body), 401, 'invalid_session', session);
    }
    requireTokens(
      await service.post(
        '/login/auth-challenge',
        createVerifierAnswer(challenge, createSignedClaim(service, challenge)),
      ),
    );
  });

  it('accepts PRIVATE_KEY with a session, and compares MESSAGE_BASE64 with the other parts', async () => {
    const challenge = await startSrpLogin(service, ADA);
    const claim: Readonly<Record<string, string>> = {
      ...createUnsignedClaim(service, challenge),
      PRIVATE_KEY: challenge.start?.aHex ?? '',
    };
    const send = (message: Buffer) =>
      service.post(
        '/login/auth-challenge',
        createVerifierAnswer(
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
    requireTokens(await send(Buffer.concat(parts)));
  });

  it('answers a pending challenge at each of its three paths, with its name in any case', async () => {
    for (const path of ['/challenge', '/login/challenge', '/login/auth-challenge', '/api/cognito/challenge']) {
      const challenge = await startSrpLogin(service, ADA);
      const body = createVerifierAnswer(challenge, createSignedClaim(service, challenge), {
        challenge_name: 'password_Verifier',
      });
      requireTokens(await service.post(path, body));
    }
  });

  it('finds a user by address in any case, by username and by sub, and returns the name as typed', async () => {
    for (const username of ['ADA@Example.com', adaName]) {
      const challenge = await startSrpLogin(service, username);
      assert.equal(challenge.parameters.USER_ID_FOR_SRP, adaName);
      requireTokens(
        await service.post(
          '/login/auth-challenge',
          createVerifierAnswer(challenge, createSignedClaim(service, challenge)),
        ),
      );
    }
  });

  it('accepts SRP_A in upper case and with an odd length, which one in sixteen requests has', async () => {
    let start = createSrpStart();
    while (start.srpAHex.length % 2 === 0) start = createSrpStart();
    const { body } = await service.post('/login/srp', { username: ADA, srp_a: start.srpAHex.toUpperCase() });
    const parameters = body.challenge_params as Readonly<Record<string, string>>;
    const session = String(body.session);
    const challenge = { username: ADA, start, session, sessionToken: session, parameters };
    requireTokens(
      await service.post(
        '/login/auth-challenge',
        createVerifierAnswer(challenge, createSignedClaim(service, challenge)),
      ),
    );
  });

  it('a temporary password leads to NEW_PASSWORD_REQUIRED, and then to tokens', async () => {
    const eve = 'eve@example.com';
    await inviteUser(service, eve);
    const step = await logInBySrp(service, eve);
    assert.deepEqual([step.status, step.body.challenge_name], [200, 'NEW_PASSWORD_REQUIRED'], step.text);
    assert.equal(step.body.session, step.body.session_token);
    const body = { challenge_name: 'NEW_PASSWORD_REQUIRED', session: step.body.session, username: eve };
    const weak = await service.post('/challenge', { ...body, challenge_value: 'short' });
    assertInvalidField(weak, /^challenge_value/);
    requireTokens(
      await service.post('/challenge', {
        ...body,
        challenge_value: { NEW_PASSWORD: 'A-New-Horse2!', 'userAttributes.name': 'Eve' },
      }),
    );
    requireTokens(await logInBySrp(service, eve, 'A-New-Horse2!'));
    assertProblem(await logInBySrp(service, eve), 401, 'invalid_credentials');
  });

  it('refuses challenges that are not pending, and unknown names', async () => {
    const challenge = await startSrpLogin(service, ADA);
    const answerAs = (name: string) =>
      service.post('/challenge', { ...createVerifierAnswer(challenge, '123456'), challenge_name: name });
    for (const name of ['SOFTWARE_TOKEN_MFA', 'SMS_OTP', 'WEB_AUTHN'])
      assertProblem(await answerAs(name), 400, 'challenge_mismatch', name);
    for (const name of ['toString', '__proto__', 'TOKENS'])
      assertInvalidField(await answerAs(name), 'challenge_name', name);
  });
});

describe('SRP without help of the service', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ srpAssisted: false });
    await addUser(service, ADA);
  });
  after(() => service.close());

  it('IDP_SRP_ASSISTED=false accepts only a claim that the client has computed', async () => {
    assertProblem(await service.post('/login/srp', { username: ADA }), 403, 'feature_disabled');
    const challenge = await startSrpLogin(service, ADA);
    const session = challenge.start?.aHex;
    for (const value of [createFiveKeyClaim(service, challenge), createUnsignedClaim(service, challenge)]) {
      const body = createVerifierAnswer(challenge, value, { session, challenge_params: challenge.parameters });
      assertProblem(await service.post('/login/auth-challenge', body), 403, 'feature_disabled');
    }
    assert.match(computePasskeyHash(service, challenge), /^[0-9a-f]{64}$/);
    requireTokens(
      await service.post(
        '/login/auth-challenge',
        createVerifierAnswer(challenge, createSignedClaim(service, challenge)),
      ),
    );
  });
});
