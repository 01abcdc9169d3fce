import type { LoginCandidate } from '../identity/login-candidate.ts';
import type { MacPorts, Random } from '../kernel/ports.ts';
import type { PoolSettings, WebAuthnSettings } from '../settings.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { PasskeyRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { displayName } from '../users/sign-in-names.ts';
import { PASSKEY_ALGORITHMS } from './cose-keys.ts';
import { decoyPasskeys } from './decoy-passkeys.ts';
import { passkeysDisabled } from './passkey-errors.ts';

/** How many passkeys one user can have. */
export const MAX_PASSKEYS = 20;

/** WebAuthn Level 3 §13.4.3 asks for 16 bytes at least. */
const CHALLENGE_BYTES = 32;

/** How long a browser is to wait for its user. */
const CREATION_TIMEOUT_MS = 60_000;
const REQUEST_TIMEOUT_MS = 180_000;

/** The pool's use of passkeys; undefined where a login cannot begin with one. */
export function passkeySettings({ webAuthn, firstFactors }: PoolSettings): WebAuthnSettings | undefined {
  return firstFactors.includes('WEB_AUTHN') ? (webAuthn ?? undefined) : undefined;
}

/** @throws {ProviderError} `WebAuthnNotEnabledException` */
export function requirePasskeys({ settings }: Pick<PoolRecord, 'settings'>): WebAuthnSettings {
  const webAuthn = passkeySettings(settings);
  if (webAuthn === undefined) throw passkeysDisabled();
  return webAuthn;
}

/** The passkeys that a user can log in with: those of another relying party are of no use since the pool has this one. */
export async function usablePasskeys(
  store: Pick<PoolReads, 'passkeys'>,
  { id, settings }: Pick<PoolRecord, 'id' | 'settings'>,
  username: string,
): Promise<readonly PasskeyRecord[]> {
  const webAuthn = passkeySettings(settings);
  if (webAuthn === undefined) return [];
  const passkeys = await store.passkeys.listOf(id, username);
  return passkeys.filter((passkey) => isOfRelyingParty(webAuthn, passkey));
}

/** Whether a passkey belongs to the pool's relying party. */
export function isOfRelyingParty({ relyingPartyId }: WebAuthnSettings, passkey: PasskeyRecord): boolean {
  return passkey.relyingPartyId === relyingPartyId;
}

/** Whether a passkey would prove this user: a temporary password is changed only by who knows it. */
export function canLogInByPasskey({ status }: Pick<UserRecord, 'status'>): boolean {
  return status !== 'FORCE_CHANGE_PASSWORD';
}

/** A new challenge, base64url. */
export function newPasskeyChallenge(random: Random): string {
  return Buffer.from(random(CHALLENGE_BYTES)).toString('base64url');
}

/** What names a user to authenticators, base64url: the `sub` and nothing that tells who it is (WebAuthn Level 3 §14.6.1). */
export function userHandleOf({ sub }: Pick<UserRecord, 'sub'>): string {
  return Buffer.from(sub).toString('base64url');
}

/**
 * `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.1.8).
 * @param held the passkeys that the user has already: an authenticator makes no second one beside them
 */
export function creationOptions(
  { settings }: Pick<PoolRecord, 'settings'>,
  webAuthn: WebAuthnSettings,
  user: UserRecord,
  challenge: string,
  held: readonly PasskeyRecord[],
) {
  const { relyingPartyId, userVerification } = webAuthn;
  const name = displayName(settings, user);
  return {
    challenge,
    rp: { name: relyingPartyId, id: relyingPartyId },
    user: { id: userHandleOf(user), name, displayName: name },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CREATION_TIMEOUT_MS,
    excludeCredentials: held.map(({ credentialId }) => ({ type: 'public-key', id: credentialId })),
    authenticatorSelection: { requireResidentKey: true, residentKey: 'required', userVerification },
  };
}

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.1.9) of a login that names no user: the authenticator shows what it has. */
export function discoverableOptions({ relyingPartyId, userVerification }: WebAuthnSettings, challenge: string) {
  return { challenge, timeout: REQUEST_TIMEOUT_MS, rpId: relyingPartyId, userVerification };
}

/** The same for a login that names somebody. Who has no passkey gets decoys, the same each time. */
export function requestOptions(
  ports: MacPorts,
  pool: PoolRecord,
  webAuthn: WebAuthnSettings,
  { challenge, candidate, passkeys }: PasskeyRequest,
) {
  const decoys = decoyPasskeys(ports, pool, candidate.userId);
  const allowed =
    candidate.found !== undefined && canLogInByPasskey(candidate.found.user) && passkeys.length > 0 ? passkeys : decoys;
  const { relyingPartyId, userVerification } = webAuthn;
  return {
    challenge,
    timeout: REQUEST_TIMEOUT_MS,
    rpId: relyingPartyId,
    allowCredentials: allowed.map(({ credentialId, transports }) => ({
      type: 'public-key',
      id: credentialId,
      transports,
    })),
    userVerification,
  };
}

/** Who is asked for a passkey, and with what. */
interface PasskeyRequest {
  readonly challenge: string;
  readonly candidate: LoginCandidate;
  /** Those that the candidate can use. */
  readonly passkeys: readonly PasskeyRecord[];
}
