import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BEHIND_PROXY, createBearerHeader } from '../support/requests/exchange.ts';
import {
  ANSWER_PATHS,
  answerAtPath,
  enrollAuthenticator,
  findLatestCode,
  type PendingChallenge,
  startChosenCode,
  startCodeLogin,
  toPendingChallenge,
} from '../support/requests/pending-challenges.ts';
import { createRememberedDevice, logInOnDevice } from '../support/routes/route-devices.ts';
import { activateAuthenticator, logInForAccessToken, verifyAuthenticator } from '../support/routes/route-mfa.ts';
import { createSignedClaim, createVerifierAnswer, startSrpLogin } from '../support/routes/route-srp.ts';
import {
  addUser,
  assertProblem,
  inviteUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const WRONG = '000000';
/** Header and claims. A session can contain the first letters by chance. */
const JWT = /eyJ[\w-]*\.eyJ/;
const WRONG_CODES = 10;
const SESSION_MS = 180_000;
const LOCK_MS = 900_000;
const TEN_MINUTES_MS = 600_000;

describe('attacks on login challenges over HTTP', () => {
  let service: TestService;
  let users = 0;
  before(async () => {
    service = await startTestService({
      ...BEHIND_PROXY,
      mfaTypes: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
      recovery: 'admin_only',
      firstFactors: ['PASSWORD', 'EMAIL_OTP'],
    });
  });
  after(() => service.close());

  async function somebody(): Promise<string> {
    users += 1;
    const email = `attacked-${users}@example.com`;
    await addUser(service, email);
    return email;
  }

  const logIn = (username: string, password = PASSWORD) => service.post('/login', { username, password });

  async function guess(challenge: PendingChallenge, times: number): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (let entryPoint = 0; entryPoint < times; entryPoint += 1) {
      statuses.push((await answerAtPath(service, entryPoint, challenge, WRONG)).status);
    }
    return statuses;
  }

  it('a lockout for the codes of one factor applies at every entry point, and to no other factor', async () => {
    const email = await somebody();
    const access = await logInForAccessToken(service, email);
    const code = await enrollAuthenticator(service, email);
    const challenge = await startCodeLogin(service, email);
    assert.deepEqual(await guess(challenge, WRONG_CODES), Array(WRONG_CODES).fill(400));
    for (const [entryPoint] of ANSWER_PATHS.entries()) {
      assertProblem(
        await answerAtPath(service, entryPoint, challenge, code()),
        429,
        'too_many_requests',
        ANSWER_PATHS[entryPoint],
      );
    }
    assertProblem(await answerAtPath(service, 0, challenge, 'bcdf-ghjk-lmnp'), 429, 'too_many_requests');
    await activateAuthenticator(service, access);
    assertProblem(await verifyAuthenticator(service, access, WRONG), 400, 'code_mismatch');
    assertProblem(await answerAtPath(service, 0, await startChosenCode(service, email), WRONG), 400, 'code_mismatch');
    service.clock.advance(LOCK_MS + 1000);
    requireTokens(await answerAtPath(service, 0, await startCodeLogin(service, email), code()));
  });

  it('wrong proofs at every entry point count together with wrong passwords', async () => {
    const email = await somebody();
    for (let index = 0; index < 3; index += 1) {
      const challenge = await startSrpLogin(service, email);
      const proof = createVerifierAnswer(challenge, createSignedClaim(service, challenge, 'Wrong-Horse1!'));
      assertProblem(
        await service.post(ANSWER_PATHS[index % ANSWER_PATHS.length] ?? '', proof),
        401,
        'invalid_credentials',
      );
    }
    for (let index = 0; index < 2; index += 1) {
      assertProblem(await logIn(email, 'Wrong-Horse1!'), 401, 'invalid_credentials');
    }
    assertProblem(await logIn(email), 429, 'too_many_requests');
    const challenge = await startSrpLogin(service, email);
    for (const entryPoint of ANSWER_PATHS) {
      const proof = createVerifierAnswer(challenge, createSignedClaim(service, challenge));
      assertProblem(await service.post(entryPoint, proof), 429, 'too_many_requests', entryPoint);
    }
  });

  it('the owner gets a mail when the hundredth wrong authenticator code is answered', async () => {
    const email = await somebody();
    await enrollAuthenticator(service, email);
    const mails = () =>
      service.outbox?.list(email).filter(({ subject }) => subject.includes('guessing your codes')).length;
    for (let round = 0; round < 10; round += 1) {
      assert.equal(mails(), 0);
      const statuses = await guess(await startCodeLogin(service, email), WRONG_CODES);
      assert.deepEqual(statuses, Array(WRONG_CODES).fill(400));
      service.clock.advance(LOCK_MS + 1);
    }
    assert.equal(mails(), 1);
  });

  it('forged forwarding headers do not look like new clients', async () => {
    const limited = await startTestService({ limitLoginSteps: 20 });
    const statuses: number[] = [];
    for (let index = 0; index < 60; index += 1) {
      const forged = `203.0.113.${index}`;
      const headers = [
        { 'x-forwarded-for': `${forged}, 10.0.0.1` },
        { forwarded: `for=${forged}` },
        { x_forwarded_for: forged },
        { 'x-real-ip': forged },
      ][index % 4];
      statuses.push(
        (await limited.post('/login', { username: `n${index}@example.com`, password: 'x' }, headers)).status,
      );
    }
    await limited.close();
    assert.equal(statuses.filter((status) => status === 401).length, 20);
    assert.equal(statuses.filter((status) => status === 429).length, 40);
  });

  it('a code instead of the password is not a second factor, and vice versa', async () => {
    const email = await somebody();
    const first = await startChosenCode(service, email);
    const firstCode = findLatestCode(service, email);
    const access = await logInForAccessToken(service, email);
    const methods = { EMAIL_OTP: true };
    const set = await service.ask('PUT', '/user/mfa/preference', {
      headers: createBearerHeader(access),
      body: { methods },
    });
    assert.equal(set.status, 200, set.text);
    const second = await startCodeLogin(service, email);
    assert.equal(second.name, 'EMAIL_OTP');
    const secondCode = findLatestCode(service, email);
    assertProblem(await answerAtPath(service, 0, second, firstCode), 400, 'code_mismatch');
    assertProblem(await answerAtPath(service, 0, first, secondCode), 400, 'code_mismatch');
    requireTokens(await answerAtPath(service, 0, second, secondCode));
  });

  it('IDP_SESSION_MINUTES sets the lifetime of a challenge; a code lasts ten minutes at most', async () => {
    const patient = await startTestService({ sessionMinutes: 15 });
    const email = 'patient@example.com';
    await addUser(patient, email);
    const code = await enrollAuthenticator(patient, email);
    const inTime = await startCodeLogin(patient, email);
    patient.clock.advance(5 * SESSION_MS - 1000);
    requireTokens(await answerAtPath(patient, 0, inTime, code()));
    const late = await startCodeLogin(patient, email);
    patient.clock.advance(5 * SESSION_MS + 1000);
    assertProblem(await answerAtPath(patient, 0, late, code()), 401, 'invalid_session');
    const reader = 'reader@example.com';
    await addUser(patient, reader);
    const sent = await startChosenCode(patient, reader);
    patient.clock.advance(TEN_MINUTES_MS + 1000);
    assertProblem(await answerAtPath(patient, 0, sent, findLatestCode(patient, reader)), 400, 'code_expired');
    await patient.close();
  });

  it('anything but one plain address gets no user and no message', async () => {
    const victim = await somebody();
    const sentBefore = service.outbox?.list(undefined).length;
    const tricks = [
      [victim, 'evil@example.org'],
      `${victim},evil@example.org`,
      `"evil@example.org x"@example.com`,
      `${victim}\r\nBcc: evil@example.org`,
      `evil\uff20example.org`,
      `${victim} evil@example.org`,
      `<evil@example.org>`,
    ];
    for (const email of tricks) {
      const created = await service.post('/admin/users', { email, temp_password: PASSWORD }, service.asAdmin);
      assertProblem(created, 422, 'validation_failed', String(email));
      const attributes = [{ Name: 'email', Value: email }];
      const input = { ClientId: service.clientId, Username: email, Password: PASSWORD, UserAttributes: attributes };
      const signedUp = await service.call('SignUp', input);
      assert.equal(signedUp.status, 400, `${email}: ${signedUp.text}`);
    }
    assert.equal(service.outbox?.list(undefined).length, sentBefore);
  });

  it('the response to an activation is not cached and shown only once', async () => {
    const access = await logInForAccessToken(service, await somebody());
    const answer = await service.post('/user/mfa/activate', {}, createBearerHeader(access));
    assert.match(String(answer.headers['cache-control']), /no-store/);
    const again = await service.post('/user/mfa/activate', {}, createBearerHeader(access));
    assert.notEqual(again.body.SecretCode, answer.body.SecretCode);
    const factors = await service.get('/user/factors', createBearerHeader(access));
    assert.ok(!factors.text.includes(String(again.body.SecretCode)));
  });

  it('no route gives tokens before the last factor', async () => {
    const device = await createRememberedDevice(service, await somebody());
    const email = await somebody();
    await enrollAuthenticator(service, email);
    const answers = [
      await logInOnDevice(service, device),
      await logIn(email),
      await service.ask('GET', '/login/passkey/challenge/email_otp', { body: { username: device.username } }),
    ];
    for (const { body, headers } of answers) {
      assert.equal(headers['set-cookie'], undefined);
      assert.ok(!/token"|_token/.test(JSON.stringify({ ...body, session_token: undefined })));
      assert.doesNotMatch(JSON.stringify(body), JWT);
      const session = String(body.session ?? body.Session);
      for (const path of ['/user/profile', '/device', '/user/factors']) {
        assertProblem(await service.get(path, createBearerHeader(session)), 401, 'unauthenticated', path);
      }
      assertProblem(await service.post('/token/refresh', { refresh_token: session }), 401, 'invalid_grant');
    }
  });

  it('a temporary password gives no tokens at any entry point before it is changed', async () => {
    users += 1;
    const email = `invited-${users}@example.com`;
    await inviteUser(service, email);
    const sentBefore = service.outbox?.list(email).length;
    assert.equal(toPendingChallenge(await logIn(email), email).name, 'NEW_PASSWORD_REQUIRED');
    assertProblem(
      await answerAtPath(service, 0, await startChosenCode(service, email), '12345678'),
      400,
      'code_mismatch',
    );
    assert.equal(service.outbox?.list(email).length, sentBefore);
  });

  it('a session is refused for another name, and stays valid for its own', async () => {
    const owner = await somebody();
    const thief = await somebody();
    const code = await enrollAuthenticator(service, owner);
    const challenge = await startCodeLogin(service, owner);
    const access = await logInForAccessToken(service, thief);
    for (const username of [thief, 'nobody@example.com']) {
      const answer = await answerAtPath(service, 0, { ...challenge, username }, code());
      assertProblem(answer, 401, 'invalid_session');
    }
    const cut = challenge.session.slice(0, -2);
    assertProblem(await answerAtPath(service, 0, { ...challenge, session: cut }, code()), 401, 'invalid_session');
    assert.equal((await service.get('/user/profile', createBearerHeader(access))).status, 200);
    requireTokens(await answerAtPath(service, 0, challenge, code()));
  });
});
