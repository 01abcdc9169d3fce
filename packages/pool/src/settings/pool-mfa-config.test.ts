import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import type { PoolSettings, WebAuthnSettings } from '../store/pool-and-client-settings.ts';
import { createDefaultPoolSettings } from './default-settings.ts';
import { applyMfaConfig, toCognitoMfaConfig } from './pool-mfa-config.ts';

type Request = Parameters<typeof applyMfaConfig>[1];

const OPTIONAL = createDefaultPoolSettings('https://issuer.example', 'OPTIONAL');
const OFF: PoolSettings = { ...OPTIONAL, mfaConfiguration: 'OFF', mfaMethods: [] };
const PASSWORDS_ONLY: PoolSettings = { ...OPTIONAL, firstFactors: ['PASSWORD', 'WEB_AUTHN'] };
const TOTP = { SoftwareTokenMfaConfiguration: { Enabled: true } } as const;
const SMS_CONFIGURATION = { SnsCallerArn: 'arn:aws:iam::000000000000:role/sns' } as const;
const LOCALHOST: WebAuthnSettings = {
  relyingPartyId: 'localhost',
  origins: ['http://localhost:3000'],
  userVerification: 'required',
  factorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
};

describe('the factors of a pool', () => {
  it('become those that a request names, in their existing order', () => {
    const both: PoolSettings = { ...OPTIONAL, mfaMethods: ['EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'] };
    const rows: readonly (readonly [PoolSettings, Request, string])[] = [
      [OFF, { ...TOTP, MfaConfiguration: 'OPTIONAL' }, 'OPTIONAL SOFTWARE_TOKEN_MFA'],
      [OFF, { MfaConfiguration: 'OFF' }, 'OFF '],
      [OPTIONAL, { MfaConfiguration: 'OFF', SoftwareTokenMfaConfiguration: { Enabled: false } }, 'OFF '],
      [OPTIONAL, { ...TOTP, SmsMfaConfiguration: {} }, 'OPTIONAL SOFTWARE_TOKEN_MFA SMS_MFA'],
      [both, { ...TOTP, EmailMfaConfiguration: {} }, 'OPTIONAL EMAIL_OTP SOFTWARE_TOKEN_MFA'],
      [both, { SmsMfaConfiguration: {}, EmailMfaConfiguration: {} }, 'OPTIONAL EMAIL_OTP SMS_MFA'],
      [PASSWORDS_ONLY, { ...TOTP, MfaConfiguration: 'ON' }, 'ON SOFTWARE_TOKEN_MFA'],
      [{ ...OPTIONAL, mfaConfiguration: 'ON' }, { ...TOTP, MfaConfiguration: 'ON' }, 'ON SOFTWARE_TOKEN_MFA'],
      [{ ...OPTIONAL, mfaConfiguration: 'ON' }, TOTP, 'ON SOFTWARE_TOKEN_MFA'],
      [OPTIONAL, {}, 'OPTIONAL SOFTWARE_TOKEN_MFA'],
      [OPTIONAL, { WebAuthnConfiguration: { RelyingPartyId: 'localhost' } }, 'OPTIONAL SOFTWARE_TOKEN_MFA'],
    ];
    for (const [before, request, expected] of rows) {
      const { mfaConfiguration, mfaMethods } = applyMfaConfig(before, request);
      assert.equal(`${mfaConfiguration} ${mfaMethods.join(' ')}`, expected, JSON.stringify(request));
    }
  });

  it("are refused in Cognito's words if they contradict each other", () => {
    const together = "Invalid MFA configuration given, can't turn off MFA and configure an MFA together.";
    const none = "Invalid MFA configuration given, can't disable all MFAs with a required or optional configuration.";
    const codes = 'One-time passwords cannot be first factors where MFA is required.';
    const rows: readonly (readonly [PoolSettings, Request, string])[] = [
      [OPTIONAL, { ...TOTP, MfaConfiguration: 'OFF' }, together],
      [OPTIONAL, { SoftwareTokenMfaConfiguration: { Enabled: false } }, none],
      [OFF, { MfaConfiguration: 'OPTIONAL' }, none],
      [PASSWORDS_ONLY, { MfaConfiguration: 'ON' }, none],
      [OPTIONAL, { ...TOTP, MfaConfiguration: 'ON' }, codes],
      [OPTIONAL, { WebAuthnConfiguration: {} }, 'RelyingPartyId is required: the user pool has no domain.'],
      [
        OPTIONAL,
        { WebAuthnConfiguration: { RelyingPartyId: '127.0.0.1' } },
        'RelyingPartyId is an IP address, and passkeys belong to names.',
      ],
    ];
    for (const [before, request, message] of rows) {
      assert.throws(
        () => applyMfaConfig(before, request),
        (error) =>
          error instanceof ProviderError && error.code === 'InvalidParameterException' && error.message === message,
        message,
      );
    }
  });

  it('keep the message settings, and those of mails while they are named', () => {
    const request: Request = {
      ...TOTP,
      SmsMfaConfiguration: { SmsAuthenticationMessage: 'Code {####}', SmsConfiguration: SMS_CONFIGURATION },
      EmailMfaConfiguration: { Message: 'Mail {####}', Subject: 'Code' },
    };
    const after = applyMfaConfig(OPTIONAL, request);
    assert.deepEqual(after.kept, {
      EmailMfaConfiguration: request.EmailMfaConfiguration,
      SmsConfiguration: SMS_CONFIGURATION,
      SmsAuthenticationMessage: 'Code {####}',
    });
    const later = applyMfaConfig(after, { ...TOTP, SmsMfaConfiguration: {} });
    assert.deepEqual(later.kept, { SmsConfiguration: SMS_CONFIGURATION, SmsAuthenticationMessage: 'Code {####}' });
    assert.deepEqual(applyMfaConfig(OPTIONAL, TOTP).kept, {});
  });

  it('include passkeys of the given relying party, or the existing one, which keeps its origins', () => {
    const configured = (before: WebAuthnSettings | null, WebAuthnConfiguration: Request['WebAuthnConfiguration']) =>
      applyMfaConfig({ ...OPTIONAL, webAuthn: before }, WebAuthnConfiguration ? { WebAuthnConfiguration } : {})
        .webAuthn;
    assert.equal(configured(null, undefined), null);
    assert.equal(configured(LOCALHOST, undefined), LOCALHOST);
    assert.deepEqual(configured(LOCALHOST, { UserVerification: 'required' }), {
      ...LOCALHOST,
      factorConfiguration: 'SINGLE_FACTOR',
    });
    const elsewhere = { RelyingPartyId: 'example.com', FactorConfiguration: LOCALHOST.factorConfiguration };
    assert.deepEqual(configured(LOCALHOST, elsewhere), {
      ...LOCALHOST,
      relyingPartyId: 'example.com',
      origins: [],
      userVerification: 'preferred',
    });
  });

  it("are shown in Cognito's form, without what the pool lacks", () => {
    assert.deepEqual(toCognitoMfaConfig(OFF), { MfaConfiguration: 'OFF' });
    assert.deepEqual(toCognitoMfaConfig({ ...OPTIONAL, mfaMethods: ['SMS_MFA', 'EMAIL_OTP'], webAuthn: LOCALHOST }), {
      MfaConfiguration: 'OPTIONAL',
      SmsMfaConfiguration: {},
      EmailMfaConfiguration: {},
      WebAuthnConfiguration: {
        RelyingPartyId: 'localhost',
        UserVerification: 'required',
        FactorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
      },
    });
    const kept = {
      SmsConfiguration: SMS_CONFIGURATION,
      SmsAuthenticationMessage: 'Code {####}',
      EmailMfaConfiguration: { Subject: 'Code' },
    };
    assert.deepEqual(toCognitoMfaConfig({ ...OPTIONAL, kept }), {
      MfaConfiguration: 'OPTIONAL',
      SoftwareTokenMfaConfiguration: { Enabled: true },
    });
    assert.deepEqual(toCognitoMfaConfig({ ...OPTIONAL, mfaMethods: ['SMS_MFA', 'EMAIL_OTP'], kept }), {
      MfaConfiguration: 'OPTIONAL',
      SmsMfaConfiguration: { SmsAuthenticationMessage: 'Code {####}', SmsConfiguration: SMS_CONFIGURATION },
      EmailMfaConfiguration: { Subject: 'Code' },
    });
  });
});
