import { hasDuplicateMembers } from '../duplicate-members.ts';
import { ProtocolError } from './protocol-error.ts';

/** How deep values may nest. The deepest request of the model needs 5, a WebAuthn credential in a request 4. */
export const MAX_DEPTH = 16;

// Names through which a careless merge reaches the prototype of all objects. No member of the model has such a name.
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const NOT_JSON = 'The request body is not valid JSON.';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request body: one JSON object, or an empty body, which means `{}`. It drops nulls at every depth, because clients send them for
 * absent members.
 *
 * @throws {ProtocolError} SerializationException if the body is not UTF-8, JSON or an object, or is nested too deeply. The same for a
 *   duplicate member, a name that reaches prototypes, or text that cannot be stored faithfully (a lone surrogate, U+0000)
 */
export function readBody(body: string | Uint8Array): Readonly<Record<string, unknown>> {
  const text = decodeBody(body);
  const value = parseJson(text);
  if (!isRecord(value)) throw createSerializationError('The request body must be a JSON object.');
  if (hasDuplicateMembers(text, value)) throw createSerializationError('The request body names a member twice.');
  return cleanObject(value, 1);
}

/** Whether a JSON value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decodeBody(body: string | Uint8Array): string {
  try {
    return typeof body === 'string' ? body : utf8.decode(body);
  } catch {
    throw createSerializationError(NOT_JSON);
  }
}

function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be a secret.
    throw createSerializationError(NOT_JSON);
  }
}

/** Nulls were dropped before, from objects and lists alike. */
function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return requireWellFormedText(value);
  if (typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) throw createSerializationError('The request body nests too deeply.');
  if (isRecord(value)) return cleanObject(value, depth);
  return (value as readonly unknown[]).filter((item) => item !== null).map((item) => cleanValue(item, depth + 1));
}

function cleanObject(value: Readonly<Record<string, unknown>>, depth: number): Readonly<Record<string, unknown>> {
  // Without a prototype, missing members are missing: `record.toString` is undefined.
  const record: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value)) {
    if (FORBIDDEN_NAMES.has(name))
      throw createSerializationError('The request body has a member name that is not allowed.');
    const member = value[name];
    if (member !== null) record[requireWellFormedText(name)] = cleanValue(member, depth + 1);
  }
  return record;
}

function requireWellFormedText(text: string): string {
  if (text.includes('\0') || !text.isWellFormed())
    throw createSerializationError('The request body has a text that is not allowed.');
  return text;
}

function createSerializationError(message: string): ProtocolError {
  return new ProtocolError('SerializationException', message);
}
