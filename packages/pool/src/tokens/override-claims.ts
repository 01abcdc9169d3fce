import type { ClaimOverrides, GroupOverrides, TokenOverrides } from '../triggers/token-overrides.ts';
import type { AddedClaims } from './claims-hook.ts';
import type { GroupRoles } from './group-roles.ts';
import { isProtectedClaim } from './protected-claims.ts';

/** What others make of the tokens of a login: the hook of whoever runs the service, and the trigger of the pool. */
export interface TokenChanges {
  /** Never replaces what the pool writes. */
  readonly added: AddedClaims;
  /** Undefined where the pool has no such trigger. */
  readonly overrides: TokenOverrides | undefined;
}

/** Scopes that mean something to this pool are given by nobody else. */
const OWN_SCOPE = /^aws\.cognito\./;

/** The claims of a token as a trigger wants them, apart from those that say who logged in, how, and for whom. */
export function overrideClaims(
  claims: Readonly<Record<string, unknown>>,
  { set, suppress }: ClaimOverrides,
): Readonly<Record<string, unknown>> {
  const hidden = new Set(suppress.filter((name) => !isProtectedClaim(name)));
  const kept = Object.entries(claims).filter(([name]) => !hidden.has(name));
  const added = Object.entries(set).filter(([name, value]) => !isProtectedClaim(name) && value !== null);
  return Object.fromEntries([...kept, ...added]);
}

/** The scopes of an access token; a trigger may take any, and add those that open nothing here. */
export function overrideScopes(scopes: readonly string[], overrides: TokenOverrides | undefined): readonly string[] {
  if (overrides === undefined) return scopes;
  const kept = scopes.filter((scope) => !overrides.scopesToSuppress.includes(scope));
  return [...new Set([...kept, ...overrides.scopesToAdd.filter((scope) => !OWN_SCOPE.test(scope))])];
}

/** What a trigger says of groups is said in tokens only: what they open here is decided by the user's own. */
export function overrideGroups(groups: GroupRoles, overrides: GroupOverrides | undefined): GroupRoles {
  if (overrides === undefined) return groups;
  const { names = [], roles = [], preferredRole } = overrides;
  return { names, roles, preferredRole };
}
