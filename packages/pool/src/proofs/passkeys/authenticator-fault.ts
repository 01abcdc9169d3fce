import { createHash } from 'node:crypto';
import type { WebAuthnSettings } from '../../store/pool-and-client-settings.ts';
import type { PasskeyRefusalCode } from './passkey-refusals.ts';
import type { WebAuthnLibrary } from './webauthn-library.ts';

/** Authenticator data as the library parses it (WebAuthn Level 3 §6.1). */
export type AuthenticatorData = ReturnType<WebAuthnLibrary['parseAuthenticatorData']>;

/**
 * Returns the requirement of the pool that authenticator data does not meet; undefined if it meets all.
 * @see WebAuthn Level 3 §7.1 and §7.2
 */
export function findAuthenticatorFault(
  { relyingPartyId, userVerification }: WebAuthnSettings,
  { rpIdHash, flags }: Pick<AuthenticatorData, 'flags' | 'rpIdHash'>,
): Extract<PasskeyRefusalCode, 'rp_id' | 'user_presence' | 'user_verification'> | undefined {
  if (!createHash('sha256').update(relyingPartyId).digest().equals(rpIdHash)) return 'rp_id';
  if (!flags.up) return 'user_presence';
  return userVerification === 'required' && !flags.uv ? 'user_verification' : undefined;
}
