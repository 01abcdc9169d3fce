import { ProviderError } from '@poolgate/provider';
import type { ClockPort, RandomPort } from '../kernel/ports.ts';
import type { PoolSettings } from '../settings.ts';
import type { PoolRecord, UserRecord, UserStatus } from '../store/records.ts';
import { isEmailAddress, isPhoneNumber } from './attribute-schema.ts';
import type { Attributes } from './attributes.ts';
import { uuid } from './identifiers.ts';
import { canonicalName, isPossibleName } from './sign-in-names.ts';

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
export interface NewIdentity {
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
export function newIdentity(
  ports: RandomPort,
  { settings }: PoolRecord,
  typed: string,
  attributes: Attributes,
  identity = uuid(ports.random),
): NewIdentity {
  const name = canonicalName(settings, typed);
  if (!isPossibleName(name)) throw invalidParameter(NAME_CONSTRAINT);
  if (settings.usernameAttributes.length === 0) {
    checkPlainName(settings, name);
    return { username: name, sub: uuid(ports.random), attributes };
  }
  return {
    username: identity,
    sub: identity,
    attributes: { ...attributes, ...contactInName(settings, typed, attributes) },
  };
}

const NAME_CONSTRAINT =
  "1 validation error detected: Value at 'username' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+";

/** A user name must not look like an alias of somebody else. */
function checkPlainName({ aliasAttributes }: PoolSettings, name: string): void {
  for (const attribute of ['email', 'phone_number'] as const) {
    if (aliasAttributes.includes(attribute) && FITS[attribute](name)) throw invalidParameter(CANNOT_BE[attribute]);
  }
}

function contactInName(settings: PoolSettings, typed: string, attributes: Attributes): Attributes {
  const { usernameAttributes } = settings;
  const attribute = usernameAttributes.find((candidate) => FITS[candidate](typed));
  const [only] = usernameAttributes;
  if (attribute === undefined) {
    throw invalidParameter((usernameAttributes.length === 1 && only && SHOULD_BE[only]) || SHOULD_BE_EITHER);
  }
  const given = attributes[attribute];
  if (given && canonicalName(settings, given) !== canonicalName(settings, typed)) {
    throw invalidParameter(`Attribute ${attribute} must be the same as the username.`);
  }
  return { [attribute]: typed };
}

function invalidParameter(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}

/** The record of a new user, enabled. */
export function newUser(
  ports: ClockPort,
  pool: PoolRecord,
  { username, sub, attributes }: NewIdentity,
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
