/**
 * Reads the claims of a token without verifying it. Use it only to display what the service has just returned.
 * @throws {SyntaxError} the text is not a token
 */
export function decodeClaims(token: string): Readonly<Record<string, unknown>> {
  const base64 = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, unknown>>;
}
