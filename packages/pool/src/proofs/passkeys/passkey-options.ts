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

/** WebAuthn Level 3 §13.4.3 requires at least 16 bytes. */
const CHALLENGE_BYTES = 32;

/** How long a browser waits for its user. */
const CREATION_TIMEOUT_MS = 60_000;
const REQUEST_TIMEOUT_MS = 180_000;

/** Returns the pool's passkey settings; undefined if a login cannot start with a passkey. */
export function findPasskeySettings({ webAuthn, firstFactors }: PoolSettings): WebAuthnSettings | undefined {
  return firstFactors.includes('WEB_AUTHN') ? (webAuthn ?? undefined) : undefined;
}

/** @throws {ProviderError} `WebAuthnNotEnabledException` */
export function requirePasskeySettings({ settings }: Pick<PoolRecord, 'settings'>): WebAuthnSettings {
  const webAuthn = findPasskeySettings(settings);
  if (webAuthn === undefined) throw passkeysDisabledError();
  return webAuthn;
}

/** Lists the passkeys with which a user can log in. Those of a former relying party cannot be used. */
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

/** Whether a passkey would prove this user. A temporary password can be changed only by someone who knows it. */
export function canLogInByPasskey({ status }: Pick<UserRecord, 'status'>): boolean {
  return status !== 'FORCE_CHANGE_PASSWORD';
}

/** Generates a challenge, base64url. */
export function generatePasskeyChallenge(random: Random): string {
  return Buffer.from(random(CHALLENGE_BYTES)).toString('base64url');
}

/** The name of a user for authenticators, base64url: the `sub`, which does not reveal the user's identity (WebAuthn Level 3 §14.6.1). */
export function toUserHandle({ sub }: Pick<UserRecord, 'sub'>): string {
  return Buffer.from(sub).toString('base64url');
}

/**
 * `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.1.8).
 * @param held the user's passkeys, for which an authenticator creates no second one
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

/**
 * `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.1.9) of a login without a username. The authenticator shows its passkeys.
 */
export function createDiscoverableRequestOptions(
  { relyingPartyId, userVerification }: WebAuthnSettings,
  challenge: string,
) {
  return { challenge, timeout: REQUEST_TIMEOUT_MS, rpId: relyingPartyId, userVerification };
}

/** The same for a login with a username. A user without passkeys gets decoys, always the same. */
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

/** The user and challenge of a passkey request. */
interface PasskeyRequest {
  readonly challenge: string;
  readonly candidate: LoginCandidate;
  /** The passkeys that the candidate can use. */
  readonly passkeys: readonly PasskeyRecord[];
}
