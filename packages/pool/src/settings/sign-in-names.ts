import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { UserRecord } from '../store/records.ts';

/** ASCII without control characters is already composed, so most names only need lowercasing. */
const PLAIN = /^[ -~]*$/;

const MAX_CODE_POINTS = 128;
const MAX_BYTES = 512;

/**
 * Converts a name to the only form that is stored, compared and looked up: compatibility composition (NFKC), and folded case if the pool
 * ignores it. It is idempotent and defined for every text.
 */
export function toCanonicalName(settings: Pick<PoolSettings, 'usernamesAreCaseSensitive'>, typed: string): string {
  if (PLAIN.test(typed)) return settings.usernamesAreCaseSensitive ? typed : typed.toLowerCase();
  const composed = typed.toWellFormed().normalize('NFKC');
  return settings.usernamesAreCaseSensitive ? composed : foldCase(composed);
}

/** Folding can create sequences that compose, and composing can create letters that fold, so both are repeated until nothing changes. */
function foldCase(text: string): string {
  const folded = Array.from(text, foldLetter).join('').normalize('NFKC');
  return folded === text ? text : foldCase(folded);
}

/** Letter by letter, because the lowercase of a whole text depends on the position of a sigma. */
function foldLetter(letter: string): string {
  return letter.toLowerCase().replaceAll('ς', 'σ');
}

/**
 * Whether a canonical name can be a name at all (Cognito: 1 to 128 letters, marks, symbols, numbers and punctuation). Compatibility
 * composition may lengthen a text eighteenfold, so the bytes are limited for index keys.
 */
export function isValidSignInName(name: string): boolean {
  return (
    /^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u.test(name) &&
    Array.from(name).length <= MAX_CODE_POINTS &&
    Buffer.byteLength(name) <= MAX_BYTES
  );
}

type NameableUser = Pick<UserRecord, 'username' | 'sub' | 'status' | 'attributes'>;

/** The canonical names that certainly belong to a user: username, sub, and the verified contacts that the pool accepts for sign-in. */
export function listVerifiedNames(settings: PoolSettings, user: NameableUser): readonly string[] {
  // A chosen name needs no verification, but a confirmed user (Cognito: `preferred_username` cannot be used before).
  if (user.status === 'EXTERNAL_PROVIDER') return toCanonicalNames(settings, [user.username, user.sub]);
  const further = [...settings.usernameAttributes, ...settings.aliasAttributes]
    .filter((attribute) => isVerifiedName(attribute, user))
    .map((attribute) => user.attributes[attribute]);
  return toCanonicalNames(settings, [user.username, user.sub, ...further]);
}

/** Unverified contacts, in pools where users sign up with a contact as their name. */
function isVerifiedName(attribute: string, user: NameableUser): boolean {
  if (attribute === 'preferred_username') return user.status !== 'UNCONFIRMED';
  return user.attributes[`${attribute}_verified`] === 'true';
}

/** The account name that an authenticator or an email shows to the user. If usernames are UUIDs, the sign-in name is more useful. */
export function listUnverifiedNames(settings: PoolSettings, user: NameableUser): readonly string[] {
  if (user.status === 'EXTERNAL_PROVIDER') return [];
  const claimed = settings.usernameAttributes.filter((attribute) => !isVerifiedName(attribute, user));
  return toCanonicalNames(
    settings,
    claimed.map((attribute) => user.attributes[attribute]),
  );
}

function toCanonicalNames(settings: PoolSettings, texts: readonly (string | undefined)[]): readonly string[] {
  const present = texts.filter((text): text is string => text !== undefined && text !== '');
  return [...new Set(present.map((text) => toCanonicalName(settings, text)))];
}

/**
 * Returns the name by which users know their account, for authenticators and emails. If usernames are UUIDs, the sign-in name is more
 * useful.
 */
export function chooseDisplayName(
  { usernameAttributes }: PoolSettings,
  { username, attributes }: NameableUser,
): string {
  const contact = usernameAttributes.map((name) => attributes[name]).find(Boolean);
  return contact ?? username;
}
