import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkSchema, ROUTES } from '@poolgate/contract';
import { BEHIND_PROXY, createClientAddress, type Exchange } from '../support/requests/exchange.ts';
import { computeTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { createSignedClaim, createSrpStart, createVerifierAnswer } from '../support/routes/route-srp.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const ADA = 'ada@example.test';
const LIST = '/login/passkey/challenge';
const FIRST_FACTORS: readonly unknown[] = ['EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'];

describe('choice-based login at the routes', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService(BEHIND_PROXY);
    await addUser(service, ADA);
  });
  after(() => service.close());

  /** The specification's route, each time from another address, because one address may cause two codes per hour. */
  const askFor = (name: string, username: string) =>
    service.post(`${LIST}/${name}`, { username }, createClientAddress());

  /** After an hour, each user may get five codes at once again. */
  const sendAgain = (): void => service.clock.advance(3_600_000);

  const codeFor = (email: string): string => {
    const [last] = service.outbox?.list(email) ?? [];
    assert.ok(last?.code, 'a code was sent');
    return last.code;
  };
  const goodChoice = (answer: Exchange): Readonly<Record<string, unknown>> => {
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(checkSchema(ROUTES.passkeyChallenge.responses[200].schema, answer.body), []);
    assert.deepEqual(Object.keys(answer.body).sort(), [
      'AvailableChallenges',
      'ChallengeName',
      'ChallengeParameters',
      'Session',
    ]);
    assert.ok((answer.body.AvailableChallenges as readonly unknown[]).every((name) => FIRST_FACTORS.includes(name)));
    return answer.body;
  };

  it('SELECT_CHALLENGE lists the options; GET with a JSON body, GET with a query and POST are equivalent', async () => {
    for (const mount of ['', '/api/cognito']) {
      for (const answer of [
        await service.ask('GET', `${mount}${LIST}`, { body: { username: ADA } }),
        await service.get(`${mount}${LIST}?username=${encodeURIComponent(ADA)}`),
        await service.post(`${mount}${LIST}`, { username: ADA }),
      ]) {
        const body = goodChoice(answer);
        assert.deepEqual([body.ChallengeName, body.AvailableChallenges], ['SELECT_CHALLENGE', ['EMAIL_OTP']]);
      }
    }
  });

  it('accepts the name of the chosen challenge in any case, and its answer at /login/challenge gives tokens', async () => {
    for (const [name, ask] of [
      [
        'EMAIL_OTP',
        (path: string) =>
          service.ask('GET', path, {
            headers: createClientAddress(),
            body: { username: ADA, challenge_name: 'email_otp' },
          }),
      ],
      [
        'email_otp',
        (path: string) => service.get(`${path}?username=${ADA}&challenge_name=EMAIL_OTP`, createClientAddress()),
      ],
      ['Email_Otp', (path: string) => service.post(path, { username: ADA }, createClientAddress())],
    ] as const) {
      const body = goodChoice(await ask(`${LIST}/${name}`));
      assert.equal(body.ChallengeName, 'EMAIL_OTP');
      assert.deepEqual(body.AvailableChallenges, ['EMAIL_OTP']);
      const parameters = body.ChallengeParameters as Record<string, string>;
      assert.equal(parameters.CODE_DELIVERY_DELIVERY_MEDIUM, 'EMAIL');
      const code = codeFor(ADA);
      assert.match(code, /^\d{8}$/);
      const answer = await service.post('/login/challenge', {
        challenge_name: name,
        session: body.Session,
        challenge_value: code,
        challenge_params: JSON.stringify(parameters),
        username: ADA,
      });
      requireTokens(answer);
      assertProblem(
        await service.post('/login/challenge', {
          challenge_name: name,
          session: body.Session,
          challenge_value: code,
          username: ADA,
        }),
        401,
        'invalid_session',
      );
    }
    sendAgain();
  });

  it('unknown users get the same response as known ones, but no message', async () => {
    const unknown = 'nobody@example.test';
    const shape = ({ status, body }: Exchange) => ({
      status,
      keys: Object.keys(body),
      name: body.ChallengeName,
      parameters: Object.keys((body.ChallengeParameters ?? {}) as object),
    });
    const path = `${LIST}/EMAIL_OTP`;
    const known = await service.post(path, { username: ADA });
    assert.deepEqual(shape(await service.post(path, { username: unknown })), shape(known));
    const lists = [await service.post(LIST, { username: unknown }), await service.post(LIST, { username: unknown })];
    assert.deepEqual(lists[0]?.body.AvailableChallenges, lists[1]?.body.AvailableChallenges);
    assert.equal(goodChoice(lists[0] as Exchange).ChallengeName, 'SELECT_CHALLENGE');
    assert.deepEqual(service.outbox?.list(unknown), []);
    sendAgain();
  });

  it('returns 400 for what the pool does not offer, and 422 for an unknown challenge or two different names', async () => {
    for (const name of ['SMS_OTP', 'sms_otp', 'PASSWORD', 'SOFTWARE_TOKEN_MFA', 'SELECT_CHALLENGE']) {
      assertProblem(await service.post(`${LIST}/${name}`, { username: ADA }), 400, 'challenge_mismatch', name);
    }
    for (const name of ['NO_SUCH', 'x', 'EMAIL-OTP', '%20', 'a'.repeat(65)]) {
      assertInvalidField(await service.post(`${LIST}/${name}`, { username: ADA }), 'challenge_name', name);
    }
    for (const challenge_name of ['SMS_OTP', 'NO_SUCH', '', 5]) {
      const body = { username: ADA, challenge_name };
      assertInvalidField(
        await service.ask('GET', `${LIST}/EMAIL_OTP`, { body }),
        'challenge_name',
        String(challenge_name),
      );
    }
    for (const username of [undefined, '', 5, 'a b', 'x'.repeat(129)]) {
      assertInvalidField(await service.post(LIST, { username }), 'username', String(username));
    }
    assertInvalidField(await service.get(LIST), 'username');
    assertInvalidField(await service.get(`${LIST}?username=a&username=b`), 'username');
    assertInvalidField(await service.ask('GET', `${LIST}?username=eve`, { body: { username: ADA } }), 'username');
    assertProblem(await service.ask('GET', LIST, { body: '{' }), 400, 'malformed_request');
    assertInvalidField(await service.ask('GET', LIST, { body: '[]' }), '');
    const type = { 'content-type': 'text/plain' };
    assertProblem(await service.ask('GET', LIST, { body: 'x', headers: type }), 415, 'unsupported_media_type');
    assert.equal((await service.get(`${LIST}?username=${ADA}`, type)).status, 200);
  });

  it('a user gets five codes at once, then 429 with Retry-After and no more mail', async () => {
    await addUser(service, 'often@example.test');
    const ask = (username: string) => askFor('EMAIL_OTP', username);
    for (const username of ['often@example.test', 'unknown@example.test']) {
      for (let sent = 0; sent < 5; sent++) assert.equal((await ask(username)).status, 200);
      const refused = await ask(username);
      assertProblem(refused, 429, 'too_many_requests', username);
      assert.ok(Number(refused.headers['retry-after']) >= 1);
    }
    assert.equal(service.outbox?.list('often@example.test').length, 5);
  });

  it('a client that sends the session of its last code gets five codes from one address, whether the user exists or not', async () => {
    await addUser(service, 'again@example.test');
    for (const username of ['again@example.test', 'unheard@example.test']) {
      const from = createClientAddress();
      const statuses: number[] = [];
      let session: unknown;
      for (let times = 0; times < 6; times++) {
        const answer = await service.post(`${LIST}/EMAIL_OTP`, { username, ...(times > 0 && { session }) }, from);
        statuses.push(answer.status);
        session = answer.body.Session ?? session;
      }
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429], username);
      const without = await service.post(`${LIST}/EMAIL_OTP`, { username }, from);
      assertProblem(without, 429, 'too_many_requests', username);
    }
    assert.equal(service.outbox?.list('again@example.test').length, 5);
  });

  it('login steps are limited by address, for every method', async (t) => {
    const limited = await startTestService({ limitLoginSteps: 2 });
    t.after(() => limited.close());
    for (const method of ['GET', 'POST']) {
      assert.equal((await limited.ask(method, LIST, { body: { username: ADA } })).status, 200);
    }
    assertProblem(await limited.get(`${LIST}?username=${ADA}`), 429, 'too_many_requests');
  });

  it('a user with a second factor is not offered a code as the first factor, and cannot use one', async () => {
    await addUser(service, 'two@example.test');
    await createActiveAuthenticator(service, 'two@example.test');
    const list = goodChoice(await service.post(LIST, { username: 'two@example.test' }));
    assert.deepEqual(list.AvailableChallenges, []);
    const sent = service.outbox?.list('two@example.test').length;
    const decoy = goodChoice(await service.post(`${LIST}/EMAIL_OTP`, { username: 'two@example.test' }));
    assert.equal(decoy.ChallengeName, 'EMAIL_OTP');
    assert.equal(service.outbox?.list('two@example.test').length, sent);
  });

  const choose = async (challenge_value: unknown, challenge_name = 'SELECT_CHALLENGE') => {
    const { Session } = goodChoice(await service.post(LIST, { username: ADA }));
    const body = { challenge_name, session: Session, username: ADA, challenge_value };
    return service.post('/login/challenge', body);
  };

  it('SELECT_CHALLENGE accepts the chosen name together with what that challenge needs', async () => {
    const emailed = await choose('email_otp');
    assert.equal(emailed.body.challenge_name, 'EMAIL_OTP', emailed.text);
    const { session } = emailed.body;
    const body = { challenge_name: 'EMAIL_OTP', session, username: ADA, challenge_value: codeFor(ADA) };
    requireTokens(await service.post('/challenge', body));
    requireTokens(await choose({ ANSWER: 'PASSWORD', PASSWORD }));
    requireTokens(await choose(PASSWORD, 'PASSWORD'));
    assertProblem(await choose('Wrong-Horse1!', 'PASSWORD'), 401, 'invalid_credentials');
    for (const bad of ['NO_SUCH', '', {}, { ANSWER: 'EMAIL_OTP', MORE: 'x' }, { PASSWORD }, undefined]) {
      assertInvalidField(await choose(bad), /^challenge_value/, JSON.stringify(bad));
    }
    assertProblem(await choose('SMS_OTP'), 400, 'challenge_mismatch');
    sendAgain();
  });

  it('PASSWORD_SRP leads to PASSWORD_VERIFIER, which only its own session can answer', async () => {
    const start = createSrpStart();
    for (const [value, name] of [
      [{ ANSWER: 'PASSWORD_SRP', SRP_A: start.srpAHex }, 'SELECT_CHALLENGE'],
      [{ SRP_A: start.srpAHex }, 'PASSWORD_SRP'],
    ] as const) {
      const { body, text } = await choose(value, name);
      assert.equal(body.challenge_name, 'PASSWORD_VERIFIER', text);
      const challenge = {
        username: ADA,
        start,
        session: String(body.session),
        sessionToken: String(body.session_token),
        parameters: body.challenge_params as Record<string, string>,
      };
      const claim = createSignedClaim(service, challenge);
      const foreign = { ...challenge, session: 'another' };
      const refused = await service.post('/login/auth-challenge', createVerifierAnswer(foreign, claim));
      assertProblem(refused, 401, 'invalid_session');
      requireTokens(await service.post('/login/auth-challenge', createVerifierAnswer(challenge, claim)));
    }
    for (const SRP_A of ['0', 'xyz', ''])
      assertInvalidField(await choose({ SRP_A }, 'PASSWORD_SRP'), 'challenge_value.SRP_A');
  });

  it('SELECT_MFA_TYPE accepts the chosen factor, and its code gives tokens', async (t) => {
    const many = await startTestService({ mfaTypes: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], recovery: 'admin_only' });
    t.after(() => many.close());
    await addUser(many, ADA);
    const secretCode = await createActiveAuthenticator(many, ADA);
    many.clock.advance(30_000);
    const first = await many.post('/login', { username: ADA, password: PASSWORD });
    const answer = (session: unknown, challenge_name: string, challenge_value: unknown) =>
      many.post('/challenge', { challenge_name, session, username: ADA, challenge_value });
    const code = computeTotpCode(many, secretCode);
    const { access } = requireTokens(await answer(first.body.session, 'SOFTWARE_TOKEN_MFA', code));
    // Only the pool's own protocol can remove the preference. Without it, the user has to choose.
    const settings = { Enabled: true, PreferredMfa: false };
    const input = { AccessToken: access, SoftwareTokenMfaSettings: settings, EmailMfaSettings: settings };
    assert.equal((await many.call('SetUserMFAPreference', input)).status, 200);
    const asked = await many.post('/login', { username: ADA, password: PASSWORD });
    assert.equal(asked.body.challenge_name, 'SELECT_MFA_TYPE', asked.text);
    assertInvalidField(await answer(asked.body.session, 'SELECT_MFA_TYPE', 'PASSWORD'), 'challenge_value');
    const chosen = await answer(asked.body.session, 'SELECT_MFA_TYPE', 'email_otp');
    assert.equal(chosen.body.challenge_name, 'EMAIL_OTP', chosen.text);
    const [mail] = many.outbox?.list(ADA) ?? [];
    assert.match(mail?.code ?? '', /^\d{6}$/);
    requireTokens(await answer(chosen.body.session, 'EMAIL_OTP', mail?.code));
  });

  it('/login/parameters lists the second factors and the challenges', async () => {
    const { body } = await service.get('/login/parameters');
    assert.deepEqual(body.mfa, { setup: 'OPTIONAL', types: ['SOFTWARE_TOKEN_MFA'] });
    const challenges = body.challenges as readonly string[];
    for (const name of ['DEVICE_SRP_AUTH', 'EMAIL_OTP', 'MFA_SETUP', 'SELECT_CHALLENGE', 'SOFTWARE_TOKEN_MFA']) {
      assert.ok(challenges.includes(name), name);
    }
    assert.deepEqual(body.first_factors, ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN']);
  });

  it('/login/parameters shows that the provider can do more than Cognito', async () => {
    const { body } = await service.get('/login/parameters');
    assert.ok((body.capabilities as readonly string[]).includes('create_recovery_codes'));
  });
});
