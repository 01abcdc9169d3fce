import { ProviderError } from '@poolgate/provider';
import { findAttributeSchema, isCalendarDate, isEmailAddress, isPhoneNumber } from '../settings/attribute-schema.ts';
import { isValidSignInName, toCanonicalName } from '../settings/sign-in-names.ts';
import type { AttributeSchema } from '../store/pool-and-client-settings.ts';
import type { ClientRecord, PoolRecord, UserRecord } from '../store/records.ts';

const BOOLEAN = /^(?:true|false)$/i;

/** Attribute values by name. All values are strings. */
export type Attributes = Readonly<Record<string, string>>;

/** An attribute in Cognito's shape (`AttributeType`). */
export interface AttributeItem {
  readonly Name: string;
  readonly Value?: string;
}

/**
 * Parses a list of attributes. One without a value is empty. Booleans are accepted in any case, as by Cognito (Python writes `True`), and
 * stored in lowercase.
 * @throws {ProviderError} `InvalidParameterException`: a duplicate name
 */
export function parseAttributes({ settings }: PoolRecord, items: readonly AttributeItem[] | undefined): Attributes {
  const entries = (items ?? []).map(({ Name, Value = '' }) => {
    const isBoolean = findAttributeSchema(settings, Name)?.type === 'Boolean' && BOOLEAN.test(Value);
    return [Name, isBoolean ? Value.toLowerCase() : Value] as const;
  });
  const attributes = Object.fromEntries(entries);
  if (Object.keys(attributes).length !== entries.length)
    throw invalidParameterError('Duplicate attribute names are not allowed.');
  return attributes;
}

/** Lists attributes in Cognito's shape, the `sub` first. */
export function toAttributeList({ sub, attributes }: Pick<UserRecord, 'sub' | 'attributes'>): AttributeItem[] {
  return [{ Name: 'sub', Value: sub }, ...Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }))];
}

/** The names of the required attributes that are absent or empty. */
export function listMissingAttributes(pool: PoolRecord, attributes: Attributes): readonly string[] {
  return pool.settings.requiredAttributes.filter((name) => !attributes[name]);
}

/** @throws {ProviderError} `InvalidParameterException`: a required attribute is missing */
export function checkRequiredAttributes(pool: PoolRecord, attributes: Attributes): void {
  const missing = listMissingAttributes(pool, attributes);
  if (missing.length === 0) return;
  const lines = missing.map((name) => `${name}: The attribute is required\n`);
  throw invalidParameterError(`Attributes did not conform to the schema: ${lines.join('')}`);
}

/**
 * Validates attributes before they are written.
 * @param writer the app client through which a user writes, or `admin`
 * @param existing the user's current attributes, undefined for a new user; an immutable attribute can be set only once
 * @throws {ProviderError} `InvalidParameterException`: unknown name or invalid value; `NotAuthorizedException`: this client, or no user at
 *   all, may write it
 */
export function checkAttributes(
  pool: PoolRecord,
  writer: ClientRecord | 'admin',
  attributes: Attributes,
  existing?: Attributes,
): void {
  checkKnown(pool, Object.keys(attributes), existing);
  for (const [name, value] of Object.entries(attributes)) {
    checkValue(name, requireWritableSchema(pool, writer, name, existing ?? {}), value);
  }
  if (attributes.preferred_username) checkPreferredName(pool, attributes.preferred_username);
}

/** Cognito names all of them at once, and uses other words for an existing user. */
function checkKnown({ settings }: PoolRecord, names: readonly string[], existing: Attributes | undefined): void {
  const unknown = names.filter((name) => findAttributeSchema(settings, name) === undefined);
  if (unknown.length === 0) return;
  const start = existing === undefined ? 'Attributes did not conform to the schema: ' : 'Invalid user attributes: ';
  const prefix = existing === undefined ? '' : 'user.';
  const lines = unknown.map((name) => `${prefix}${name}: Attribute does not exist in the schema.\n`);
  throw invalidParameterError(`${start}${lines.join('')}`);
}

/** If users sign in with it, it must be a typeable name that does not look like another user's alias. */
function checkPreferredName({ settings }: PoolRecord, preferred: string): void {
  const { aliasAttributes } = settings;
  if (!aliasAttributes.includes('preferred_username')) return;
  const name = toCanonicalName(settings, preferred);
  const isContact = aliasAttributes.some(
    (alias) => Object.hasOwn(VALUE_FORMATS, alias) && VALUE_FORMATS[alias]?.fits(name),
  );
  if (isContact || !isValidSignInName(name)) {
    throw invalidAttributeError('preferred_username', 'Attribute value does not conform to the schema.');
  }
}

