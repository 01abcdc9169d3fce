import type { SignedInUser } from '../login/steps/login-steps.ts';
import type { TokensResponse } from '../transport/login-responses.ts';

/**
 * Reads the claims of a token without verifying it. Use it only to display what the service has just returned.
 * @throws {SyntaxError} the text is not a token
 */
export function decodeClaims(token: string): Readonly<Record<string, unknown>> {
  const base64 = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, unknown>>;
}

/** Claims about the token itself. */
const TOKEN_CLAIMS =
  /^(?:sub|iss|aud|exp|iat|nbf|jti|sid|acr|amr|auth_time|origin_jti|event_id|token_use|nonce|at_hash|identities|cognito:.*)$/;

/** The user of a login, as browser sessions show it. */
export function readTokenUser({ access_token, id_token }: TokensResponse): SignedInUser {
  const { username, 'cognito:groups': groups } = decodeClaims(access_token);
  const claims = decodeClaims(id_token);
  const { email, email_verified: isVerified, phone_number: phone } = claims;
  const attributes = Object.entries(claims).filter(
    (entry): entry is [string, string | number | boolean] =>
      !TOKEN_CLAIMS.test(entry[0]) && /^(?:string|number|boolean)$/.test(typeof entry[1]),
  );
  return {
    sub: String(claims.sub),
    username: String(username),
    email: typeof email === 'string' ? email : null,
    email_verified: isVerified === true || isVerified === 'true',
    ...(typeof phone === 'string' && { phone_number: phone }),
    groups: Array.isArray(groups) ? groups.map(String) : [],
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name, String(value)])),
  };
}
