import { OAuthError } from '@poolgate/provider';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import { type OAuthRequest, readFormValue, UNREADABLE } from './oauth-endpoint.ts';

/** The credentials that identify a client. */
export interface ClientCredentials {
  readonly ClientId: string;
  readonly ClientSecret?: string;
  readonly ClientAssertion?: string;
}

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;

/** RFC 7523 §2.2. */
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Reads the credentials of a client. They are a signed assertion in the body, or its id and secret in the `Authorization` header or in the
 * body, not in both (RFC 6749 §2.3).
 */
export function readClientCredentials(request: OAuthRequest): ClientCredentials {
  const { authorization } = request.headers;
  const id = readFormValue(request, 'client_id');
  const secret = readFormValue(request, 'client_secret');
  const assertion = readClientAssertion(request);
  if (assertion !== undefined) {
    if (secret !== undefined || authorization !== undefined) throw severalProofsError();
    return { ClientId: id ?? readAssertionSubject(assertion), ClientAssertion: assertion };
  }
  if (authorization === undefined) {
    if (id === undefined) throw new OAuthError('invalid_request', 'The parameter client_id is missing.');
    return { ClientId: id, ...(secret !== undefined && { ClientSecret: secret }) };
  }
  const basic = readBasicCredentials(authorization);
  if (basic === undefined) throw new OAuthError('invalid_client', 'The Authorization header must use HTTP Basic.');
  if (secret !== undefined) throw severalProofsError();
  if (id !== undefined && id !== basic.ClientId) {
    throw new OAuthError('invalid_request', 'The client_id does not match the Authorization header.');
  }
  return basic;
}

function severalProofsError(): OAuthError {
  return new OAuthError('invalid_request', 'The request contains more than one way to authenticate the client.');
}

function readClientAssertion(request: OAuthRequest): string | undefined {
  const type = readFormValue(request, 'client_assertion_type');
  const assertion = readFormValue(request, 'client_assertion');
  if (type === undefined && assertion === undefined) return undefined;
  if (type === ASSERTION_TYPE && assertion !== undefined) return assertion;
  throw new OAuthError('invalid_request', `The client_assertion_type must be ${ASSERTION_TYPE}.`);
}

/**
 * Returns the client ID that the assertion claims as its subject, unverified. Only the client with this ID accepts the assertion. The text
 * is checked, because JSON can contain characters that no database accepts.
 */
function readAssertionSubject(assertion: string): string {
  const sub = readUnverifiedClaims(assertion)?.sub;
  if (typeof sub === 'string' && sub !== '' && !UNREADABLE.test(sub)) return sub;
  throw new OAuthError('invalid_client', 'The client_assertion does not contain a client ID.');
}

function readBasicCredentials(header: string): ClientCredentials | undefined {
  const encoded = BASIC.exec(header)?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const [, ...parts] = /^([^:]+):(.*)$/s.exec(text) ?? [];
  const [ClientId, ClientSecret] = parts.map(decodeFormText);
  if (!ClientId || ClientSecret === undefined) return undefined;
  return ClientSecret === '' ? { ClientId } : { ClientId, ClientSecret };
}

/** Both are form-encoded first (RFC 6749 §2.3.1). */
function decodeFormText(text: string): string | undefined {
  try {
    // A secret of Cognito's may hold a plus, which clients that do not encode send as it is.
    const plain = text.includes('%') ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
    return UNREADABLE.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}
