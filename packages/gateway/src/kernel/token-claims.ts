/** The claims of a token that somebody else judges. Undefined where the text is no token. */
export function readUnverifiedClaims(token: string | undefined): Readonly<Record<string, unknown>> | undefined {
  const [, part = ''] = token?.split('.') ?? [];
  try {
    const claims: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    const isObject = typeof claims === 'object' && claims !== null && !Array.isArray(claims);
    return isObject ? (claims as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
