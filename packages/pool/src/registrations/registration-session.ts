import { ProviderError } from '@poolgate/provider';
import type { StoredVerifier } from '@poolgate/srp';
import type { ClockPort, KeyRingPort } from '../kernel/ports.ts';
import { decryptPasswordVerifier } from '../proofs/passwords/password-credentials.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { UserWithCredential } from '../store/records.ts';
import { computeRegistrationExpiryMs } from './pending-registrations.ts';
import type { RegistrationExpiryPorts } from './registration-ports.ts';

const PURPOSE = 'registration-session';

/** The registration of a session. */
export interface RegistrationSession {
  /** Its username. No user has it if the name was taken and only one user can register it. */
  readonly username: string;
  /** The canonical name of the sign-up. */
  readonly name: string;
  /**
   * The verifier of the registration's password. The session contains it, so that a login with it depends on no row. The response is then
   * the same for names that are new, taken, or confirmed by their owner in the meantime. Undefined without a password.
   */
  readonly verifier: StoredVerifier | undefined;
}

/** Replicas of 2.0.6 read the first three members and write only these. */
type RegistrationSessionContent = readonly [
  username: string,
  name: string,
  expiresAtMs: number,
  saltHex?: string,
  verifier?: string,
];

/** Encrypts the session that only the person who registered has (`Session` of Cognito's `SignUp`). It is valid for this client. */
export function encryptRegistrationSession(
  ports: RegistrationExpiryPorts & KeyRingPort,
  owner: PoolAndClient,
  { user, credential }: UserWithCredential,
  typedName: string,
): string {
  const { username } = user;
  const names = [
    username,
    toCanonicalName(owner.pool.settings, typedName),
    computeRegistrationExpiryMs(ports),
  ] as const;
  const content: RegistrationSessionContent =
    credential === undefined
      ? names
      : [...names, credential.saltHex, Buffer.from(decryptPasswordVerifier(ports, credential)).toString('base64url')];
  return ports.keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(content)), registrationAssociatedData(owner));
}

/** Decrypts the registration of a session; undefined for other text and for an expired session. */
export function decryptRegistrationSession(
  ports: ClockPort & KeyRingPort,
  owner: PoolAndClient,
  encrypted: string,
): RegistrationSession | undefined {
  const plaintext = ports.keyRing.decrypt(PURPOSE, encrypted, registrationAssociatedData(owner));
  if (plaintext === undefined) return undefined;
  const [username, name, expiresAtMs, saltHex, verifier] = JSON.parse(
    Buffer.from(plaintext).toString(),
  ) as RegistrationSessionContent;
  if (ports.clock.now() >= expiresAtMs) return undefined;
  const hasPassword = saltHex !== undefined && verifier !== undefined;
  return {
    username,
    name,
    verifier: hasPassword ? { saltHex, verifier: Buffer.from(verifier, 'base64url') } : undefined,
  };
}

/** Whether a name belongs to a registration: the name of the sign-up, or its username. */
export function matchesRegistrationName(
  { pool }: PoolAndClient,
  { username, name }: RegistrationSession,
  typedName: string,
): boolean {
  const typed = toCanonicalName(pool.settings, typedName);
  return typed === name || typed === username;
}

/**
 * Returns the registration of a session.
 * @param typedName the name of the sign-up, or the resulting username
 * @throws {ProviderError} `NotAuthorizedException`: the session is missing, expired, or of another name, pool or client
 */
export function requireRegistrationSession(
  ports: ClockPort & KeyRingPort,
  owner: PoolAndClient,
  typedName: string,
  encrypted: string,
): RegistrationSession {
  const registration = decryptRegistrationSession(ports, owner, encrypted);
  if (registration === undefined || !matchesRegistrationName(owner, registration, typedName))
    throw invalidRegistrationSessionError();
  return registration;
}

function registrationAssociatedData({ pool, client }: PoolAndClient): string {
  return `${pool.id}/${client.id}`;
}

function invalidRegistrationSessionError(): ProviderError {
  return new ProviderError('NotAuthorizedException', 'Invalid session for the user.', { reason: 'invalid_session' });
}
