import { ProviderError } from '@poolgate/provider';
import type { StoredVerifier } from '@poolgate/srp';
import type { ClockPort, KeyRingPort } from '../kernel/ports.ts';
import { decryptVerifier } from '../passwords/passwords.ts';
import type { PoolAndClient } from '../pools/pools.ts';
import type { UserWithCredential } from '../store/records.ts';
import { canonicalName } from '../users/sign-in-names.ts';
import type { RegistrationExpiryPorts } from './registration-ports.ts';
import { registrationExpiryMs } from './registrations.ts';

const PURPOSE = 'registration-session';

/** Which registration a session belongs to. */
export interface SignedUpRegistration {
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
type Content = readonly [username: string, name: string, expiresAtMs: number, saltHex?: string, verifier?: string];

/** The session that only the person who registered has (`Session` of Cognito's `SignUp`). It is valid through this client. */
export function encryptRegistration(
  ports: RegistrationExpiryPorts & KeyRingPort,
  owner: PoolAndClient,
  { user, credential }: UserWithCredential,
  typedName: string,
): string {
  const { username } = user;
  const names = [username, canonicalName(owner.pool.settings, typedName), registrationExpiryMs(ports)] as const;
  const content: Content =
    credential === undefined
      ? names
      : [...names, credential.saltHex, Buffer.from(decryptVerifier(ports, credential)).toString('base64url')];
  return ports.keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(content)), registrationAssociatedData(owner));
}

/** The registration of a session; undefined for anything else, and for a session that expired. */
export function readRegistration(
  ports: ClockPort & KeyRingPort,
  owner: PoolAndClient,
  encrypted: string,
): SignedUpRegistration | undefined {
  const opened = ports.keyRing.decrypt(PURPOSE, encrypted, registrationAssociatedData(owner));
  if (opened === undefined) return undefined;
  const [username, name, expiresAtMs, saltHex, verifier] = JSON.parse(Buffer.from(opened).toString()) as Content;
  if (ports.clock.now() >= expiresAtMs) return undefined;
  const hasPassword = saltHex !== undefined && verifier !== undefined;
  return {
    username,
    name,
    verifier: hasPassword ? { saltHex, verifier: Buffer.from(verifier, 'base64url') } : undefined,
  };
}

/** Whether a registration is called by a name: the one that was signed up with, or its username. */
export function isCalled(
  { pool }: PoolAndClient,
  { username, name }: SignedUpRegistration,
  typedName: string,
): boolean {
  const typed = canonicalName(pool.settings, typedName);
  return typed === name || typed === username;
}

/**
 * The registration that a session stands for.
 * @param typedName the name that was signed up with, or the username that came of it
 * @throws {ProviderError} `NotAuthorizedException`: no session, one of another name, pool or client, or too old a one
 */
export function decryptRegistration(
  ports: ClockPort & KeyRingPort,
  owner: PoolAndClient,
  typedName: string,
  encrypted: string,
): SignedUpRegistration {
  const registration = readRegistration(ports, owner, encrypted);
  if (registration === undefined || !isCalled(owner, registration, typedName)) throw invalidRegistration();
  return registration;
}

function registrationAssociatedData({ pool, client }: PoolAndClient): string {
  return `${pool.id}/${client.id}`;
}

function invalidRegistration(): ProviderError {
  return new ProviderError('NotAuthorizedException', 'Invalid session for the user.', { reason: 'invalid_session' });
}
