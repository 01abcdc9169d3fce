import type { ClaimOverrides, GroupOverrides, TokenOverrides } from '../triggers/token-overrides.ts';
import type { AddedClaims } from './claims-hook.ts';
import type { GroupRoles } from './group-roles.ts';
import { isProtectedClaim } from './protected-claims.ts';

/** Changes to the tokens of a login by the service operator's hook and by the pool's trigger. */
export interface TokenChanges {
  /** Never replaces the pool's own claims. */
  readonly added: AddedClaims;
  /** Undefined if the pool has no such trigger. */
  readonly overrides: TokenOverrides | undefined;
}

/** Only the pool grants scopes that have a meaning to it. */
const OWN_SCOPE = /^aws\.cognito\./;

/** Applies a trigger's changes to a token's claims, except to those that identify the login, its method and its audience. */
export function overrideClaims(
  claims: Readonly<Record<string, unknown>>,
  { set, suppress }: ClaimOverrides,
): Readonly<Record<string, unknown>> {
  const hidden = new Set(suppress.filter((name) => !isProtectedClaim(name)));
  const kept = Object.entries(claims).filter(([name]) => !hidden.has(name));
  const added = Object.entries(set).filter(([name, value]) => !isProtectedClaim(name) && value !== null);
  return Object.fromEntries([...kept, ...added]);
}

/** Applies a trigger's changes to an access token's scopes. A trigger may remove any scope, and add those that have no meaning here. */
export function overrideScopes(scopes: readonly string[], overrides: TokenOverrides | undefined): readonly string[] {
  if (overrides === undefined) return scopes;
  const kept = scopes.filter((scope) => !overrides.scopesToSuppress.includes(scope));
  return [...new Set([...kept, ...overrides.scopesToAdd.filter((scope) => !OWN_SCOPE.test(scope))])];
}

/** A trigger's groups appear only in tokens. Here, only the user's own groups count. */
export function overrideGroups(groups: GroupRoles, overrides: GroupOverrides | undefined): GroupRoles {
  if (overrides === undefined) return groups;
  const { names = [], roles = [], preferredRole } = overrides;
  return { names, roles, preferredRole };
}
