import { ProviderError } from '@poolgate/provider';
import type { AddedClaims } from './claims-hook.ts';
import type { TokenSubject } from './login-tokens.ts';
import { isProtectedClaim } from './protected-claims.ts';
import type { AddClaimsPort } from './token-ports.ts';

const NOTHING: AddedClaims = {};

/**
 * Asks the integrator's hook for additional claims. Call it before anything is spent for the tokens.
 * @throws {ProviderError} `UnexpectedLambdaException`: the hook failed, or returned something other than JSON
 */
export async function requestAddedClaims(
  ports: AddClaimsPort,
  { pool, client, user }: TokenSubject,
): Promise<AddedClaims> {
  const { addClaims } = ports;
  if (addClaims === undefined) return NOTHING;
  const { sub, username, groups, attributes } = user;
  const names = groups.map(({ name }) => name);
  try {
    const question = { userPoolId: pool.id, clientId: client.id, sub, username, groups: names, attributes };
    const { access, id } = await addClaims(question);
    return { access: withoutProtectedClaims(access), id: withoutProtectedClaims(id) };
  } catch (cause) {
    throw new ProviderError('UnexpectedLambdaException', 'Adding claims to the tokens failed.', { cause });
  }
}

/** As JSON, so that the signed value is the checked one. */
function withoutProtectedClaims(claims: AddedClaims['access'] = {}): Readonly<Record<string, unknown>> {
  const written = Object.entries(JSON.parse(JSON.stringify(claims)) as object);
  return Object.fromEntries(written.filter(([name]) => !isProtectedClaim(name)));
}
