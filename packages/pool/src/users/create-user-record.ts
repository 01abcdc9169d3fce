/**
 * What changes a user: creation, attributes, groups, verified contacts, and the triggers around sign-up.
 */
import { ProviderError } from '@poolgate/provider';
import type { Attributes } from '../identity/attributes.ts';
import { generateUuid } from '../kernel/identifiers.ts';
import type { ClockPort, RandomPort } from '../kernel/ports.ts';
import { isEmailAddress, isPhoneNumber } from '../settings/attribute-schema.ts';
import { isValidSignInName, toCanonicalName } from '../settings/sign-in-names.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord, UserRecord, UserStatus } from '../store/records.ts';

type NameAttribute = PoolSettings['usernameAttributes'][number];

const FITS: Readonly<Record<NameAttribute, (text: string) => boolean>> = {
  email: isEmailAddress,
  phone_number: isPhoneNumber,
};

/** Cognito's refusals of a name, by the attributes that a pool takes for names. */
const SHOULD_BE: Readonly<Record<string, string>> = {
  email: 'Username should be an email.',
  phone_number: 'Username should be a phone number.',
};
const SHOULD_BE_EITHER = 'Username should be either an email or a phone number.';

const CANNOT_BE: Readonly<Record<NameAttribute, string>> = {
  email: 'Username cannot be of email format, since user pool is configured for email alias.',
  phone_number: 'Username cannot be of phone number format, since user pool is configured for phone number alias.',
};

/** The names of a user to be, and the attributes together with the one that the name stands for. */
export interface UserIdentity {
  readonly username: string;
  readonly sub: string;
  readonly attributes: Attributes;
}

/**
 * Chooses the canonical user name for what was typed. Where users sign in with a contact it is a UUID, the `sub`,
 * and the contact becomes an attribute; elsewhere it is the typed name itself.
 * @param identity the UUID of a user whose name is one; drawn where it is left out
 * @throws {ProviderError} `InvalidParameterException`: not a name that this pool takes
 */
export function createUserIdentity(
  ports: RandomPort,
  { settings }: PoolRecord,
  typed: string,
  attributes: Attributes,
  identity = generateUuid(ports.random),
): UserIdentity {
  const name = toCanonicalName(settings, typed);
  if (!isValidSignInName(name)) throw invalidParameterError(NAME_CONSTRAINT);
  if (settings.usernameAttributes.length === 0) {
    checkPlainUsername(settings, name);
    return { username: name, sub: generateUuid(ports.random), attributes };
  }
  return {
    username: identity,
    sub: identity,
    attributes: { ...attributes, ...addContactFromName(settings, typed, attributes) },
  };
}

const NAME_CONSTRAINT =
  "1 validation error detected: Value at 'username' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+";

/** A user name must not look like an alias of somebody else. */
function checkPlainUsername({ aliasAttributes }: PoolSettings, name: string): void {
  for (const attribute of ['email', 'phone_number'] as const) {
    if (aliasAttributes.includes(attribute) && FITS[attribute](name)) throw invalidParameterError(CANNOT_BE[attribute]);
  }
}

function addContactFromName(settings: PoolSettings, typed: string, attributes: Attributes): Attributes {
  const { usernameAttributes } = settings;
  const attribute = usernameAttributes.find((candidate) => FITS[candidate](typed));
  const [only] = usernameAttributes;
  if (attribute === undefined) {
    throw invalidParameterError((usernameAttributes.length === 1 && only && SHOULD_BE[only]) || SHOULD_BE_EITHER);
  }
  const given = attributes[attribute];
  if (given && toCanonicalName(settings, given) !== toCanonicalName(settings, typed)) {
    throw invalidParameterError(`Attribute ${attribute} must be the same as the username.`);
  }
  return { [attribute]: typed };
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}

/** The record of a new user, enabled. */
export function createUserRecord(
  ports: ClockPort,
  pool: PoolRecord,
  { username, sub, attributes }: UserIdentity,
  status: UserStatus,
): UserRecord {
  const nowMs = ports.clock.now();
  return {
    poolId: pool.id,
    username,
    sub,
    status,
    enabled: true,
    attributes,
    mfaMethods: [],
    preferredMfa: null,
    groups: [],
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
  };
}
