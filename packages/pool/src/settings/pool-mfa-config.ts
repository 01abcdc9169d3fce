import { type Input, type Output, ProviderError } from '@poolgate/provider';
import type { MfaMethod, PoolSettings, WebAuthnSettings } from '../store/pool-and-client-settings.ts';
import { findRelyingPartyIdProblem } from './relying-party.ts';

type MfaConfigInput = Omit<Input<'SetUserPoolMfaConfig'>, 'UserPoolId'>;

/**
 * Applies `SetUserPoolMfaConfig` to a pool's settings. The request's methods replace the current ones. Without any method or
 * `MfaConfiguration`, it concerns only passkeys.
 * @throws {ProviderError} `InvalidParameterException`
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SetUserPoolMfaConfig.html
 */
export function applyMfaConfig(settings: PoolSettings, request: MfaConfigInput): PoolSettings {
  const { WebAuthnConfiguration, ...mfa } = request;
  const webAuthn = applyWebAuthnConfiguration(settings.webAuthn, WebAuthnConfiguration);
  const isAboutMfa = Object.values(mfa).some((member) => member !== undefined);
  return { ...settings, ...(isAboutMfa && applyMfaConfiguration(settings, mfa)), webAuthn };
}

function applyMfaConfiguration(settings: PoolSettings, request: MfaConfigInput): Partial<PoolSettings> {
  const mfaConfiguration = request.MfaConfiguration ?? settings.mfaConfiguration;
  const mfaMethods = applyMfaMethods(settings, request);
  checkMethods(request.MfaConfiguration, mfaConfiguration, mfaMethods);
  const isNewlyRequired = mfaConfiguration === 'ON' && settings.mfaConfiguration !== 'ON';
  if (isNewlyRequired && settings.firstFactors.some((factor) => /_OTP$/.test(factor))) {
    throw invalidParameterError('One-time passwords cannot be first factors where MFA is required.');
  }
  const { SmsMfaConfiguration: sms, EmailMfaConfiguration } = request;
  const { EmailMfaConfiguration: _before, ...kept } = settings.kept ?? {};
  return {
    mfaConfiguration,
    mfaMethods,
    kept: {
      ...kept,
      ...(EmailMfaConfiguration && { EmailMfaConfiguration }),
      ...(sms?.SmsConfiguration && { SmsConfiguration: sms.SmsConfiguration }),
      ...(sms?.SmsAuthenticationMessage && { SmsAuthenticationMessage: sms.SmsAuthenticationMessage }),
    },
  };
}

/** Without `MfaConfiguration`, the request may repeat what the pool already has. */
function checkMethods(
  requested: PoolSettings['mfaConfiguration'] | undefined,
  mfaConfiguration: PoolSettings['mfaConfiguration'],
  methods: readonly MfaMethod[],
): void {
  if (requested === 'OFF' && methods.length > 0) {
    throw invalidParameterError("Invalid MFA configuration given, can't turn off MFA and configure an MFA together.");
  }
  if (mfaConfiguration !== 'OFF' && methods.length === 0) {
    throw invalidParameterError(
      "Invalid MFA configuration given, can't disable all MFAs with a required or optional configuration.",
    );
  }
}

/** Remaining methods keep their order. The first one is the default preference. */
function applyMfaMethods({ mfaMethods }: PoolSettings, request: MfaConfigInput): readonly MfaMethod[] {
  const isNamed: Readonly<Record<MfaMethod, boolean>> = {
    SOFTWARE_TOKEN_MFA: request.SoftwareTokenMfaConfiguration?.Enabled === true,
    SMS_MFA: request.SmsMfaConfiguration !== undefined,
    EMAIL_OTP: request.EmailMfaConfiguration !== undefined,
  };
  const added = (Object.keys(isNamed) as MfaMethod[]).filter((method) => !mfaMethods.includes(method));
  return [...mfaMethods, ...added].filter((method) => isNamed[method]);
}

function applyWebAuthnConfiguration(
  before: WebAuthnSettings | null,
  request: MfaConfigInput['WebAuthnConfiguration'],
): WebAuthnSettings | null {
  if (request === undefined) return before;
  const relyingPartyId = request.RelyingPartyId ?? before?.relyingPartyId;
  if (relyingPartyId === undefined)
    throw invalidParameterError('RelyingPartyId is required: the user pool has no domain.');
  const problem = findRelyingPartyIdProblem(relyingPartyId);
  if (problem !== undefined) throw invalidParameterError(`RelyingPartyId ${problem}.`);
  return {
    relyingPartyId,
    origins: relyingPartyId === before?.relyingPartyId ? before.origins : [],
    userVerification: request.UserVerification ?? 'preferred',
    factorConfiguration: request.FactorConfiguration ?? 'SINGLE_FACTOR',
  };
}

/** The factors of a pool in Cognito's shape. */
export function toCognitoMfaConfig(settings: PoolSettings): Output<'GetUserPoolMfaConfig'> {
  const { mfaConfiguration, mfaMethods, webAuthn, kept = {} } = settings;
  const { SmsConfiguration, SmsAuthenticationMessage, EmailMfaConfiguration = {} } = kept;
  return {
    MfaConfiguration: mfaConfiguration,
    ...(mfaMethods.includes('SMS_MFA') && {
      SmsMfaConfiguration: {
        ...(SmsAuthenticationMessage !== undefined && { SmsAuthenticationMessage }),
        ...(SmsConfiguration !== undefined && { SmsConfiguration }),
      },
    }),
    ...(mfaMethods.includes('SOFTWARE_TOKEN_MFA') && { SoftwareTokenMfaConfiguration: { Enabled: true } }),
    ...(mfaMethods.includes('EMAIL_OTP') && { EmailMfaConfiguration }),
    ...(webAuthn !== null && {
      WebAuthnConfiguration: {
        RelyingPartyId: webAuthn.relyingPartyId,
        UserVerification: webAuthn.userVerification,
        FactorConfiguration: webAuthn.factorConfiguration,
      },
    }),
  };
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
