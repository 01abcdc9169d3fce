// What `\s` means in Java: these and no other white space.
const JAVA_WHITE_SPACE = ' \\t\\n\\v\\f\\r';
const DOT_ALL = '(?s)';

/**
 * Translates a pattern of the service model from Java's syntax: the whole text must match, and `\s` is ASCII only.
 *
 * @throws {SyntaxError} where the pattern uses what this translation does not know
 */
export function compilePattern(pattern: string): RegExp {
  const dotAll = pattern.startsWith(DOT_ALL);
  const source = (dotAll ? pattern.slice(DOT_ALL.length) : pattern)
    .replaceAll('[\\S]', `[^${JAVA_WHITE_SPACE}]`)
    .replaceAll('\\s', JAVA_WHITE_SPACE);
  if (source.includes('\\S')) throw new SyntaxError(`no translation for ${pattern}`);
  return new RegExp(`^(?:${source})$`, dotAll ? 'su' : 'u');
}
