/** Why a signed request is refused before its key is looked up. */
export type SignatureErrorReason = 'missing' | 'malformed' | 'unsigned_part' | 'misscoped' | 'expired' | 'mismatch';

/** A signature that is invalid with any key. The message is for the caller and contains no secret. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly reason: SignatureErrorReason;

  constructor(reason: SignatureErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The scheme in the `Authorization` header. */
export const SIGV4_SCHEME = 'AWS4-HMAC-SHA256';

/** The credential scope, in the order in which a signing key is derived. */
export type CredentialScope = readonly [date: string, region: string, service: string, terminator: string];

/** The `Authorization` header of a signed request. */
export interface SigV4Authorization {
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
  readonly signedHeaders: readonly string[];
  readonly signature: Uint8Array;
}

/**
 * Parses the only `Authorization` header of a request.
 *
 * @throws {SignatureError} missing or malformed
 */
export function readAuthorization(values: readonly string[]): SigV4Authorization {
  const [value, ...more] = values;
  if (value === undefined) throw new SignatureError('missing', 'Missing Authentication Token');
  if (more.length > 0) throw malformedAuthorizationError('has more than one SigV4Authorization header');
  if (!value.startsWith(`${SIGV4_SCHEME} `)) throw malformedAuthorizationError(`does not use ${SIGV4_SCHEME}`);
  const parameters = readParameters(value.slice(SIGV4_SCHEME.length + 1));
  const [terminator = '', service = '', region = '', date = '', ...id] = parameters.Credential.split('/').reverse();
  if (id.length === 0 || terminator !== TERMINATOR)
    throw malformedAuthorizationError("has no valid 'Credential' parameter");
  if (!SIGNATURE.test(parameters.Signature)) throw malformedAuthorizationError("has no valid 'Signature' parameter");
  return {
    accessKeyId: id.reverse().join('/'),
    scope: [date, region, service, terminator],
    signedHeaders: parameters.SignedHeaders.split(';'),
    signature: Buffer.from(parameters.Signature, 'hex'),
  };
}

const SIGNATURE = /^[0-9a-f]{64}$/;
const TERMINATOR = 'aws4_request';
const PARAMETER = /^([^=]*)=?(.*)$/s;
const PARAMETERS = ['Credential', 'SignedHeaders', 'Signature'] as const;

function readParameters(text: string): Readonly<Record<(typeof PARAMETERS)[number], string>> {
  const given = new Map<string, string>();
  for (const part of text.split(',')) {
    const [, name = '', value = ''] = PARAMETER.exec(part.trim()) ?? [];
    if (given.has(name)) throw malformedAuthorizationError('has a parameter twice');
    given.set(name, value);
  }
  const [Credential, SignedHeaders, Signature] = PARAMETERS.map((name) => given.get(name));
  if (!Credential || !SignedHeaders || !Signature || given.size !== PARAMETERS.length) {
    throw malformedAuthorizationError(`requires exactly the parameters ${PARAMETERS.join(', ')}`);
  }
  return { Credential, SignedHeaders, Signature };
}

/** The `Authorization` header cannot be parsed. */
export function malformedAuthorizationError(fault: string): SignatureError {
  return new SignatureError('malformed', `Authorization header ${fault}.`);
}
