import { invalidFieldError } from '../kernel/gateway-errors.ts';

/** An attribute in Cognito's form. */
export interface Attribute {
  readonly Name: string;
  readonly Value?: string;
}

/** OpenID Connect Core 1.0 §5.1, without the claims that identify a user or show what is verified. */
const STANDARD_ATTRIBUTES: ReadonlySet<string> = new Set([
  'address',
  'birthdate',
  'family_name',
  'gender',
  'given_name',
  'locale',
  'middle_name',
  'name',
  'nickname',
  'phone_number',
  'picture',
  'preferred_username',
  'profile',
  'website',
  'zoneinfo',
]);

const CUSTOM_ATTRIBUTE = /^custom:[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,20}$/u;

/** The attributes of a user by name. */
export function mapAttributesByName(attributes: readonly Attribute[] | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries((attributes ?? []).map(({ Name, Value }) => [Name, Value ?? '']));
}

/**
 * Returns the attributes of a request as Cognito's list, from either of the two forms. Only profile and custom attributes can be set;
 * `sub`, `email_verified`, groups and similar ones are never accepted.
 * @param alsoAllowed additional names that this request may set
 * @throws {GatewayError} validation_failed
 */
export function readSettableAttributes(
  requested: Readonly<Record<string, string>> | readonly { readonly Name: string; readonly Value: string }[],
  field: string,
  alsoAllowed: readonly string[] = [],
): readonly { readonly Name: string; readonly Value: string }[] {
  const list = isList(requested)
    ? requested.map(({ Name, Value }) => ({ Name, Value }))
    : Object.entries(requested).map(([Name, Value]) => ({ Name, Value }));
  if (!list.every(({ Name }) => isSettable(Name) || alsoAllowed.includes(Name))) {
    throw invalidFieldError(field, 'not_allowed', 'contains an attribute that cannot be set');
  }
  if (new Set(list.map(({ Name }) => Name)).size < list.length) {
    throw invalidFieldError(field, 'duplicate', 'contains an attribute twice');
  }
  return list;
}

function isSettable(name: string): boolean {
  return STANDARD_ATTRIBUTES.has(name) || CUSTOM_ATTRIBUTE.test(name);
}

function isList<T>(value: Readonly<Record<string, string>> | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
