import { checkSchema, passwordVerifier } from '@poolgate/contract';
import {
  type PasswordVerifierBody,
  readPasswordVerifier,
  requireVerifierPasswords,
} from '../challenges/password-verifier-fields.ts';
import { invalidFieldError } from '../kernel/gateway-errors.ts';
import { JsonError, parseJson } from '../kernel/json.ts';
import type { ObjectOrJson } from '../kernel/object-or-json.ts';
import { readSettableAttributes } from '../users/attributes.ts';
import { type ChallengeResponder, respondAtProvider } from './challenge-responder.ts';
import { hasMember } from './claim-fields.ts';

const FIELD = 'challenge_value';
const ATTRIBUTE_PREFIX = 'userAttributes.';
const MAX_PASSWORD_CHARACTERS = 256;
const MAX_ATTRIBUTE_CHARACTERS = 2048;

/**
 * Answers NEW_PASSWORD_REQUIRED. `password_verifier` may replace the password if the provider accepts verifiers.
 * @throws {GatewayError} feature_disabled: it does not
 */
export const answerNewPassword: ChallengeResponder = async (runtime, answer, call) => {
  const responses = readNewPasswordResponses(answer.value);
  if (!Object.hasOwn(responses, 'NEW_PASSWORD')) await requireVerifierPasswords(runtime);
  return respondAtProvider(runtime, answer, { name: 'NEW_PASSWORD_REQUIRED', responses }, call);
};

/**
 * Reads an answer to NEW_PASSWORD_REQUIRED: the new password, or an object (or its JSON text) with `NEW_PASSWORD` or `password_verifier`,
 * and `userAttributes.<name>` members.
 * @throws {GatewayError} validation_failed
 */
export function readNewPasswordResponses(value: ObjectOrJson): Readonly<Record<string, string>> {
  if (value === undefined) throw invalidFieldError(FIELD, 'required', 'is required');
  const object = typeof value === 'string' ? parseAnswerObject(value) : value;
  if (object === undefined) return { NEW_PASSWORD: requireText(value, 'challenge_value', MAX_PASSWORD_CHARACTERS) };
  const { NEW_PASSWORD, password_verifier: verifier, ...rest } = object;
  if (verifier !== undefined) return { ...toVerifierResponses(verifier, NEW_PASSWORD), ...readAttributes(rest) };
  requireText(NEW_PASSWORD, `${FIELD}.NEW_PASSWORD`, MAX_PASSWORD_CHARACTERS);
  return { NEW_PASSWORD: NEW_PASSWORD as string, ...readAttributes(rest) };
}

const VERIFIER = `${FIELD}.password_verifier`;

function toVerifierResponses(sent: unknown, password: unknown): Readonly<Record<string, string>> {
  if (password !== undefined) throw invalidFieldError(VERIFIER, 'not_allowed', 'cannot be combined with NEW_PASSWORD');
  if (checkSchema(passwordVerifier, sent).length > 0)
    throw invalidFieldError(VERIFIER, 'malformed', 'is not a valid password verifier');
  const { SaltHex, VerifierHex } = readPasswordVerifier(sent as PasswordVerifierBody, VERIFIER);
  return { PASSWORD_SALT: SaltHex, PASSWORD_VERIFIER: VerifierHex };
}

const NEW_PASSWORD_MEMBERS = ['NEW_PASSWORD', 'password_verifier'];

/** A password may start with a brace too, so only an object with one of these members counts as an object. */
function parseAnswerObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed = parseJson(text);
    const isAnswer = NEW_PASSWORD_MEMBERS.some((name) => hasMember(parsed, name));
    return isAnswer ? (parsed as Readonly<Record<string, unknown>>) : undefined;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.isAmbiguous) throw invalidFieldError(FIELD, 'format', 'must not contain duplicate members', error);
    return undefined;
  }
}

function readAttributes(members: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(members).map(([key, value]) => {
    if (!key.startsWith(ATTRIBUTE_PREFIX)) {
      throw invalidFieldError(FIELD, 'unknown_member', 'contains members that are not allowed');
    }
    const Name = key.slice(ATTRIBUTE_PREFIX.length);
    return { Name, Value: requireText(value, `${FIELD}.${ATTRIBUTE_PREFIX}*`, MAX_ATTRIBUTE_CHARACTERS) };
  });
  const settable = readSettableAttributes(entries, FIELD, ['email']);
  return Object.fromEntries(settable.map(({ Name, Value }) => [`${ATTRIBUTE_PREFIX}${Name}`, Value]));
}

function requireText(value: unknown, field: string, maxCharacters: number): string {
  if (typeof value !== 'string') throw invalidFieldError(field, 'type', 'must be of type string');
  if (value === '' || [...value].length > maxCharacters) {
    throw invalidFieldError(
      field,
      value === '' ? 'too_short' : 'too_long',
      `must have 1 to ${maxCharacters} characters`,
    );
  }
  return value;
}
