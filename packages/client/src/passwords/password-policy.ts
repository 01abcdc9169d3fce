import { PoolgateError } from '../transport/poolgate-error.ts';
import type { RouteResponse } from '../transport/routes.ts';

/** The service's rules for new passwords. */
export type PasswordPolicy = NonNullable<RouteResponse<'loginParameters'>['password_policy']>;

/** A problem with a new password, in the service's own words. */
export type PasswordProblem =
  | 'password_malformed'
  | 'password_too_short'
  | 'password_too_long'
  | 'password_needs_uppercase'
  | 'password_needs_lowercase'
  | 'password_needs_number'
  | 'password_needs_symbol'
  | 'password_own_name'
  | 'password_too_common'
  | 'password_leaked';

interface Rule {
  readonly problem: PasswordProblem;
  readonly isBroken: (password: string, policy: PasswordPolicy, names: readonly string[]) => boolean;
}

const countCharacters = (text: string): number => Array.from(text).length;

/** The service's own rules, which it cannot check if it receives only a verifier. */
const RULES: readonly Rule[] = [
  { problem: 'password_malformed', isBroken: (password) => /^\s|\s$|\p{Cs}/u.test(password) },
  { problem: 'password_too_short', isBroken: (password, policy) => countCharacters(password) < policy.minimum_length },
  { problem: 'password_too_long', isBroken: (password, policy) => countCharacters(password) > policy.maximum_length },
  createCharacterRule('require_uppercase', /\p{Lu}/u, 'password_needs_uppercase'),
  createCharacterRule('require_lowercase', /\p{Ll}/u, 'password_needs_lowercase'),
  createCharacterRule('require_numbers', /\p{Nd}/u, 'password_needs_number'),
  {
    problem: 'password_needs_symbol',
    isBroken: (password, { require_symbols, symbols }) =>
      require_symbols && !Array.from(password).some((character) => symbols.includes(character)),
  },
  {
    problem: 'password_own_name',
    isBroken: (password, policy, names) => policy.refuse_common && isName(password, names),
  },
];

type CharacterSwitch = 'require_uppercase' | 'require_lowercase' | 'require_numbers';

function createCharacterRule(name: CharacterSwitch, pattern: RegExp, problem: PasswordProblem): Rule {
  return { problem, isBroken: (password, policy) => policy[name] && !pattern.test(password) };
}

/** The forms in which the service compares a password: lowercase, with and without trailing digits and symbols. */
export function listPasswordVariants(password: string): readonly string[] {
  const folded = password.toLowerCase();
  return [...new Set([folded, folded.replace(/[\p{Nd}\p{P}\p{S}\s]+$/u, '')])];
}

function isName(password: string, names: readonly string[]): boolean {
  const forms = listPasswordVariants(password);
  const own = names.flatMap((name) => [name, name.split('@')[0] ?? '']).map((name) => name.toLowerCase());
  return own.some((name) => name !== '' && forms.includes(name));
}

/**
 * Lists everything that `/login/parameters` forbids about a new password. It does not check the lists of common and leaked passwords;
 * setting a password does.
 * @param names of the user: the password must not equal any of them
 */
export function passwordProblems(
  policy: PasswordPolicy | null,
  password: string,
  names: readonly string[] = [],
): readonly PasswordProblem[] {
  if (policy === null) return [];
  return RULES.filter((rule) => rule.isBroken(password, policy, names)).map(({ problem }) => problem);
}

/** @throws {PoolgateError} `validation_failed`, in the service's format, with a field error for each problem */
export function requireGoodPassword(field: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const fieldErrors = problems.map((code) => ({ field, code, message: code.replaceAll('_', ' ') }));
  throw new PoolgateError({ code: 'validation_failed', status: 422, fieldErrors });
}
