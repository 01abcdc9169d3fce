// The white space that `\s` matches in Java.
const JAVA_WHITE_SPACE = ' \\t\\n\\v\\f\\r';
const DOT_ALL = '(?s)';

/**
 * Translates a pattern of the service model from Java's syntax. The whole text must match, and `\s` is ASCII only.
 *
 * @throws {SyntaxError} the pattern uses syntax that this function does not know
 */
export function compilePattern(pattern: string): RegExp {
  const dotAll = pattern.startsWith(DOT_ALL);
  const source = (dotAll ? pattern.slice(DOT_ALL.length) : pattern)
    .replaceAll('[\\S]', `[^${JAVA_WHITE_SPACE}]`)
    .replaceAll('\\s', JAVA_WHITE_SPACE);
  if (source.includes('\\S')) throw new SyntaxError(`no translation for ${pattern}`);
  return new RegExp(`^(?:${source})$`, dotAll ? 'su' : 'u');
}
