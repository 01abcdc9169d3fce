/** What people call a part of a path: `login`, `mfa-setup`, `v1`, `favicon.ico`, `.well-known`. */
const WORD = /^\.?[a-z][a-z_-]{0,31}\d{0,2}(?:\.[a-z]{1,5})?$/;
const MAX_PARTS = 8;

/**
 * A path that is not known here, as a log may show it: with a star for each part that is no plain word, since a code, a token or an address
 * may have been put there by mistake.
 */
export function toLoggablePath(path: string): string {
  const parts = path.split('/').slice(1);
  const shown = parts.slice(0, MAX_PARTS).map((part) => (part === '' || WORD.test(part) ? part : '*'));
  return `/${shown.join('/')}${parts.length > MAX_PARTS ? '/…' : ''}`;
}
