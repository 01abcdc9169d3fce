import type { FieldError } from './error-codes.ts';
import type { AnyOfSchema, ArraySchema, MapSchema, ObjectSchema, Schema, StringSchema } from './schema.ts';

/**
 * Checks a value against a schema. It neither changes nor coerces the value.
 * @param field the name under which the value is reported; empty for the whole body
 * @returns one entry for each error, empty for a valid value; no entry repeats a value
 */
export function checkSchema(schema: Schema, value: unknown, field = ''): readonly FieldError[] {
  return addFieldPrefix(field, listFieldErrors(schema, value));
}

/** Lists errors with field names relative to the value. Names are built only when an error is found. */
function listFieldErrors(schema: Schema, value: unknown): readonly FieldError[] {
  if ('anyOf' in schema) return checkAnyOf(schema, value);
  if (!hasType(schema, value)) return [createFieldError('type', `must be of type ${schema.type}`)];
  switch (schema.type) {
    case 'string':
      return checkString(schema, value as string);
    case 'array':
      return checkArray(schema, value as readonly unknown[]);
    case 'object': {
      const object = value as Readonly<Record<string, unknown>>;
      return 'properties' in schema ? checkObject(schema, object) : checkMap(schema, object);
    }
    default:
      return NONE;
  }
}

const NONE: readonly FieldError[] = [];

type TypedSchema = Exclude<Schema, AnyOfSchema>;

const IS_OF_TYPE: Readonly<Record<TypedSchema['type'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isSafeInteger(value),
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

function hasType(schema: TypedSchema, value: unknown): boolean {
  return IS_OF_TYPE[schema.type](value);
}

/** If exactly one alternative has the value's type, its errors are more helpful than "no form fits". */
function checkAnyOf(schema: AnyOfSchema, value: unknown): readonly FieldError[] {
  const faults: (readonly FieldError[])[] = [];
  for (const form of schema.anyOf) {
    if (!('anyOf' in form) && !hasType(form, value)) continue;
    const found = listFieldErrors(form, value);
    if (found.length === 0) return NONE;
    faults.push(found);
  }
  const [only, ...others] = faults;
  return only !== undefined && others.length === 0
    ? only
    : [createFieldError('type', 'does not match any of the allowed types')];
}

function checkString(schema: StringSchema, value: string): readonly FieldError[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const length = needsCounting(value.length, minLength, maxLength) ? countCodePoints(value) : value.length;
  if (length < minLength) return [createFieldError('too_short', `must have at least ${minLength} characters`)];
  if (length > maxLength) return [createFieldError('too_long', `must have at most ${maxLength} characters`)];
  if (schema.enum && !schema.enum.includes(value)) {
    return [createFieldError('not_allowed', `must be one of ${schema.enum.join(', ')}`)];
  }
  if (schema.pattern !== undefined && !compilePattern(schema.pattern).test(value)) {
    return [createFieldError('format', 'has an invalid format')];
  }
  return NONE;
}

/** A code point takes one or two units. Counting is needed only near the limits. */
function needsCounting(units: number, minLength: number, maxLength: number): boolean {
  const isSurelyInside = units >= 2 * minLength && units <= maxLength;
  return !isSurelyInside && units <= 2 * maxLength;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const patterns = new Map<string, RegExp>();

function compilePattern(pattern: string): RegExp {
  const found = patterns.get(pattern);
  if (found) return found;
  const made = new RegExp(pattern, 'u');
  patterns.set(pattern, made);
  return made;
}

function checkArray(schema: ArraySchema, value: readonly unknown[]): readonly FieldError[] {
  if (value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) {
    return [createFieldError('too_many', `must have at most ${schema.maxItems} items`)];
  }
  return value.flatMap((item, index) => addFieldPrefix(String(index), listFieldErrors(schema.items, item)));
}

function checkObject(schema: ObjectSchema, value: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const { required = [], properties } = schema;
  const faults: FieldError[] = [];
  for (const name of required) {
    if (!Object.hasOwn(value, name)) faults.push({ ...createFieldError('required', 'is required'), field: name });
  }
  for (const [name, member] of Object.entries(properties)) {
    if (Object.hasOwn(value, name)) faults.push(...addFieldPrefix(name, listFieldErrors(member, value[name])));
  }
  if (schema.additionalProperties === false) {
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
    if (unknown !== undefined) {
      faults.push(createFieldError('unknown_member', `has an unknown member: ${showMemberName(unknown)}`));
    }
  }
  return faults;
}

function checkMap(schema: MapSchema, value: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const names = Object.keys(value);
  if (names.length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    return [createFieldError('too_many', `must have at most ${schema.maxProperties} members`)];
  }
  return names.flatMap((name) => {
    const found = listFieldErrors(schema.additionalProperties, value[name]);
    return found.length === 0 ? NONE : addFieldPrefix(toPrintable(name), found);
  });
}

/** A name that looks like the contract's names is probably misspelled. Any other name could be a value sent by mistake, so it is hidden. */
function showMemberName(name: string): string {
  return /^[a-z][a-z_]{0,39}$/.test(name) ? name : '(name not shown)';
}

function toPrintable(name: string): string {
  return /^[\w:.-]{1,64}$/.test(name) ? name : '(unprintable name)';
}

/** Prefixes nested errors with the name of their parent. */
function addFieldPrefix(name: string, faults: readonly FieldError[]): readonly FieldError[] {
  if (name === '' || faults.length === 0) return faults;
  return faults.map((each) => ({ ...each, field: each.field === '' ? name : `${name}.${each.field}` }));
}

/** Creates an error about the value itself. */
function createFieldError(code: string, message: string): FieldError {
  return { field: '', code, message };
}
