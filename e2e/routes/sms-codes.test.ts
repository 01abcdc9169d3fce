import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const LIST = '/login/passkey/challenge';

describe('SMS codes at the routes', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({
      mfaTypes: ['SMS_MFA'],
      firstFactors: ['PASSWORD', 'SMS_OTP'],
    });
  });
  after(() => service.close());

  /** A confirmed user with a verified phone number. */
  const withPhone = async (email: string, phone: string): Promise<string> => {
    const user = { UserPoolId: service.userPoolId, Username: email };
    const attributes = { email, email_verified: 'true', phone_number: phone, phone_number_verified: 'true' };
    const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
    for (const [operation, input] of [
      ['AdminCreateUser', { ...user, UserAttributes, MessageAction: 'SUPPRESS' }],
      ['AdminSetUserPassword', { ...user, Password: PASSWORD, Permanent: true }],
    ] as const) {
      const answer = await service.call(operation, input, service.asAdmin);
      assert.equal(answer.status, 200, answer.text);
    }
    return email;
  };
  const codeTo = (phone: string): string => service.outbox?.list(phone)[0]?.code ?? 'none was sent';
  const otherThan = (code: string): string => `${code.startsWith('0') ? '1' : '0'}${code.slice(1)}`;

  it('SMS_MFA sends a code of six digits to the phone, and the code gives tokens', async () => {
    const phone = '+15550001234';
    const username = await withPhone('mfa@example.test', phone);
    const enabled = await service.post('/user/mfa/enable', { username, method: 'SMS_MFA' }, service.asAdmin);
    assert.equal(enabled.status, 200, enabled.text);
    const asked = await service.post('/login', { username, password: PASSWORD });
    assert.deepEqual([asked.status, asked.body.challenge_name], [200, 'SMS_MFA'], asked.text);
    const parameters = asked.body.challenge_params as Readonly<Record<string, string>>;
    assert.equal(parameters.CODE_DELIVERY_DELIVERY_MEDIUM, 'SMS');
    assert.ok(!asked.text.includes(phone), 'the number is masked');
    const code = codeTo(phone);
    assert.match(code, /^\d{6}$/);
    const answer = (challenge_value: string) =>
      service.post('/challenge', {
        challenge_name: 'SMS_MFA',
        session: asked.body.session_token,
        username,
        challenge_value,
      });
    assertProblem(await answer(otherThan(code)), 400, 'code_mismatch');
    requireTokens(await answer(code));
    assertProblem(await answer(code), 401, 'invalid_session');
  });

  it('SMS_OTP, chosen in any case, sends a code of eight digits to the phone, and the code gives tokens', async () => {
    const phone = '+15550005678';
    const username = await withPhone('otp@example.test', phone);
    const list = await service.ask('GET', LIST, { body: { username } });
    assert.deepEqual([list.body.ChallengeName, list.body.AvailableChallenges], ['SELECT_CHALLENGE', ['SMS_OTP']]);
    for (const name of ['SMS_OTP', 'sms_otp']) {
      const { body, text } = await service.ask('GET', `${LIST}/${name}`, { body: { username } });
      assert.deepEqual([body.ChallengeName, body.AvailableChallenges], ['SMS_OTP', ['SMS_OTP']], text);
      assert.ok(!text.includes(phone), 'the number is masked');
      const code = codeTo(phone);
      assert.match(code, /^\d{8}$/);
      const answer = (challenge_value: string) =>
        service.post('/login/challenge', {
          challenge_name: name,
          session: body.Session,
          challenge_value,
          challenge_params: JSON.stringify(body.ChallengeParameters),
          username,
        });
      assertProblem(await answer(otherThan(code)), 400, 'code_mismatch');
      requireTokens(await answer(code));
      assertProblem(await answer(code), 401, 'invalid_session');
    }
  });
});
