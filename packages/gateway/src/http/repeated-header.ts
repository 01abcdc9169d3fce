// Headers that identify the caller, the host or the body's format. Of two, Node keeps the first, while a proxy may have checked the other.
const SINGLE: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);
const LENGTHS: ReadonlySet<number> = new Set([...SINGLE].map((name) => name.length));

/**
 * Returns the name of a duplicate header that may occur only once (RFC 9112 section 3.2, RFC 9110 section 5.3).
 * @param rawHeaders alternating names and values (`IncomingMessage.rawHeaders`)
 */
export function findRepeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (!LENGTHS.has(sent.length)) continue;
    const name = sent.toLowerCase();
    if (seen.includes(name)) return name;
    if (SINGLE.has(name)) seen.push(name);
  }
  return undefined;
}