/**
 * Validates the removal of attributes. An attribute that the user does not have counts as removed.
 * @throws {ProviderError} as {@link checkAttributes}; `InvalidParameterException`: a required attribute
 */
export function checkRemoval(
  pool: PoolRecord,
  writer: ClientRecord | 'admin',
  names: readonly string[],
  existing: Attributes,
): void {
  checkKnown(pool, names, existing);
  for (const name of names) requireWritableSchema(pool, writer, name, existing);
  const left = Object.entries(existing).filter(([name]) => !names.includes(name));
  checkRequiredAttributes(pool, Object.fromEntries(left));
}

function requireWritableSchema(
  pool: PoolRecord,
  writer: ClientRecord | 'admin',
  name: string,
  existing: Attributes,
): AttributeSchema {
  const schema = findAttributeSchema(pool.settings, name);
  if (schema === undefined) throw invalidAttributeError(name, 'Attribute does not exist in the schema.');
  if (writer !== 'admin' && (schema.developerOnly === true || !canWriteAttribute(writer, name))) {
    throw attributeNotWritableError();
  }
  if (name === 'sub' || (!schema.mutable && Object.hasOwn(existing, name))) {
    throw invalidAttributeError(name, 'Attribute cannot be updated.');
  }
  return schema;
}

/** Only a code or an administrator can verify a contact, never the user's own input. */
const PROVEN_ONLY: ReadonlySet<string> = new Set(['sub', 'email_verified', 'phone_number_verified']);

function canWriteAttribute(client: ClientRecord, name: string): boolean {
  return !PROVEN_ONLY.has(name) && (client.settings.writeAttributes?.includes(name) ?? true);
}

interface ValueFormat {
  readonly fits: (value: string) => boolean;
  readonly refusal: string;
}

/** Attributes with a special format. An empty value is always allowed. */
const VALUE_FORMATS: Readonly<Record<string, ValueFormat>> = {
  email: { fits: isEmailAddress, refusal: 'Invalid email address format.' },
  phone_number: { fits: isPhoneNumber, refusal: 'Invalid phone number format.' },
  birthdate: { fits: isCalendarDate, refusal: 'Invalid birthdate format, please use YYYY-MM-DD.' },
};

const FITS_TYPE: Readonly<Record<AttributeSchema['type'], (value: string, schema: AttributeSchema) => boolean>> = {
  String: (value, { minLength = 0, maxLength = 2048 }) => {
    const length = Array.from(value).length;
    return length >= minLength && length <= maxLength;
  },
  Number: (value, { minValue = -Infinity, maxValue = Infinity }) =>
    /^-?\d{1,15}$/.test(value) && Number(value) >= minValue && Number(value) <= maxValue,
  Boolean: (value) => value === 'true' || value === 'false',
  DateTime: (value) => !Number.isNaN(Date.parse(value)),
};

/** Control characters other than those of written text are forbidden, because some stores and all email headers break on them. */
const FORBIDDEN = /[^\P{Cc}\t\n\r]/u;

function checkValue(name: string, schema: AttributeSchema, value: string): void {
  if (FORBIDDEN.test(value) || !value.isWellFormed())
    throw invalidAttributeError(name, 'Attribute value has invalid characters.');
  if (value === '' && schema.type === 'String') return;
  const form = Object.hasOwn(VALUE_FORMATS, name) ? VALUE_FORMATS[name] : undefined;
  if (form !== undefined && !form.fits(value)) throw invalidParameterError(form.refusal);
  if (!FITS_TYPE[schema.type](value, schema)) {
    throw invalidAttributeError(name, 'Attribute value does not conform to the schema.');
  }
}

/** An app client may not write an attribute. Cognito uses the code of a refused token, so the reason tells the two apart. */
export function attributeNotWritableError(): ProviderError {
  return new ProviderError('NotAuthorizedException', 'A client attempted to write unauthorized attribute', {
    reason: 'attribute_not_writable',
  });
}

function invalidAttributeError(name: string, why: string): ProviderError {
  return invalidParameterError(`Invalid user attributes: user.${name}: ${why}\n`);
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}

/** Removes empty attributes. In Cognito, setting an attribute to an empty value deletes it. */
export function removeEmptyAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}

/** Returns the attributes that a client's tokens may contain, except the `sub`, which they always contain. */
export function filterReadableAttributes(client: ClientRecord, user: UserRecord): Attributes {
  const { readAttributes } = client.settings;
  if (readAttributes === null) return user.attributes;
  return Object.fromEntries(Object.entries(user.attributes).filter(([name]) => readAttributes.includes(name)));
}
