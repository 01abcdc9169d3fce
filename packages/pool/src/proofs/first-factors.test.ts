import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Sender, Senders } from '../delivery/sender.ts';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { createDefaultPoolSettings } from '../settings/default-settings.ts';
import type { FirstFactor, PoolSettings } from '../store/pool-and-client-settings.ts';
import type { CredentialRecord, UserRecord } from '../store/records.ts';
import { createClockPort, createMacPorts, createTestPoolRecord } from '../testing/test-ports.ts';
import {
  canLoginByCode,
  canUseFirstFactor,
  findFirstFactorChoice,
  listAvailableChoices,
  listEnrolledFirstFactors,
  listFirstFactors,
  listUsableFirstFactors,
  requireFirstFactorChoice,
} from './first-factors.ts';

const settings: PoolSettings = {
  ...createDefaultPoolSettings('https://issuer.example', 'OPTIONAL'),
  webAuthn: {
    relyingPartyId: 'localhost',
    origins: [],
    userVerification: 'preferred',
    factorConfiguration: 'SINGLE_FACTOR',
  },
};
const sender: Sender = { send: async () => {} };
const SENDERS: Senders = { email: sender, sms: sender };

function told(changed: Partial<PoolSettings>, senders = SENDERS): string {
  return listFirstFactors({ ...settings, ...changed }, senders).join(' ');
}

describe('what a login in a pool can start with', () => {
  const all = ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP'] as const;

  it('is what its settings allow, in Cognito’s order', () => {
    assert.equal(told({ firstFactors: all }), 'PASSWORD EMAIL_OTP SMS_OTP WEB_AUTHN');
    assert.equal(told({ firstFactors: ['PASSWORD'], mfaMethods: ['EMAIL_OTP'] }), 'PASSWORD');
    assert.equal(told({ firstFactors: all, webAuthn: null }), 'PASSWORD EMAIL_OTP SMS_OTP');
  });

  it('is not a code that cannot be sent', () => {
    assert.equal(told({ firstFactors: all }, {}), 'PASSWORD WEB_AUTHN');
    assert.equal(told({ firstFactors: all }, { email: sender }), 'PASSWORD EMAIL_OTP WEB_AUTHN');
  });

  it('is neither a code nor a single-factor passkey if every user needs a second one', () => {
    assert.equal(told({ firstFactors: all, mfaConfiguration: 'ON' }), 'PASSWORD');
  });
});

const ALL: readonly FirstFactor[] = ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'];
const OPEN: PoolSettings = { ...settings, firstFactors: ALL };
const PROVEN = { email: 'ada@example.com', email_verified: 'true' };
const CONTACTS = { email: 'ada@example.com', phone_number: '+15551234567' };
const NOTHING = { hasActiveTotp: false, hasPasskeys: false };
const PASSKEYS = { ...NOTHING, hasPasskeys: true };

function createUser(attributes: UserRecord['attributes'], change: Partial<UserRecord> = {}) {
  const user = { username: 'ada', status: 'CONFIRMED', attributes, mfaMethods: [], preferredMfa: null, ...change };
  return { user: user as unknown as UserRecord, credential: {} as CredentialRecord };
}

