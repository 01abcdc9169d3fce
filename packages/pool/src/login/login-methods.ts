import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import {
  type AuthenticationMethod,
  describeAuthentication,
  type LoginAuthentication,
  nameLevel,
} from '../tokens/authentication-methods.ts';
import type { LevelTarget, ProofName } from './challenges/challenge.ts';

/** The method that each proof counts as. A recovery code counts as the factor that it replaces; devices and triggers count as nothing. */
const METHODS: Partial<Record<ProofName, AuthenticationMethod>> = {
  EMAIL_MFA: 'email_otp',
  EMAIL_OTP: 'email_otp',
  EMAIL_SETUP: 'email_otp',
  MFA_SETUP: 'otp',
  PASSWORD: 'pwd',
  PASSWORD_VERIFIER: 'pwd',
  ROAMING_WEB_AUTHN: 'hwk',
  ROAMING_WEB_AUTHN_VERIFIED: 'hwk',
  SMS_MFA: 'sms',
  SMS_OTP: 'sms',
  SOFTWARE_TOKEN_MFA: 'otp',
  WEB_AUTHN: 'swk',
  WEB_AUTHN_VERIFIED: 'swk',
};

/** Returns the methods that the proofs of a login count as. */
export function toAuthenticationMethods(proofs: readonly ProofName[]): readonly AuthenticationMethod[] {
  return proofs.flatMap((proof) => METHODS[proof] ?? []);
}

/** Describes a finished login. Its tokens name the level if one was requested. */
export function describeLogin(
  settings: Pick<PoolSettings, 'kept'>,
  proofs: readonly ProofName[],
  target: LevelTarget | undefined,
): LoginAuthentication {
  const described = describeAuthentication(toAuthenticationMethods(proofs));
  return target === undefined ? described : nameLevel(settings, described);
}

/** The proofs that a login with these methods must have had, as the first step of a step-up counts them. */
export function toCreditedProofs(methods: readonly AuthenticationMethod[]): readonly ProofName[] {
  const isSecond = methods.some((method) => method !== 'sms' && method !== 'email_otp' && method !== 'otp');
  const proofs: Readonly<Record<AuthenticationMethod, ProofName>> = {
    pwd: 'PASSWORD',
    otp: 'SOFTWARE_TOKEN_MFA',
    sms: isSecond ? 'SMS_MFA' : 'SMS_OTP',
    email_otp: isSecond ? 'EMAIL_MFA' : 'EMAIL_OTP',
    swk: 'WEB_AUTHN',
    hwk: 'ROAMING_WEB_AUTHN',
  };
  return methods.map((method) => proofs[method]);
}
