import type { SearchableAttribute } from '@poolgate/pool/store';

// The attributes that are not columns of `users`.
const ATTRIBUTES = [
  'email',
  'phone_number',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
] as const satisfies readonly SearchableAttribute[];

/** An attribute whose values have separate rows. */
export type IndexedAttribute = (typeof ATTRIBUTES)[number];

/** A value that finds a user. */
export interface UserSearchRow {
  readonly attribute: IndexedAttribute;
  readonly value: string;
}

// A PostgreSQL index row has about 2,700 bytes, a folded character takes 6 at most, and the username is in the row as well.
const MAX_CHARACTERS = 256;

// A noncharacter, so that a truncated text equals no complete one.
const CUT = '\uffff';

/** PostgreSQL cannot store NUL or half a surrogate pair. The attributes themselves escape them. */
function removeUnstorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Folds case character by character, so that the folded prefix of a text is a prefix of the folded text. Longer texts are truncated. */
export function foldCase(text: string): string {
  const characters = Array.from(removeUnstorable(text));
  const head = characters.slice(0, MAX_CHARACTERS).map((character) => character.toUpperCase().toLowerCase());
  return head.join('') + (characters.length > MAX_CHARACTERS ? CUT : '');
}

/** Creates the rows that find a user with these attributes. */
export function toSearchRows(attributes: Readonly<Record<string, string>>): readonly UserSearchRow[] {
  return ATTRIBUTES.flatMap((attribute) => {
    const value = attributes[attribute];
    return value === undefined ? [] : [{ attribute, value: foldCase(value) }];
  });
}

/**
 * Converts a search value to the form in the rows.
 * @throws RangeError the value is longer than any Cognito filter
 */
export function foldSearchValue(value: string): string {
  if (Array.from(value).length > MAX_CHARACTERS) {
    throw new RangeError(`value must have ${MAX_CHARACTERS} characters at most`);
  }
  return foldCase(value);
}

/** A case-sensitive search value: a username, sub or status. */
export const toExactSearchValue = removeUnstorable;

const LAST_CODE_POINT = 0x10ffff;

function nextCodePoint(codePoint: number): number {
  // Surrogates are not characters.
  return codePoint === 0xd7ff ? 0xe000 : codePoint + 1;
}

/** Returns the smallest text, by its bytes, that is greater than all texts with a prefix; undefined if none exists. */
export function findPrefixEnd(prefix: string): string | undefined {
  const codePoints = Array.from(prefix, (character) => Number(character.codePointAt(0)));
  while (codePoints.at(-1) === LAST_CODE_POINT) codePoints.pop();
  const last = codePoints.pop();
  return last === undefined ? undefined : String.fromCodePoint(...codePoints, nextCodePoint(last));
}