describe('what a user can start a login with', () => {
  const ports = { ...createMacPorts(), ...createClockPort(), senders: SENDERS };
  const pool = { ...createTestPoolRecord(), settings: OPEN };

  it('is what the user has, and what of it would prove the user now', () => {
    const invited = { status: 'FORCE_CHANGE_PASSWORD' } as const;
    const withTotp = { mfaMethods: ['SOFTWARE_TOKEN_MFA'] } as const;
    const rows = [
      [createUser({}), NOTHING, 'PASSWORD', 'PASSWORD'],
      [{ ...createUser({}), credential: undefined }, NOTHING, '', ''],
      [createUser({ email: '', phone_number: '' }), NOTHING, 'PASSWORD', 'PASSWORD'],
      [createUser(CONTACTS), NOTHING, 'PASSWORD EMAIL_OTP SMS_OTP', 'PASSWORD EMAIL_OTP SMS_OTP'],
      [createUser({ ...CONTACTS, ...PROVEN }), NOTHING, 'PASSWORD EMAIL_OTP SMS_OTP', 'PASSWORD EMAIL_OTP'],
      [
        createUser({ ...CONTACTS, phone_number_verified: 'true' }),
        NOTHING,
        'PASSWORD EMAIL_OTP SMS_OTP',
        'PASSWORD SMS_OTP',
      ],
      [createUser(PROVEN), PASSKEYS, 'PASSWORD EMAIL_OTP WEB_AUTHN', 'PASSWORD EMAIL_OTP WEB_AUTHN'],
      [createUser(PROVEN, invited), PASSKEYS, 'PASSWORD EMAIL_OTP WEB_AUTHN', 'PASSWORD'],
      [
        createUser(PROVEN, withTotp),
        { ...PASSKEYS, hasActiveTotp: true },
        'PASSWORD EMAIL_OTP WEB_AUTHN',
        'PASSWORD WEB_AUTHN',
      ],
    ] as const;
    for (const [found, enrolled, has, proves] of rows) {
      assert.equal(listEnrolledFirstFactors(OPEN, found, enrolled).join(' '), has);
      assert.equal(listUsableFirstFactors(pool, found, enrolled).join(' '), proves);
      assert.equal(ALL.filter((factor) => canUseFirstFactor(pool, found, factor, enrolled)).join(' '), proves);
    }
    assert.deepEqual(listEnrolledFirstFactors({ ...OPEN, firstFactors: ['SMS_OTP'] }, createUser(CONTACTS), PASSKEYS), [
      'SMS_OTP',
    ]);
  });

  /** The choices of a user, or of an unknown name whose decoy has every first factor. */
  function choices(found: LoginCandidate['found'], change: Partial<PoolSettings> = {}, senders = SENDERS): string {
    const census = { takenAtMs: 0, shares: { 'PASSWORD EMAIL_OTP SMS_OTP WEB_AUTHN': 1e12 } };
    const asked = { ...pool, settings: { ...OPEN, factorCensuses: [census], ...change } };
    const candidate = { userId: 'ada', found } as LoginCandidate;
    return listAvailableChoices({ ports: { ...ports, senders }, pool: asked, candidate }, PASSKEYS).join(' ');
  }

  it('is listed for a user and an unknown name, without what cannot be sent or is not offered', () => {
    const both = createUser({ ...CONTACTS, ...PROVEN, phone_number_verified: 'true' });
    for (const found of [both, undefined]) {
      assert.equal(choices(found), 'PASSWORD_SRP PASSWORD EMAIL_OTP SMS_OTP WEB_AUTHN');
      assert.equal(choices(found, {}, { sms: sender }), 'PASSWORD_SRP PASSWORD SMS_OTP WEB_AUTHN');
      assert.equal(choices(found, {}, {}), 'PASSWORD_SRP PASSWORD WEB_AUTHN');
      assert.equal(choices(found, { firstFactors: ['EMAIL_OTP'] }), 'EMAIL_OTP');
      assert.equal(choices(found, { mfaConfiguration: 'ON' }), 'PASSWORD_SRP PASSWORD');
    }
    const { webAuthn } = settings;
    assert.ok(webAuthn);
    const strict = {
      mfaConfiguration: 'ON',
      webAuthn: { ...webAuthn, factorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION' },
    } as const;
    assert.equal(choices(undefined, strict), 'PASSWORD_SRP PASSWORD WEB_AUTHN');
    assert.equal(choices(createUser({})), 'PASSWORD_SRP PASSWORD WEB_AUTHN');
  });

  it('is chosen by its name only', () => {
    for (const name of ['PASSWORD_SRP', 'PASSWORD', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'] as const) {
      assert.deepEqual([findFirstFactorChoice(OPEN, name), requireFirstFactorChoice(OPEN, name)], [name, name]);
    }
    const few: PoolSettings = { ...OPEN, firstFactors: ['PASSWORD', 'SMS_OTP'] };
    assert.equal(findFirstFactorChoice(few, 'EMAIL_OTP'), undefined);
    assert.throws(() => requireFirstFactorChoice(few, 'EMAIL_OTP'), {
      code: 'InvalidParameterException',
      message: 'The chosen challenge is not offered by the user pool. It offers: PASSWORD_SRP, PASSWORD, SMS_OTP.',
      reason: 'challenge_mismatch',
    });
  });

  it('is only a code if its channel is offered and no user needs a second factor', () => {
    const rows = [
      [{}, true, true],
      [{ firstFactors: ['PASSWORD', 'EMAIL_OTP'] }, true, false],
      [{ firstFactors: ['PASSWORD', 'SMS_OTP'] }, false, true],
      [{ mfaConfiguration: 'OFF' }, true, true],
      [{ mfaConfiguration: 'ON' }, false, false],
    ] as const;
    for (const [change, email, sms] of rows) {
      const changed: PoolSettings = { ...OPEN, ...change };
      assert.deepEqual([canLoginByCode(changed, 'email'), canLoginByCode(changed, 'sms')], [email, sms]);
    }
  });
});
