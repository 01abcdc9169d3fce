/**
 * Returns the key id of an access token in Cognito's format, a compact JWS (RFC 7515 section 7.1). The header has `alg` RS256 or ES256,
 * `kid` and at most `typ`; the claims are one JSON object. Duplicate names are rejected in both, because parsers disagree about which
 * one counts. Any other header member is rejected: `crit`, `b64`, `jku`, `jwk`, `x5u` and `x5c` only help an attacker here.
 *
 * @returns undefined for other text; nothing is verified yet
 */
export function readKeyId(token: string): string | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const parts = COMPACT.exec(token);
  if (parts === null) return undefined;
  const [, headerPart = '', claimsPart = ''] = parts;
  const header = readObject(headerPart);
  if (header === undefined || readObject(claimsPart) === undefined) return undefined;
  const { alg, kid } = header;
  const isPlain = (alg === 'RS256' || alg === 'ES256') && Object.keys(header).every((name) => HEADER_NAMES.has(name));
  return isPlain && typeof kid === 'string' && kid.length <= MAX_KID_LENGTH ? kid : undefined;
}

const MAX_TOKEN_LENGTH = 16_384;
const MAX_KID_LENGTH = 128;
const COMPACT = /^([\w-]+)\.([\w-]+)\.[\w-]+$/;
const HEADER_NAMES: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readObject(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = utf8.decode(Buffer.from(part, 'base64url'));
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return hasDuplicateName(text) ? undefined : (value as Readonly<Record<string, unknown>>);
  } catch {
    return undefined;
  }
}

/** Whether an object in valid JSON text, at any depth, has a duplicate member. */
function hasDuplicateName(json: string): boolean {
  const open: Set<string>[] = [];
  for (const { 0: token, groups } of json.matchAll(NAME_OR_BRACE)) {
    const name = groups?.name;
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (name !== undefined) {
      const plain = JSON.parse(name) as string;
      const names = open.at(-1);
      if (names?.has(plain)) return true;
      names?.add(plain);
    }
  }
  return false;
}

// A string followed by a colon is a name. Other strings are matched too, so that their content is skipped.
const NAME_OR_BRACE = /(?<name>"(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"|[{}]/g;
