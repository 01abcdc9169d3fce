import type { FieldError } from './errors.ts';
import type { AnyOfSchema, ArraySchema, MapSchema, ObjectSchema, Schema, StringSchema } from './schema.ts';

/**
 * Checks a value against a schema, without changing or coercing it.
 * @param field the name under which the value is reported; empty for the whole body
 * @returns one entry a fault, empty where the value is good; no entry repeats a value
 */
export function check(schema: Schema, value: unknown, field = ''): readonly FieldError[] {
  if ('anyOf' in schema) return checkAnyOf(schema, value, field);
  if (!hasType(schema, value)) return [fault(field, 'type', `must be of type ${schema.type}`)];
  switch (schema.type) {
    case 'string':
      return checkString(schema, value as string, field);
    case 'array':
      return checkArray(schema, value as readonly unknown[], field);
    case 'object': {
      const object = value as Readonly<Record<string, unknown>>;
      return 'properties' in schema ? checkObject(schema, object, field) : checkMap(schema, object, field);
    }
    default:
      return [];
  }
}

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

/** Where only one form is of the value's type, its faults say more than "no form fits". */
function checkAnyOf(schema: AnyOfSchema, value: unknown, field: string): readonly FieldError[] {
  const ofType = schema.anyOf.filter((form) => 'anyOf' in form || hasType(form, value));
  const faults = ofType.map((form) => check(form, value, field));
  if (faults.some((list) => list.length === 0)) return [];
  const [only, ...others] = faults;
  return only !== undefined && others.length === 0 ? only : [fault(field, 'type', 'has none of the allowed forms')];
}

function checkString(schema: StringSchema, value: string, field: string): readonly FieldError[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const length = needsCounting(value.length, minLength, maxLength) ? codePoints(value) : value.length;
  if (length < minLength) return [fault(field, 'too_short', `must have at least ${minLength} characters`)];
  if (length > maxLength) return [fault(field, 'too_long', `must have at most ${maxLength} characters`)];
  if (schema.enum && !schema.enum.includes(value)) {
    return [fault(field, 'not_allowed', `must be one of ${schema.enum.join(', ')}`)];
  }
  if (schema.pattern !== undefined && !compiled(schema.pattern).test(value)) {
    return [fault(field, 'format', 'has a form that is not allowed')];
  }
  return [];
}

/** A code point takes one or two units: far from the limits these tell enough. */
function needsCounting(units: number, minLength: number, maxLength: number): boolean {
  const isSurelyInside = units >= 2 * minLength && units <= maxLength;
  return !isSurelyInside && units <= 2 * maxLength;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const patterns = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  const found = patterns.get(pattern);
  if (found) return found;
  const made = new RegExp(pattern, 'u');
  patterns.set(pattern, made);
  return made;
}

function checkArray(schema: ArraySchema, value: readonly unknown[], field: string): readonly FieldError[] {
  if (value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) {
    return [fault(field, 'too_many', `must have at most ${schema.maxItems} items`)];
  }
  return value.flatMap((item, index) => check(schema.items, item, join(field, String(index))));
}

function checkObject(schema: ObjectSchema, value: Readonly<Record<string, unknown>>, field: string) {
  const faults: FieldError[] = [];
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) faults.push(fault(join(field, name), 'required', 'is required'));
  }
  for (const [name, member] of Object.entries(schema.properties)) {
    if (Object.hasOwn(value, name)) faults.push(...check(member, value[name], join(field, name)));
  }
  if (schema.additionalProperties === false) {
    const strangers = Object.keys(value).filter((name) => !Object.hasOwn(schema.properties, name));
    // The name comes from the request and could be a value by mistake, so it is not repeated.
    if (strangers.length > 0) faults.push(fault(field, 'unknown_member', 'has members that are not allowed here'));
  }
  return faults;
}

function checkMap(schema: MapSchema, value: Readonly<Record<string, unknown>>, field: string) {
  const entries = Object.entries(value);
  if (entries.length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    return [fault(field, 'too_many', `must have at most ${schema.maxProperties} members`)];
  }
  return entries.flatMap(([name, member]) => check(schema.additionalProperties, member, join(field, printable(name))));
}

function printable(name: string): string {
  return /^[\w:.-]{1,64}$/.test(name) ? name : '(unprintable name)';
}

function join(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

function fault(field: string, code: string, message: string): FieldError {
  return { field, code, message };
}
