import { createHash } from 'node:crypto';

/** A request as it came over the connection, before anything was decoded: what a signature is over. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  /** Names and values in turn, in their order (`IncomingMessage.rawHeaders`). */
  readonly rawHeaders: readonly string[];
  /** Every byte of the body, undecoded. */
  readonly body: Uint8Array;
}

/** SHA-256 as lower-case hexadecimal. Text is hashed byte by byte as Node read it from the connection (latin1). */
export function digestSha256Hex(data: string | Uint8Array): string {
  const hash = createHash('sha256');
  return (typeof data === 'string' ? hash.update(data, 'latin1') : hash.update(data)).digest('hex');
}

/** The headers by lower-case name; the values of a repeated header in their order. */
export function groupHeadersByName(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  let values: string[] = [];
  for (const [index, text] of rawHeaders.entries()) {
    if (index % 2 === 1) values.push(text);
    else {
      const name = text.toLowerCase();
      values = headers.get(name) ?? [];
      headers.set(name, values);
    }
  }
  return headers;
}

/**
 * The canonical requests that a signer may have meant, each in AWS's form; mostly they are all the same text.
 * Signers differ in how they write the target: the SDKs encode the path a second time and sort the query, curl takes
 * both as they are sent. Two requests that share a canonical form always mean the same path and the same query.
 *
 * @param signedHeaders lower-case names, sorted
 * @returns none where the target cannot be read
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function createCanonicalRequests(
  request: RawRequest,
  headers: ReadonlyMap<string, readonly string[]>,
  signedHeaders: readonly string[],
): readonly string[] {
  const [path = '', ...afterPath] = request.target.split('?');
  const query = afterPath.join('?');
  if (!path.startsWith('/')) return [];
  const headerLines = signedHeaders.map((name) => `${name}:${canonicalizeValue(headers.get(name) ?? [])}`);
  const tail = [...headerLines, '', signedHeaders.join(';'), digestSha256Hex(request.body)].join('\n');
  const forms = listPathForms(path).flatMap((pathForm) =>
    listQueryForms(query).map((queryForm) => `${request.method}\n${pathForm}\n${queryForm}\n${tail}`),
  );
  return [...new Set(forms)];
}

function canonicalizeValue(values: readonly string[]): string {
  return values.map((value) => value.replace(/[ \t]+/g, ' ').replace(/^ | $/g, '')).join(',');
}

// Dot and empty segments are not folded as AWS does: a path that needs it is no path of this service.
function listPathForms(path: string): readonly string[] {
  const encodedAgain = path.split('/').map(encode).join('/');
  // A path with an encoded percent sign, taken as it is, could be another path encoded twice.
  return path.includes('%25') ? [encodedAgain] : [encodedAgain, path];
}

function listQueryForms(query: string): readonly string[] {
  const sorted = sortQuery(query);
  return sorted === undefined ? [] : [sorted, query];
}

function sortQuery(query: string): string | undefined {
  if (query === '') return '';
  const pairs = query.split('&').map(readPair);
  if (pairs.includes(undefined)) return undefined;
  return pairs
    .sort()
    .map((pair) => pair?.replace(BETWEEN, '='))
    .join('&');
}

/** Between name and value while pairs are sorted: before whatever stands in encoded text, so that names are compared first. */
const BETWEEN = '\n';

function readPair(text: string): string | undefined {
  const equals = text.indexOf('=');
  const name = reencode(equals < 0 ? text : text.slice(0, equals));
  const value = reencode(equals < 0 ? '' : text.slice(equals + 1));
  return name === undefined || value === undefined ? undefined : name + BETWEEN + value;
}

function reencode(text: string): string | undefined {
  try {
    // In a query a plus sign is read as a space here, so it is signed as one.
    return encode(decodeURIComponent(text.replaceAll('+', '%20')));
  } catch {
    return undefined;
  }
}

/** Percent-encodes everything but RFC 3986's unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
