import type { LoginCandidate } from '../../identity/login-candidate.ts';
import type { MacPorts, Random } from '../../kernel/ports.ts';
import { chooseDisplayName } from '../../settings/sign-in-names.ts';
import type { PoolSettings, WebAuthnSettings } from '../../store/pool-and-client-settings.ts';
import type { PoolReads } from '../../store/pool-store.ts';
import type { PasskeyRecord, PoolRecord, UserRecord } from '../../store/records.ts';
import { PASSKEY_ALGORITHMS } from './cose-keys.ts';
import { deriveDecoyPasskeys } from './decoy-passkeys.ts';
import { passkeysDisabledError } from './passkey-errors.ts';

/** How many passkeys one user can have. */
export const MAX_PASSKEYS = 20;

/** WebAuthn Level 3 §13.4.3 asks for 16 bytes at least. */
const CHALLENGE_BYTES = 32;

/** How long a browser is to wait for its user. */
const CREATION_TIMEOUT_MS = 60_000;
const REQUEST_TIMEOUT_MS = 180_000;

/** The pool's use of passkeys; undefined where a login cannot begin with one. */
export function findPasskeySettings({ webAuthn, firstFactors }: PoolSettings): WebAuthnSettings | undefined {
  return firstFactors.includes('WEB_AUTHN') ? (webAuthn ?? undefined) : undefined;
}

/** @throws {ProviderError} `WebAuthnNotEnabledException` */
export function requirePasskeySettings({ settings }: Pick<PoolRecord, 'settings'>): WebAuthnSettings {
  const webAuthn = findPasskeySettings(settings);
  if (webAuthn === undefined) throw passkeysDisabledError();
  return webAuthn;
}

/** The passkeys that a user can log in with: those of another relying party are of no use since the pool has this one. */
export async function listUsablePasskeys(
  store: Pick<PoolReads, 'passkeys'>,
  { id, settings }: Pick<PoolRecord, 'id' | 'settings'>,
  username: string,
): Promise<readonly PasskeyRecord[]> {
  const webAuthn = findPasskeySettings(settings);
  if (webAuthn === undefined) return [];
  const passkeys = await store.passkeys.listOf(id, username);
  return passkeys.filter((passkey) => belongsToRelyingParty(webAuthn, passkey));
}

/** Whether a passkey belongs to the pool's relying party. */
export function belongsToRelyingParty({ relyingPartyId }: WebAuthnSettings, passkey: PasskeyRecord): boolean {
  return passkey.relyingPartyId === relyingPartyId;
}

/** Whether a passkey would prove this user: a temporary password is changed only by who knows it. */
export function canLogInByPasskey({ status }: Pick<UserRecord, 'status'>): boolean {
  return status !== 'FORCE_CHANGE_PASSWORD';
}

/** A new challenge, base64url. */
export function generatePasskeyChallenge(random: Random): string {
  return Buffer.from(random(CHALLENGE_BYTES)).toString('base64url');
}

/** What names a user to authenticators, base64url: the `sub` and nothing that tells who it is (WebAuthn Level 3 §14.6.1). */
export function toUserHandle({ sub }: Pick<UserRecord, 'sub'>): string {
  return Buffer.from(sub).toString('base64url');
}

/**
 * `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.1.8).
 * @param held the passkeys that the user has already: an authenticator makes no second one beside them
 */
export function createPasskeyCreationOptions(
  { settings }: Pick<PoolRecord, 'settings'>,
  webAuthn: WebAuthnSettings,
  user: UserRecord,
  challenge: string,
  held: readonly PasskeyRecord[],
) {
  const { relyingPartyId, userVerification } = webAuthn;
  const name = chooseDisplayName(settings, user);
  return {
    challenge,
    rp: { name: relyingPartyId, id: relyingPartyId },
    user: { id: toUserHandle(user), name, displayName: name },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CREATION_TIMEOUT_MS,
    excludeCredentials: held.map(({ credentialId }) => ({ type: 'public-key', id: credentialId })),
    authenticatorSelection: { requireResidentKey: true, residentKey: 'required', userVerification },
  };
}

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.1.9) of a login that names no user: the authenticator shows what it has. */
export function createDiscoverableRequestOptions(
  { relyingPartyId, userVerification }: WebAuthnSettings,
  challenge: string,
) {
  return { challenge, timeout: REQUEST_TIMEOUT_MS, rpId: relyingPartyId, userVerification };
}

/** The same for a login that names somebody. Who has no passkey gets decoys, the same each time. */
export function createPasskeyRequestOptions(
  ports: MacPorts,
  pool: PoolRecord,
  webAuthn: WebAuthnSettings,
  { challenge, candidate, passkeys }: PasskeyRequest,
) {
  const decoys = deriveDecoyPasskeys(ports, pool, candidate.userId);
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
