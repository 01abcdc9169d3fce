import { ProviderError } from '@poolgate/provider';
import type { SearchableAttribute, UserSearch } from '../store/records.ts';

const MAX_CHARACTERS = 256;

/** A condition: a name, optionally in quotes, `=` or `^=`, and a value in quotes, in which a backslash escapes quotes and backslashes. */
const CONDITION = /^\s*("?)([^\s="^]+)\1\s*(\^?=)\s*"((?:[^"\\]|\\["\\])*)"\s*$/u;

const SEARCHABLE: Readonly<Record<SearchableAttribute, true>> = {
  username: true,
  sub: true,
  email: true,
  phone_number: true,
  name: true,
  given_name: true,
  family_name: true,
  preferred_username: true,
  'cognito:user_status': true,
  status: true,
};

/**
 * Parses the `Filter` of `ListUsers`; undefined for an empty filter.
 * @throws {ProviderError} `InvalidParameterException`
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/how-to-manage-user-accounts.html
 */
export function parseUserFilter(filter: string): UserSearch | undefined {
  if (filter.length > MAX_CHARACTERS) {
    throw invalidParameterError(
      `1 validation error detected: Value at 'filter' failed to satisfy constraint: Member must have length less than or equal to ${MAX_CHARACTERS}`,
    );
  }
  if (filter.trim() === '') return undefined;
  const [, , attribute = '', sign, quoted = ''] = CONDITION.exec(filter) ?? [];
  if (sign === undefined) throw invalidParameterError('Error while parsing filter');
  if (!isSearchable(attribute)) throw invalidParameterError(`Invalid search attribute: ${attribute}`);
  const value = quoted.replaceAll(/\\(["\\])/g, '$1');
  return { attribute, match: sign === '=' ? 'equals' : 'prefix', value };
}

function isSearchable(name: string): name is SearchableAttribute {
  return Object.hasOwn(SEARCHABLE, name);
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
