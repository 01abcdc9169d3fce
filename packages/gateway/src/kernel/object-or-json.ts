import { checkSchema, type Schema, type Static } from '@poolgate/contract';
import { GatewayError, invalidFieldError } from './gateway-errors.ts';
import { JsonError, parseJson } from './json.ts';

/** A field that contains an object or its JSON text. */
export type ObjectOrJson = string | Readonly<Record<string, unknown>> | undefined;

/**
 * Reads a field that contains an object or its JSON text, and validates it as strictly as a body.
 * @throws {GatewayError} validation_failed
 */
export function readObjectOrJson<const S extends Schema>(schema: S, field: string, value: ObjectOrJson): Static<S> {
  return requireValidField(schema, field, parseObjectOrJson(field, value));
}

/** Validates the parsed value of a field. @throws {GatewayError} validation_failed */
export function requireValidField<const S extends Schema>(schema: S, field: string, parsed: unknown): Static<S> {
  const errors = checkSchema(schema, parsed, field);
  if (errors.length > 0) throw new GatewayError('validation_failed', 'The request is invalid.', { errors });
  return parsed as Static<S>;
}

/** Parses a field that contains an object or its JSON text. @throws {GatewayError} validation_failed */
export function parseObjectOrJson(field: string, value: ObjectOrJson): unknown {
  if (value === undefined) throw invalidFieldError(field, 'required', 'is required');
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw invalidFieldError(field, 'format', 'must be an object or its JSON text, without duplicate members', error);
  }
}
