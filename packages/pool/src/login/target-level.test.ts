import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FirstFactorChoice } from '../proofs/first-factors.ts';
import type { AcrLevel } from '../settings/acr-levels.ts';
import type { MfaMethod } from '../store/pool-and-client-settings.ts';
import { createTestPoolRecord } from '../testing/test-ports.ts';
import { describeAuthentication } from '../tokens/authentication-methods.ts';
import type { ProofName } from './challenges/challenge.ts';
import { describeLogin, toAuthenticationMethods, toCreditedProofs } from './login-methods.ts';
import { findLevelStep } from './target-level.ts';

const PASSWORDS: readonly FirstFactorChoice[] = ['PASSWORD_SRP', 'PASSWORD'];

/** The guide's tables of levels and methods, and what else this pool can prove. */
const COMPLETED: readonly (readonly [proofs: readonly ProofName[], level: AcrLevel | null, amr: string])[] = [
  [['PASSWORD'], 1, 'pwd'],
  [['PASSWORD_VERIFIER'], 1, 'pwd'],
  [['SMS_OTP'], 2, 'sms'],
  [['EMAIL_OTP'], 2, 'email_otp'],
  [['WEB_AUTHN'], 3, 'swk'],
  [['WEB_AUTHN_VERIFIED'], 3, 'swk'],
  [['ROAMING_WEB_AUTHN'], 3, 'hwk'],
  [['ROAMING_WEB_AUTHN_VERIFIED'], 3, 'hwk'],
  [['PASSWORD', 'SMS_MFA'], 3, 'pwd sms mfa'],
  [['PASSWORD_VERIFIER', 'EMAIL_MFA'], 3, 'pwd email_otp mfa'],
  [['EMAIL_OTP', 'PASSWORD'], 3, 'pwd email_otp mfa'],
  [['PASSWORD', 'SOFTWARE_TOKEN_MFA'], 4, 'pwd otp mfa'],
  [['PASSWORD', 'MFA_SETUP'], 4, 'pwd otp mfa'],
  [['WEB_AUTHN', 'PASSWORD', 'SOFTWARE_TOKEN_MFA'], 4, 'pwd otp swk mfa'],
  [['WEB_AUTHN', 'SOFTWARE_TOKEN_MFA'], 3, 'otp swk mfa'],
  [['PASSWORD', 'DEVICE_PASSWORD_VERIFIER'], 1, 'pwd'],
  [['PASSWORD', 'NEW_PASSWORD_REQUIRED'], 1, 'pwd'],
  [['SIGN_UP'], null, ''],
  [['CUSTOM_AUTH'], null, ''],
];

describe('authentication levels', () => {
  for (const [proofs, level, methods] of COMPLETED) {
    it(`${proofs.join(' + ')} reaches ${level ?? 'none'} with ${methods || 'no method'}`, () => {
      assert.deepEqual(describeAuthentication(toAuthenticationMethods(proofs)), { methods, level, acr: null });
      const target = { levels: [1 as const] };
      const acr = level === null ? '' : `urn:cognito:loa:${level}`;
      assert.deepEqual(describeLogin({}, proofs, target), { methods, level, acr });
      assert.equal(describeLogin({}, proofs, undefined).acr, null);
    });
  }

  it('an earlier login counts as the same methods', () => {
    for (const [proofs] of COMPLETED) {
      const methods = toAuthenticationMethods(proofs);
      assert.deepEqual(new Set(toAuthenticationMethods(toCreditedProofs(methods))), new Set(methods));
    }
    assert.deepEqual(toCreditedProofs(['email_otp']), ['EMAIL_OTP']);
    assert.deepEqual(toCreditedProofs(['pwd', 'email_otp']), ['PASSWORD', 'EMAIL_MFA']);
  });
});

const SETTINGS = createTestPoolRecord().settings;

