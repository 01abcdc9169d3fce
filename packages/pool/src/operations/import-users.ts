import { ProviderError } from '@poolgate/provider';
import { deleteUnverifiedSignUp } from '../identity/unverified-sign-up.ts';
import { recordEvent, toFailureReason } from '../kernel/audit-events.ts';
import type { ClockPort, EventPorts, KeyRingPort, RandomPort, StorePort } from '../kernel/ports.ts';
import { createRegistration } from '../registrations/pending-registrations.ts';
import type { RegistrationExpiryPorts } from '../registrations/registration-ports.ts';
import { listCachedProviders } from '../settings/identity-providers.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { IdentityProviderRecord, PoolRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { type ImportedUser, type ImportedUserRecords, toImportedUserRecords } from '../users/imported-user.ts';
import { checkProviderNames } from '../users/provider-usernames.ts';

/** The outcome for one imported user. `code` is a code word, such as `exists` for an existing user; `text` explains it. */
export type ImportOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly text: string };

/** As many as one write takes without delaying others. */
const MAX_AT_ONCE = 200;

/** How often a batch is repeated because another write took one of its names. */
const MAX_ATTEMPTS = 5;

const IMPORTED: ImportOutcome = { ok: true };
const ALREADY_EXISTS: ImportOutcome = {
  ok: false,
  code: 'exists',
  text: 'A user with this name, sub or contact exists.',
};

/**
 * Imports users in one write. Errors of one user do not affect the others.
 * @returns the outcome for each user, in the same order
 */
export async function importUsers(
  ports: EventPorts & SettingsPorts & RegistrationExpiryPorts & KeyRingPort & StorePort,
  userPoolId: string,
  users: readonly ImportedUser[],
): Promise<readonly ImportOutcome[]> {
  if (users.length > MAX_AT_ONCE) throw new RangeError(`users must hold ${MAX_AT_ONCE} users at most`);
  const pool = await requirePool(ports, userPoolId);
  const providers = await listCachedProviders(ports, pool);
  const read = users.map((user) => parseImportedUser(ports, pool, user, providers));
  return importBatch(ports, pool, read, MAX_ATTEMPTS);
}

type ImportCandidate = ImportedUserRecords | Extract<ImportOutcome, { ok: false }>;

function parseImportedUser(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  imported: ImportedUser,
  providers: readonly IdentityProviderRecord[],
): ImportCandidate {
  try {
    const records = toImportedUserRecords(ports, pool, imported);
    checkProviderNames(providers, pool, records.user);
    return records;
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause;
    return { ok: false, code: toFailureReason(cause), text: cause.message };
  }
}

/** Taken names are detected before writing, because a conflict would undo the whole write. */
async function importBatch(
  ports: EventPorts & RegistrationExpiryPorts & StorePort,
  pool: PoolRecord,
  read: readonly ImportCandidate[],
  attempts: number,
): Promise<readonly ImportOutcome[]> {
  try {
    return await ports.store.write(async (transaction) => {
      const outcomes: ImportOutcome[] = [];
      for (const one of read) outcomes.push('ok' in one ? one : await importUser(ports, transaction, pool, one));
      return outcomes;
    });
  } catch (cause) {
    if (!isConflictError(cause) || attempts <= 1) throw cause;
    return importBatch(ports, pool, read, attempts - 1);
  }
}

async function importUser(
  ports: EventPorts & RegistrationExpiryPorts,
  transaction: PoolTransaction,
  pool: PoolRecord,
  { user, credential, names, groups }: ImportedUserRecords,
): Promise<ImportOutcome> {
  for (const name of names) {
    await deleteUnverifiedSignUp(transaction, pool, name, user.username);
    if ((await transaction.users.lockByName(pool.id, name)) !== undefined) return ALREADY_EXISTS;
  }
  for (const name of groups)
    if ((await transaction.groups.byName(pool.id, name)) === undefined) return createGroupNotFoundOutcome(name);
  await transaction.users.insert(user, names);
  if (credential !== undefined) await transaction.credentials.put(credential);
  const [waitsFor = user.username] = names.filter((name) => name !== user.username && name !== user.sub);
  if (user.status === 'UNCONFIRMED') {
    await transaction.registrations.put(createRegistration(ports, user, waitsFor));
  }
  for (const name of groups) await transaction.groups.addMember(pool.id, name, user.username, user.createdAtMs);
  await recordEvent(ports, transaction, { type: 'user.imported', pool, user, details: { status: user.status } });
  return IMPORTED;
}

function createGroupNotFoundOutcome(name: string): ImportOutcome {
  return { ok: false, code: 'group_not_found', text: `Group ${name} does not exist.` };
}
