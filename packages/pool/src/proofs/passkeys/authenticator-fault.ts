import { createHash } from 'node:crypto';
import type { WebAuthnSettings } from '../../store/pool-and-client-settings.ts';
import type { PasskeyRefusalCode } from './passkey-refusals.ts';
import type { WebAuthnLibrary } from './webauthn-library.ts';

/**
 * Returns what authenticator data lacks that the pool requires; undefined if nothing. The library checks this too, but its errors have no
 * codes.
 * @throws {Error} the data cannot be parsed
 */
export function findAuthenticatorFault(
  { parseAuthenticatorData }: WebAuthnLibrary,
  { relyingPartyId, userVerification }: WebAuthnSettings,
  authenticatorData: Uint8Array<ArrayBuffer>,
): Extract<PasskeyRefusalCode, 'rp_id' | 'user_presence' | 'user_verification'> | undefined {
  const { rpIdHash, flags } = parseAuthenticatorData(authenticatorData);
  if (!createHash('sha256').update(relyingPartyId).digest().equals(rpIdHash)) return 'rp_id';
  if (!flags.up) return 'user_presence';
  return userVerification === 'required' && !flags.uv ? 'user_verification' : undefined;
}
