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

/** Which registration a session belongs to. */
export interface RegistrationSession {
  /** Its username. No user has it if the name was taken and only one user can register it. */
  readonly username: string;
  /** The canonical name that was signed up with. */
  readonly name: string;
  /**
   * What the registration's password is compared with. The session carries it, so that a login with it depends on no row: it is answered
   * alike for names that are new, taken, and confirmed by their owner meanwhile. Undefined where there is no password.
   */
  readonly verifier: StoredVerifier | undefined;
}

/** Replicas of 2.0.6 read the first three members, and write no others. */
type RegistrationSessionContent = readonly [
  username: string,
  name: string,
  expiresAtMs: number,
  saltHex?: string,
  verifier?: string,
];

/** The session that only the person who registered has (`Session` of Cognito's `SignUp`). It is valid through this client. */
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

/** The registration of a session; undefined for anything else, and for a session that expired. */
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

/** Whether a registration is called by a name: the one that was signed up with, or its username. */
export function matchesRegistrationName(
  { pool }: PoolAndClient,
  { username, name }: RegistrationSession,
  typedName: string,
): boolean {
  const typed = toCanonicalName(pool.settings, typedName);
  return typed === name || typed === username;
}

/**
 * The registration that a session stands for.
 * @param typedName the name that was signed up with, or the username that came of it
 * @throws {ProviderError} `NotAuthorizedException`: no session, one of another name, pool or client, or too old a one
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
