/** A typical path segment: `login`, `mfa-setup`, `v1`, `favicon.ico`, `.well-known`. */
const WORD = /^\.?[a-z][a-z_-]{0,31}\d{0,2}(?:\.[a-z]{1,5})?$/;
const MAX_PARTS = 8;

/**
 * Makes an unknown path safe to log. Segments that are not plain words become a star, because they may contain a code, a token or an
 * address by mistake.
 */
export function toLoggablePath(path: string): string {
  const parts = path.split('/').slice(1);
  const shown = parts.slice(0, MAX_PARTS).map((part) => (part === '' || WORD.test(part) ? part : '*'));
  return `/${shown.join('/')}${parts.length > MAX_PARTS ? '/…' : ''}`;
}
