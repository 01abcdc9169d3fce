import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type CredentialScope,
  malformedAuthorizationError,
  readAuthorization,
  SIGV4_SCHEME,
  SignatureError,
} from './sigv4-authorization.ts';
import type { RawRequest } from './sigv4-canonical.ts';
import { createCanonicalRequests, digestSha256Hex, groupHeadersByName } from './sigv4-canonical.ts';

/** The required scope of a signature. */
export interface SignatureScope {
  /** Undefined for any region. */
  readonly region: string | undefined;
  readonly service: string;
}

/** A parsed but unverified request with AWS Signature Version 4. */
export interface SignedRequest {
  readonly accessKeyId: string;
  /** The region of the signature. */
  readonly region: string;
  /** Whether this secret access key created the signature. Every outcome takes the same work. */
  isSignedWith(secretAccessKey: string): boolean;
}

/** How far a signature's date may differ from the current time. */
const MAX_SKEW_MS = 5 * 60_000;

/**
 * Parses the AWS Signature Version 4 in a request's `Authorization` header. `host`, the date and every `x-amz-*` header must be signed. The
 * body is always signed: a payload that is declared unsigned is refused. Any other header counts as the signer signed it. Signatures in the
 * query string are refused.
 *
 * @throws {SignatureError} the signature cannot be valid
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function readSignature(request: RawRequest, scope: SignatureScope, nowMs: number): SignedRequest {
  const headers = groupHeadersByName(request.rawHeaders);
  const fields = readAuthorization(headers.get('authorization') ?? []);
  if (QUERY_SIGNATURE.test(request.target)) {
    throw new SignatureError('malformed', 'Signatures in the query string are not accepted.');
  }
  const signedAt = readDate(headers);
  checkSignedHeaders(fields.signedHeaders, headers, signedAt.header);
  checkScope(fields.scope, scope, signedAt.stamp);
  checkAge(signedAt, nowMs);
  checkDeclaredHash(request, headers);

  const scopeText = fields.scope.join('/');
  const stringsToSign = createCanonicalRequests(request, headers, fields.signedHeaders).map((canonicalRequest) =>
    [SIGV4_SCHEME, signedAt.stamp, scopeText, digestSha256Hex(canonicalRequest)].join('\n'),
  );
  return {
    accessKeyId: fields.accessKeyId,
    region: fields.scope[1],
    isSignedWith(secretAccessKey) {
      const key = deriveSigningKey(secretAccessKey, fields.scope);
      const matches = stringsToSign.map((text) => timingSafeEqual(computeHmac(key, text), fields.signature));
      return matches.includes(true);
    },
  };
}

const QUERY_SIGNATURE = /[?&]x-amz-(?:signature|algorithm|credential)=/i;
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const BASIC_DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
interface SignedAt {
  readonly header: 'x-amz-date' | 'date';
  /** As in the string to sign: `20260131T235959Z`. */
  readonly stamp: string;
  readonly atMs: number;
}

function readDate(headers: ReadonlyMap<string, readonly string[]>): SignedAt {
  const header = headers.has('x-amz-date') ? 'x-amz-date' : 'date';
  const [value = '', ...more] = headers.get(header) ?? [];
  const atMs = more.length > 0 ? Number.NaN : parseDate(value);
  if (Number.isNaN(atMs)) throw malformedAuthorizationError("requires one valid 'X-Amz-Date' or 'Date' header");
  return { header, stamp: formatBasicDate(atMs), atMs };
}

function parseDate(text: string): number {
  if (HTTP_DATE.test(text)) return Date.parse(text);
  const parts = BASIC_DATE.exec(text);
  if (parts === null) return Number.NaN;
  const [, year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function formatBasicDate(atMs: number): string {
  return new Date(atMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function checkSignedHeaders(
  signedHeaders: readonly string[],
  headers: ReadonlyMap<string, readonly string[]>,
  dateHeader: string,
): void {
  const inOrder = signedHeaders.every(
    (name, index) => HEADER_NAME.test(name) && (signedHeaders[index - 1] ?? '') < name,
  );
  if (!inOrder)
    throw malformedAuthorizationError("has no valid 'SignedHeaders' parameter: lower case, sorted, each name once");
  const absent = signedHeaders.find((name) => !headers.has(name));
  if (absent !== undefined) throw unsignedPartError(`signed header '${absent}' is not in the request`);
  const needed = ['host', dateHeader, ...[...headers.keys()].filter((name) => name.startsWith('x-amz-'))];
  const missing = needed.find((name) => !signedHeaders.includes(name));
  if (missing !== undefined) throw unsignedPartError(`'${missing}' must be a signed header`);
}

function checkScope([date, region, service]: CredentialScope, expected: SignatureScope, stamp: string): void {
  if (service !== expected.service) {
    throw new SignatureError('misscoped', `Credential should be scoped to correct service: '${expected.service}'.`);
  }
  if (expected.region !== undefined && region !== expected.region) {
    throw new SignatureError('misscoped', `Credential should be scoped to correct region: '${expected.region}'.`);
  }
  if (date !== stamp.slice(0, 8)) {
    throw new SignatureError('misscoped', 'Date in Credential scope does not match the date of the request.');
  }
}

function checkAge({ stamp, atMs }: SignedAt, nowMs: number): void {
  const now = formatBasicDate(nowMs);
  if (atMs < nowMs - MAX_SKEW_MS) {
    const oldest = formatBasicDate(nowMs - MAX_SKEW_MS);
    throw new SignatureError('expired', `Signature expired: ${stamp} is now earlier than ${oldest} (${now} - 5 min.)`);
  }
  if (atMs > nowMs + MAX_SKEW_MS) {
    const newest = formatBasicDate(nowMs + MAX_SKEW_MS);
    throw new SignatureError(
      'expired',
      `Signature not yet current: ${stamp} is still later than ${newest} (${now} + 5 min.)`,
    );
  }
}

function checkDeclaredHash(request: RawRequest, headers: ReadonlyMap<string, readonly string[]>): void {
  const declared = headers.get('x-amz-content-sha256');
  if (declared !== undefined && declared.join(',') !== digestSha256Hex(request.body)) {
    throw new SignatureError('mismatch', "The header 'x-amz-content-sha256' does not match the body.");
  }
}

function deriveSigningKey(secretAccessKey: string, scope: CredentialScope): Uint8Array {
  return scope.reduce<Uint8Array>((key, part) => computeHmac(key, part), Buffer.from(`AWS4${secretAccessKey}`, 'utf8'));
}

function computeHmac(key: Uint8Array, text: string): Uint8Array {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

function unsignedPartError(fault: string): SignatureError {
  return new SignatureError('unsigned_part', `The request signature is not complete: ${fault}.`);
}