function nextFor(
  levels: readonly AcrLevel[],
  proofs: readonly ProofName[],
  has: {
    readonly mfa?: readonly MfaMethod[];
    readonly preferredMfa?: MfaMethod;
    readonly choices?: readonly FirstFactorChoice[];
    readonly preferred?: string;
  } = {},
) {
  const { mfa = [], preferredMfa = null, choices = PASSWORDS, preferred } = has;
  const settings = { ...SETTINGS, mfaConfiguration: 'OPTIONAL', mfaMethods: mfa } as const;
  const attributes = { email: 'ada@example.com', phone_number: '+15550001' };
  const user = { attributes, mfaMethods: mfa, preferredMfa } as unknown as Parameters<typeof findLevelStep>[0]['user'];
  const hasActiveTotp = mfa.includes('SOFTWARE_TOKEN_MFA');
  const step = findLevelStep({ settings, user, proofs, hasActiveTotp, choices, target: { levels, preferred } });
  if (step.kind === 'first') return step.choices;
  if (step.kind !== 'second') return step.kind;
  return step.requirement.kind === 'one' ? step.requirement.method : step.requirement.methods;
}

describe('a login toward a level', () => {
  const TOTP = { mfa: ['SOFTWARE_TOKEN_MFA'] } as const;
  const MESSAGES = { mfa: ['SMS_MFA', 'EMAIL_OTP'] } as const;
  const ALL = { mfa: ['SMS_MFA', 'SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'] } as const;

  it('needs nothing more if the proofs reach it or exceed it', () => {
    assert.equal(nextFor([1], ['PASSWORD']), 'reached');
    assert.equal(nextFor([2], ['WEB_AUTHN']), 'reached');
    assert.equal(nextFor([4], ['PASSWORD', 'SOFTWARE_TOKEN_MFA'], TOTP), 'reached');
  });

  it('requires only a second factor that reaches it', () => {
    assert.equal(nextFor([4], ['PASSWORD'], ALL), 'SOFTWARE_TOKEN_MFA');
    assert.deepEqual(nextFor([3], ['PASSWORD'], ALL), ALL.mfa);
    assert.equal(nextFor([3], ['PASSWORD'], { ...ALL, preferredMfa: 'SMS_MFA' }), 'SMS_MFA');
    assert.equal(nextFor([4], ['PASSWORD'], { ...ALL, preferredMfa: 'SMS_MFA' }), 'SOFTWARE_TOKEN_MFA');
    assert.equal(nextFor([3], ['PASSWORD'], { ...MESSAGES, preferred: 'EMAIL_OTP' }), 'EMAIL_OTP');
  });

  it('tries each level of the list, and fails if the user reaches none', () => {
    assert.equal(nextFor([4, 3], ['PASSWORD'], { mfa: ['SMS_MFA'] }), 'SMS_MFA');
    assert.equal(nextFor([4, 1], ['PASSWORD']), 'reached');
    assert.equal(nextFor([3, 4], ['PASSWORD'], TOTP), 'SOFTWARE_TOKEN_MFA');
    assert.equal(nextFor([4], ['PASSWORD'], MESSAGES), 'unreachable');
    assert.equal(nextFor([4, 3], ['PASSWORD']), 'unreachable');
  });

  it('requires a passkey or a code if no second factor reaches it', () => {
    assert.deepEqual(nextFor([3], ['PASSWORD'], { choices: [...PASSWORDS, 'WEB_AUTHN'] }), ['WEB_AUTHN']);
    assert.deepEqual(nextFor([3], ['PASSWORD'], { choices: [...PASSWORDS, 'EMAIL_OTP', 'WEB_AUTHN'] }), [
      'EMAIL_OTP',
      'WEB_AUTHN',
    ]);
    const both = { ...TOTP, choices: [...PASSWORDS, 'WEB_AUTHN'], preferred: 'WEB_AUTHN' } as const;
    assert.deepEqual(nextFor([3], ['PASSWORD'], both), ['WEB_AUTHN']);
  });

  it('requires the password first if two more factors are needed', () => {
    assert.deepEqual(nextFor([4], ['WEB_AUTHN'], TOTP), PASSWORDS);
    assert.deepEqual(nextFor([3], ['EMAIL_OTP']), PASSWORDS);
    assert.equal(nextFor([4], ['WEB_AUTHN', 'PASSWORD'], TOTP), 'SOFTWARE_TOKEN_MFA');
    assert.equal(nextFor([4], ['WEB_AUTHN'], { ...TOTP, choices: [] }), 'unreachable');
  });
});
