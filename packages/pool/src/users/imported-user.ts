import { ProviderError } from '@poolgate/provider';
import {
  type Attributes,
  checkAttributes,
  checkRequiredAttributes,
  removeEmptyAttributes,
} from '../identity/attributes.ts';
import { listContacts } from '../identity/contacts.ts';
import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import { parsePasswordVerifier } from '../proofs/passwords/new-password.ts';
import {
  computeTemporaryPasswordExpiryMs,
  createCredentialFromVerifier,
} from '../proofs/passwords/password-credentials.ts';
import { changeMfaPreference, checkRequestedMfaFactors } from '../settings/second-factors.ts';
import { listUnverifiedNames, listVerifiedNames, toCanonicalName } from '../settings/sign-in-names.ts';
import type { MfaMethod } from '../store/pool-and-client-settings.ts';
import type { CredentialRecord, PoolRecord, UserRecord, UserStatus } from '../store/records.ts';
import { createUserIdentity, createUserRecord, type UserIdentity } from './create-user-record.ts';

/** A user who comes from another pool. */
export interface ImportedUser {
  /** The canonical user name of the other pool, or a name that somebody could sign up with here. */
  readonly username: string;
  /** A UUID; drawn where it is left out. */
  readonly sub?: string;
  /** Without `sub`. A contact is unverified unless `email_verified` or `phone_number_verified` says otherwise. */
  readonly attributes: Attributes;
  /** Default `CONFIRMED`. Without a password everybody but the unconfirmed becomes `RESET_REQUIRED`. */
  readonly status?: UserStatus;
  /** Default true. */
  readonly enabled?: boolean;
  /** Groups that exist here. */
  readonly groups?: readonly string[];
  /** An SRP salt and verifier (hexadecimal) that were made for this very user name in a pool of this very id. */
  readonly password?: { readonly saltHex: string; readonly verifierHex: string } | undefined;
  /** An authenticator does not move with its user: `SOFTWARE_TOKEN_MFA` is left out, and has to be set up again. */
  readonly preferredMfa?: MfaMethod | null;
}

/** A user who goes to another pool, with everything that can go. */
export type ExportedUser = Required<ImportedUser>;

/** What is to be written of an imported user. */
export interface ImportedUserRecords {
  readonly user: UserRecord;
  readonly credential: CredentialRecord | undefined;
  readonly names: readonly string[];
  readonly groups: readonly string[];
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws {ProviderError} what is wrong with the user; whether it exists here is not looked at */
export function toImportedUserRecords(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  imported: ImportedUser,
): ImportedUserRecords {
  const attributes = removeEmptyAttributes(imported.attributes);
  checkAttributes(pool, 'admin', attributes);
  const identity = chooseImportedIdentity(ports, pool, imported, attributes);
  checkRequiredAttributes(pool, identity.attributes);
  const credential = createImportedCredential(ports, pool, identity, imported);
  const whole = { ...identity, attributes: { ...createUnverifiedFlags(identity.attributes), ...identity.attributes } };
  const made = createUserRecord(ports, pool, whole, chooseImportedStatus(imported));
  const user = addMfaPreference(pool, { ...made, enabled: imported.enabled ?? true }, imported.preferredMfa ?? null);
  const names = [...listVerifiedNames(pool.settings, user), ...listUnverifiedNames(pool.settings, user)];
  const typed = toCanonicalName(pool.settings, imported.username);
  return { user, credential, names: [...new Set([...names, typed])], groups: imported.groups ?? [] };
}

/** Where users sign in with a contact, their user names are UUIDs: such a one is kept, so that its password stays good. */
function chooseImportedIdentity(
  ports: RandomPort,
  pool: PoolRecord,
  { username, sub }: ImportedUser,
  attributes: Attributes,
): UserIdentity {
  if (sub !== undefined && !UUID.test(sub)) throw invalidParameterError('Invalid sub given: it must be a UUID.');
  const { usernameAttributes } = pool.settings;
  if (usernameAttributes.length === 0 || !UUID.test(username)) {
    const drawn = createUserIdentity(ports, pool, username, attributes);
    if (sub === undefined) return drawn;
    return usernameAttributes.length === 0 ? { ...drawn, sub } : { ...drawn, username: sub, sub };
  }
  if (usernameAttributes.some((name) => attributes[name])) return { username, sub: sub ?? username, attributes };
  throw invalidParameterError(
    `A user needs one of the attributes that users sign in with: ${usernameAttributes.join(', ')}.`,
  );
}

function createUnverifiedFlags(attributes: Attributes): Attributes {
  return Object.fromEntries(listContacts(attributes).map(({ attribute }) => [`${attribute}_verified`, 'false']));
}

function chooseImportedStatus({ status = 'CONFIRMED', password }: ImportedUser): UserStatus {
  return password === undefined && status !== 'UNCONFIRMED' ? 'RESET_REQUIRED' : status;
}

function createImportedCredential(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  identity: UserIdentity,
  { username, password, status }: ImportedUser,
): CredentialRecord | undefined {
  if (password === undefined) return undefined;
  if (identity.username !== username)
    throw invalidParameterError('A password moves with the canonical user name only.');
  const stored = parsePasswordVerifier({ SaltHex: password.saltHex, VerifierHex: password.verifierHex });
  const untilMs = status === 'FORCE_CHANGE_PASSWORD' ? computeTemporaryPasswordExpiryMs(ports, pool) : null;
  return createCredentialFromVerifier(ports, pool, identity.username, stored, untilMs);
}

function addMfaPreference({ settings }: PoolRecord, user: UserRecord, method: MfaMethod | null): UserRecord {
  if (method === null || method === 'SOFTWARE_TOKEN_MFA') return user;
  const requested = { [method]: { enabled: true, preferred: true } };
  checkRequestedMfaFactors(settings, user, requested, false);
  return { ...user, ...changeMfaPreference(user, requested) };
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
