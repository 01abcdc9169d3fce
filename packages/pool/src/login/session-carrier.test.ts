import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SESSION_CARRIERS } from './session-carrier.ts';

const FULL = 'k12345678.c2VhbGVkLXRleHQ';
const BARE = 'k12345678.YmFyZQ';
const SEALING = { full: () => FULL, bare: () => BARE };

describe('the secret block', () => {
  const { SECRET_BLOCK = '' } = SESSION_CARRIERS.secretBlock.attach(SEALING).parameters;
  const take = (block: string) =>
    SESSION_CARRIERS.secretBlock.extract({ session: undefined, responses: { PASSWORD_CLAIM_SECRET_BLOCK: block } });

  it('is standard base64 and needs no Session', () => {
    assert.match(SECRET_BLOCK, /^[A-Za-z0-9+/]+={0,2}$/);
    assert.equal(take(SECRET_BLOCK), FULL);
    assert.equal(SESSION_CARRIERS.secretBlock.attach(SEALING).Session, undefined);
  });

  it('has only one spelling', () => {
    const padded =
      SESSION_CARRIERS.secretBlock.attach({ ...SEALING, full: () => `${FULL}x` }).parameters.SECRET_BLOCK ?? '';
    assert.match(padded, /=$/);
    for (const spelling of [
      `${SECRET_BLOCK}\n`,
      ` ${SECRET_BLOCK}`,
      `${SECRET_BLOCK}====`,
      padded.replace(/=+$/, ''),
    ]) {
      assert.equal(take(spelling), '');
    }
  });

  it('can be sent with a Session, which is ignored', () => {
    const { Session, parameters } = SESSION_CARRIERS.secretBlockAndSession.attach(SEALING);
    assert.equal(Session, BARE);
    const responses = { PASSWORD_CLAIM_SECRET_BLOCK: parameters.SECRET_BLOCK ?? '' };
    for (const session of [Session, undefined, 'another']) {
      assert.equal(SESSION_CARRIERS.secretBlockAndSession.extract({ session, responses }), FULL);
    }
  });

  it('is a missing parameter if absent or empty, and a wrong password if invalid', () => {
    assert.throws(() => take(''), { code: 'InvalidParameterException' });
    for (const refusal of [
      SESSION_CARRIERS.secretBlock.invalid,
      SESSION_CARRIERS.secretBlock.expired,
      SESSION_CARRIERS.secretBlock.spent,
    ]) {
      assert.equal(refusal().message, 'Incorrect username or password.');
      assert.equal(refusal().reason, 'invalid_session');
    }
  });
});

describe('the session', () => {
  it("is refused in Cognito's words", () => {
    const { invalid, expired, spent, extract } = SESSION_CARRIERS.session;
    assert.equal(invalid().message, 'Invalid session for the user.');
    assert.equal(expired().message, 'Invalid session for the user, session is expired.');
    assert.equal(spent().message, 'Invalid session for the user, session can only be used once.');
    assert.throws(() => extract({ session: undefined, responses: {} }), {
      code: 'InvalidParameterException',
      message: 'Missing required parameter Session',
    });
  });
});
