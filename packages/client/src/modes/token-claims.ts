/**
 * The claims of a token, read and not verified: good for showing what the service itself has just given.
 * @throws {SyntaxError} it is no token
 */
export function decodeClaims(token: string): Readonly<Record<string, unknown>> {
  const base64 = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, unknown>>;
}
