/** Reads the claims of a token that is verified elsewhere. Undefined for other text. */
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
