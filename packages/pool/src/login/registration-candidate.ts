import type { StoredVerifier } from '@poolgate/srp';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import type { CallPort, ClockPort, KeyRingPort, RandomPort, StoreReads } from '../kernel/ports.ts';
import { hidesUserExistence } from '../kernel/user-existence.ts';
import {
  createCredentialFromVerifier,
  decryptPasswordVerifier,
  formatPasswordVersion,
} from '../proofs/passwords/password-credentials.ts';
import {
  decryptRegistrationSession,
  matchesRegistrationName,
  type RegistrationSession,
} from '../registrations/registration-session.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { UserWithCredential } from '../store/records.ts';

/**
 * Returns the candidate of a login with the session of an unconfirmed registration. It has the password from the session and no user, so
 * that a taken name is answered like a new one until the session expires.
 * @returns undefined for an ordinary login: through the Cognito-compatible API, without a valid session, or after the registration was
 *   confirmed with its password
 */
export async function findRegistrationCandidate(
  ports: ClockPort & RandomPort & KeyRingPort & CallPort & StoreReads<'users'>,
  owner: PoolAndClient,
  typedName: string,
  session: string | undefined,
): Promise<LoginCandidate | undefined> {
  if (session === undefined || !hidesUserExistence(ports.call)) return undefined;
  const registration = decryptRegistrationSession(ports, owner, session);
  if (registration?.verifier === undefined || !matchesRegistrationName(owner, registration, typedName))
    return undefined;
  const { verifier } = registration;
  const user = await ports.store.users.byName(owner.pool.id, registration.username);
  if (user !== undefined && isConfirmedWithPassword(ports, user, verifier)) return undefined;
  const userId = toSrpIdentity(owner, registration);
  const credential = createCredentialFromVerifier(ports, owner.pool, userId, verifier, null);
  const { saltHex } = verifier;
  return {
    typedName,
    userId,
    saltHex,
    passwordVersion: formatPasswordVersion(undefined),
    credential,
    found: undefined,
  };
}

/** The SRP identity of the verifier. If users choose their usernames, it is the name. */
function toSrpIdentity({ pool }: PoolAndClient, { username, name }: RegistrationSession): string {
  return pool.settings.usernameAttributes.length > 0 ? username : name;
}

function isConfirmedWithPassword(
  ports: KeyRingPort,
  { user, credential }: UserWithCredential,
  { saltHex, verifier }: StoredVerifier,
): boolean {
  if (user.status === 'UNCONFIRMED' || credential?.saltHex !== saltHex) return false;
  return Buffer.from(decryptPasswordVerifier(ports, credential)).equals(verifier);
}
