import type { ClockPort, EnginePort, KeyRingPort, RandomPort, StoreReads, Transaction } from '../kernel/ports.ts';
import type { NewPassword } from '../proofs/passwords/new-password.ts';
import type { DecoyCredentialsPort } from '../proofs/passwords/password-ports.ts';
import { listVerifiedNames } from '../settings/sign-in-names.ts';
import type { PoolRecord, RegistrationRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { getDecoyCredential } from '../users/find-login-candidate.ts';
import type { RegistrationExpiryPorts } from './registration-ports.ts';

const DAY_MS = 86_400_000;

/** This many passwords are always compared with a new one, so that timing does not reveal earlier registrations. */
export const MAX_COMPARED_REGISTRATIONS = 2;

/** A pending registration with its user. */
export interface PendingRegistration extends UserWithCredential {
  readonly registration: RegistrationRecord;
}

/** The registration of a new user, without competitors. */
export function createRegistration(
  ports: RegistrationExpiryPorts,
  { poolId, username }: UserRecord,
  name: string,
): RegistrationRecord {
  const expiresAtMs = computeRegistrationExpiryMs(ports);
  const createdAtMs = ports.clock.now();
  return { poolId, username, name, isAside: false, isContested: false, createdAtMs, expiresAtMs };
}

/** When a registration that starts now expires. */
export function computeRegistrationExpiryMs({ clock, registrationDays }: RegistrationExpiryPorts): number {
  return clock.now() + registrationDays * DAY_MS;
}

/** A registration whose contact an administrator confirms no longer expires. Whether others registered the name too is still known. */
export async function disableRegistrationExpiry(
  transaction: Transaction<'registrations'>,
  { poolId, username }: UserRecord,
): Promise<void> {
  const registration = await transaction.registrations.byUsername(poolId, username);
  if (registration) await transaction.registrations.put({ ...registration, expiresAtMs: Number.MAX_SAFE_INTEGER });
}

/** The newest pending registrations of a name, newest first. */
export async function listPendingRegistrations(
  ports: ClockPort & StoreReads<'registrations' | 'users'>,
  pool: PoolRecord,
  name: string,
): Promise<readonly PendingRegistration[]> {
  const rows = await ports.store.registrations.listByName(pool.id, name, MAX_COMPARED_REGISTRATIONS);
  const open = rows.filter((row) => isRegistrationPending(ports, row));
  const found = await Promise.all(
    open.map(async (registration) => {
      const known = await ports.store.users.byName(pool.id, registration.username);
      return known && { ...known, registration };
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** Whether a registration has not expired. Expired ones exist until they are swept. */
export function isRegistrationPending({ clock }: ClockPort, { expiresAtMs }: RegistrationRecord): boolean {
  return clock.now() < expiresAtMs;
}

/** Finds the registration with this password; undefined if none. */
export function findRegistrationByPassword(
  ports: ClockPort & RandomPort & KeyRingPort & EnginePort & DecoyCredentialsPort,
  pool: PoolRecord,
  open: readonly PendingRegistration[],
  password: NewPassword,
): PendingRegistration | undefined {
  const decoys = Array.from({ length: MAX_COMPARED_REGISTRATIONS - open.length }, () =>
    getDecoyCredential(ports, pool),
  );
  for (const decoy of decoys) password.equals(decoy);
  const fits = open.map(({ credential }) => password.equals(credential ?? getDecoyCredential(ports, pool)));
  return open.find(({ credential }, at) => credential !== undefined && fits[at]);
}

/** Whether a user has more claim to a name than having typed it, so that no one else can have it. */
export function isNameVerified(pool: PoolRecord, user: UserRecord, name: string): boolean {
  return listVerifiedNames(pool.settings, user).includes(name);
}
