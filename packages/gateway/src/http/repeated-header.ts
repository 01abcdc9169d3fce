// What says who asks, whom is asked and how the body is read. Of two, Node keeps the first, and a proxy in front may have judged the other.
const SINGLE: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);
const LENGTHS: ReadonlySet<number> = new Set([...SINGLE].map((name) => name.length));

/**
 * The name of a header that a request has twice though it may have one only (RFC 9112 section 3.2, RFC 9110 section 5.3).
 * @param rawHeaders names and values in turn (`IncomingMessage.rawHeaders`)
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
