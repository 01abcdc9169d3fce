import type { SearchableAttribute } from '@poolgate/pool/store';

// Those that are no columns of `users`.
const ATTRIBUTES = [
  'email',
  'phone_number',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
] as const satisfies readonly SearchableAttribute[];

/** An attribute whose values have rows of their own. */
export type IndexedAttribute = (typeof ATTRIBUTES)[number];

/** A value by which a user is found. */
export interface UserSearchRow {
  readonly attribute: IndexedAttribute;
  readonly value: string;
}

// An index row of PostgreSQL holds some 2,700 bytes; a character folds to 6 at most, and the user name is in it as well.
const MAX_CHARACTERS = 256;

// A noncharacter: what was cut short equals nothing that was not.
const CUT = '\uffff';

/** No PostgreSQL could keep a NUL or half a surrogate pair; in the attributes themselves they are escaped. */
function removeUnstorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * Text without case, character by character: so the folded prefix of a text is a prefix of the folded text.
 * Beginnings of longer texts are kept only.
 */
export function foldCase(text: string): string {
  const characters = Array.from(removeUnstorable(text));
  const head = characters.slice(0, MAX_CHARACTERS).map((character) => character.toUpperCase().toLowerCase());
  return head.join('') + (characters.length > MAX_CHARACTERS ? CUT : '');
}

/** The rows by which a user with these attributes is found. */
export function toSearchRows(attributes: Readonly<Record<string, string>>): readonly UserSearchRow[] {
  return ATTRIBUTES.flatMap((attribute) => {
    const value = attributes[attribute];
    return value === undefined ? [] : [{ attribute, value: foldCase(value) }];
  });
}

/**
 * A value to search for, as the rows hold it.
 * @throws RangeError for one that is longer than any Cognito filter.
 */
export function foldSearchValue(value: string): string {
  if (Array.from(value).length > MAX_CHARACTERS) {
    throw new RangeError(`value must have ${MAX_CHARACTERS} characters at most`);
  }
  return foldCase(value);
}

/** A user name, sub or status to search for: with case. */
export const toExactSearchValue = removeUnstorable;

const LAST_CODE_POINT = 0x10ffff;

function nextCodePoint(codePoint: number): number {
  // Surrogates are no characters.
  return codePoint === 0xd7ff ? 0xe000 : codePoint + 1;
}

/** The least text, by its bytes, that is greater than all texts with a prefix; undefined where there is none. */
export function findPrefixEnd(prefix: string): string | undefined {
  const codePoints = Array.from(prefix, (character) => Number(character.codePointAt(0)));
  while (codePoints.at(-1) === LAST_CODE_POINT) codePoints.pop();
  const last = codePoints.pop();
  return last === undefined ? undefined : String.fromCodePoint(...codePoints, nextCodePoint(last));
}
