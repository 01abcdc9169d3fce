import type { Schema } from '@poolgate/contract';
import { CHALLENGES } from '@poolgate/provider';
import { invalidFieldError } from '../kernel/gateway-errors.ts';
import { type ObjectOrJson, readObjectOrJson } from '../kernel/object-or-json.ts';
import type { ProviderResponses } from './challenge-responder.ts';

/** The values of challenges that are answered with one text. */

const FIELD = 'challenge_value';
const MAX_CODE_CHARACTERS = 64;
const MAX_PASSWORD_CHARACTERS = 256;
const MAX_ANSWER_CHARACTERS = 2_048;

/** Empty once the authenticator is verified, or the address that becomes the factor. */
const SET_UP = {
  type: 'object',
  properties: { EMAIL: { type: 'string', minLength: 3, maxLength: 128, pattern: '^[^\\s@\\p{C}]+@[^\\s@\\p{C}]+$' } },
  additionalProperties: false,
} as const satisfies Schema;

/**
 * Reads a code, or a recovery code instead, under the provider's name.
 * @returns a reader; @throws {GatewayError} validation_failed, from the reader
 */
export function createCodeReader(key: string): (value: ObjectOrJson) => ProviderResponses {
  return (value) => {
    const code = requireText(value, MAX_CODE_CHARACTERS);
    if (!/^[\x20-\x7e]+$/.test(code)) throw invalidFieldError(FIELD, 'format', 'has an invalid format');
    return { [key]: code };
  };
}

/** Reads the answer to a trigger's challenge, whatever it is. @throws {GatewayError} validation_failed */
export function readAnswer(value: ObjectOrJson): ProviderResponses {
  return { ANSWER: requireText(value, MAX_ANSWER_CHARACTERS) };
}

/** Reads a password. @throws {GatewayError} validation_failed */
export function readPassword(value: ObjectOrJson): ProviderResponses {
  return { PASSWORD: requireText(value, MAX_PASSWORD_CHARACTERS) };
}

/**
 * Reads one of a challenge's choices, in any case.
 * @returns a reader; @throws {GatewayError} validation_failed, from the reader
 */
export function createChoiceReader(
  name: 'SELECT_MFA_TYPE' | 'SELECT_CHALLENGE',
): (value: ObjectOrJson) => ProviderResponses {
  return (value) => ({ ANSWER: requireChoice(name, value) });
}

/** Returns the chosen name in uppercase. @throws {GatewayError} validation_failed */
export function requireChoice(
  name: 'SELECT_MFA_TYPE' | 'SELECT_CHALLENGE',
  value: unknown,
  field: string = FIELD,
): string {
  const choices: readonly string[] = CHALLENGES[name].choices;
  const chosen = typeof value === 'string' ? value.toUpperCase() : '';
  if (!choices.includes(chosen)) throw invalidFieldError(field, 'not_allowed', `must be one of ${choices.join(', ')}`);
  return chosen;
}

/** Reads an answer to MFA_SETUP. @throws {GatewayError} validation_failed */
export function readMfaSetup(value: ObjectOrJson): ProviderResponses {
  const { EMAIL } = readObjectOrJson(SET_UP, FIELD, value ?? {});
  return EMAIL === undefined ? {} : { EMAIL };
}

function requireText(value: ObjectOrJson, maxCharacters: number): string {
  if (value === undefined) throw invalidFieldError(FIELD, 'required', 'is required');
  if (typeof value !== 'string') throw invalidFieldError(FIELD, 'type', 'must be of type string');
  if ([...value].length > maxCharacters) {
    throw invalidFieldError(FIELD, 'too_long', `must have at most ${maxCharacters} characters`);
  }
  return value;
}
