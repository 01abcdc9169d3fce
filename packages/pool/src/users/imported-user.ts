import { ProviderError } from '@poolgate/provider';
import { changedPreference, checkRequestedFactors } from '../factors/mfa-settings.ts';
import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import { readVerifier } from '../passwords/new-password.ts';
import { credentialFrom, temporaryUntilMs } from '../passwords/passwords.ts';
import type { MfaMethod } from '../settings.ts';
import type { CredentialRecord, PoolRecord, UserRecord, UserStatus } from '../store/records.ts';
import { type Attributes, checkAttributes, checkRequired, withoutEmpty } from './attributes.ts';
import { contactsOf } from './contacts.ts';
import { type NewIdentity, newIdentity, newUser } from './new-user.ts';
import { canonicalName, unverifiedNames, verifiedNames } from './sign-in-names.ts';

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
export interface UserToImport {
  readonly user: UserRecord;
  readonly credential: CredentialRecord | undefined;
  readonly names: readonly string[];
  readonly groups: readonly string[];
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws {ProviderError} what is wrong with the user; whether it exists here is not looked at */
export function userToImport(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  imported: ImportedUser,
): UserToImport {
  const attributes = withoutEmpty(imported.attributes);
  checkAttributes(pool, 'admin', attributes);
  const identity = importedIdentity(ports, pool, imported, attributes);
  checkRequired(pool, identity.attributes);
  const credential = importedCredential(ports, pool, identity, imported);
  const whole = { ...identity, attributes: { ...withoutVerifiedFlags(identity.attributes), ...identity.attributes } };
  const made = newUser(ports, pool, whole, importedStatus(imported));
  const user = withPreference(pool, { ...made, enabled: imported.enabled ?? true }, imported.preferredMfa ?? null);
  const names = [...verifiedNames(pool.settings, user), ...unverifiedNames(pool.settings, user)];
  const typed = canonicalName(pool.settings, imported.username);
  return { user, credential, names: [...new Set([...names, typed])], groups: imported.groups ?? [] };
}

/** Where users sign in with a contact, their user names are UUIDs: such a one is kept, so that its password stays good. */
function importedIdentity(
  ports: RandomPort,
  pool: PoolRecord,
  { username, sub }: ImportedUser,
  attributes: Attributes,
): NewIdentity {
  if (sub !== undefined && !UUID.test(sub)) throw invalidParameter('Invalid sub given: it must be a UUID.');
  const { usernameAttributes } = pool.settings;
  if (usernameAttributes.length === 0 || !UUID.test(username)) {
    const drawn = newIdentity(ports, pool, username, attributes);
    if (sub === undefined) return drawn;
    return usernameAttributes.length === 0 ? { ...drawn, sub } : { ...drawn, username: sub, sub };
  }
  if (usernameAttributes.some((name) => attributes[name])) return { username, sub: sub ?? username, attributes };
  throw invalidParameter(
    `A user needs one of the attributes that users sign in with: ${usernameAttributes.join(', ')}.`,
  );
}

function withoutVerifiedFlags(attributes: Attributes): Attributes {
  return Object.fromEntries(contactsOf(attributes).map(({ attribute }) => [`${attribute}_verified`, 'false']));
}

function importedStatus({ status = 'CONFIRMED', password }: ImportedUser): UserStatus {
  return password === undefined && status !== 'UNCONFIRMED' ? 'RESET_REQUIRED' : status;
}

function importedCredential(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  identity: NewIdentity,
  { username, password, status }: ImportedUser,
): CredentialRecord | undefined {
  if (password === undefined) return undefined;
  if (identity.username !== username) throw invalidParameter('A password moves with the canonical user name only.');
  const stored = readVerifier({ SaltHex: password.saltHex, VerifierHex: password.verifierHex });
  const untilMs = status === 'FORCE_CHANGE_PASSWORD' ? temporaryUntilMs(ports, pool) : null;
  return credentialFrom(ports, pool, identity.username, stored, untilMs);
}

function withPreference({ settings }: PoolRecord, user: UserRecord, method: MfaMethod | null): UserRecord {
  if (method === null || method === 'SOFTWARE_TOKEN_MFA') return user;
  const requested = { [method]: { enabled: true, preferred: true } };
  checkRequestedFactors(settings, user, requested, false);
  return { ...user, ...changedPreference(user, requested) };
}

function invalidParameter(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
