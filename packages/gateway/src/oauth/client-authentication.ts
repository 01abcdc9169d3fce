import { OAuthError } from '@poolgate/provider';
import { type OAuthRequest, readFormValue } from './oauth-endpoint.ts';

/** By what a client says who it is. */
export interface ClientCredentials {
  readonly ClientId: string;
  readonly ClientSecret?: string;
}

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * The credentials of a client: in the `Authorization` header or in the body, not in both (RFC 6749 §2.3).
 * @throws {OAuthError} `invalid_request`, `invalid_client`
 */
export function readClientCredentials(request: OAuthRequest): ClientCredentials {
  const { authorization } = request.headers;
  const id = readFormValue(request, 'client_id');
  const secret = readFormValue(request, 'client_secret');
  if (authorization === undefined) {
    if (id === undefined) throw new OAuthError('invalid_request', 'The parameter client_id is missing.');
    return { ClientId: id, ...(secret !== undefined && { ClientSecret: secret }) };
  }
  const basic = readBasicCredentials(authorization);
  if (basic === undefined) throw new OAuthError('invalid_client', 'The Authorization header is not of HTTP Basic.');
  if (secret !== undefined) throw new OAuthError('invalid_request', 'The client proves itself in more than one way.');
  if (id !== undefined && id !== basic.ClientId) {
    throw new OAuthError('invalid_request', 'The client_id is not that of the Authorization header.');
  }
  return basic;
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
    return /[\p{Cc}\p{Cs}]/u.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}
