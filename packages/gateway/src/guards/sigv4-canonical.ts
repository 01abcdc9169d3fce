import { createHash } from 'node:crypto';

/** A request as received, before decoding: the input of a signature. */
export interface RawRequest {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly target: string;
  /** Alternating names and values in their order (`IncomingMessage.rawHeaders`). */
  readonly rawHeaders: readonly string[];
  /** Every byte of the body, undecoded. */
  readonly body: Uint8Array;
}

/** SHA-256 as lowercase hexadecimal. Text is hashed byte by byte as Node read it from the connection (latin1). */
export function digestSha256Hex(data: string | Uint8Array): string {
  const hash = createHash('sha256');
  return (typeof data === 'string' ? hash.update(data, 'latin1') : hash.update(data)).digest('hex');
}

/** Groups headers by lowercase name, with the values of a repeated header in order. */
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
 * Creates the canonical requests that a signer may have meant, in AWS's format; usually they are identical. Signers encode the target
 * differently: the SDKs encode the path again and sort the query, while curl uses both unchanged. Two requests with the same canonical form
 * always have the same path and query.
 *
 * @param signedHeaders lowercase names, sorted
 * @returns an empty list if the target cannot be read
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

// Unlike AWS, it does not normalize dot and empty segments, because no path of this service has them.
function listPathForms(path: string): readonly string[] {
  const encodedAgain = path.split('/').map(encode).join('/');
  // An encoded percent sign in an unchanged path could also come from another path that was encoded twice.
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

/** Separates name and value for sorting. It sorts before any encoded text, so that names are compared first. */
const BETWEEN = '\n';

function readPair(text: string): string | undefined {
  const equals = text.indexOf('=');
  const name = reencode(equals < 0 ? text : text.slice(0, equals));
  const value = reencode(equals < 0 ? '' : text.slice(equals + 1));
  return name === undefined || value === undefined ? undefined : name + BETWEEN + value;
}

function reencode(text: string): string | undefined {
  try {
    // This service reads a plus sign in a query as a space, so it is signed as one.
    return encode(decodeURIComponent(text.replaceAll('+', '%20')));
  } catch {
    return undefined;
  }
}

/** Percent-encodes everything except RFC 3986's unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
