import type { CallContext, LoginDescription } from '@poolgate/provider';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { recordLoginRevocation, recordUserRevocation } from '../kernel/revocations.ts';

const PAGE = 60;
/** Users with more logins must log in again after changing the password. */
const MAX_LOGINS = 300;

/**
 * Returns the ids of the caller's other logins, to be revoked here after a password change; undefined if they cannot be listed. A provider
 * that records revocations does so in the write that changes the password, so none is left.
 */
export async function listOtherLogins(
  { provider }: GatewayDeps,
  { accessToken, originJti }: UserCaller,
  call: CallContext,
): Promise<readonly string[] | undefined> {
  const list = provider.extensions.list_logins;
  if (list === undefined || originJti === undefined) return undefined;
  if (provider.recordsRevocations) return [];
  const known: LoginDescription[] = [];
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? {} : { NextToken: cursor };
    const page = await mapProviderErrors(list({ AccessToken: accessToken, Limit: PAGE, ...next }, call), TOKEN_ERRORS);
    known.push(...page.Logins);
    cursor = page.NextToken;
    if (known.length > MAX_LOGINS) return undefined;
  } while (cursor !== undefined);
  return known.map(({ Id }) => Id).filter((id) => id !== originJti);
}

/**
 * Revokes these logins of the caller here. If they are unknown, all are revoked, at the provider too.
 * @returns whether the caller's own login has ended as well
 */
export async function revokeOtherLogins(
  deps: GatewayDeps,
  caller: UserCaller,
  others: readonly string[] | undefined,
  call: CallContext,
): Promise<boolean> {
  if (others !== undefined) {
    for (const id of others) await recordLoginRevocation(deps, id);
    return false;
  }
  await revokeAllLogins(deps, caller, call);
  return true;
}

/** Revokes every login of the caller: here immediately, then at the provider. */
export async function revokeAllLogins(deps: GatewayDeps, caller: UserCaller, call: CallContext): Promise<void> {
  await recordUserRevocation(deps, caller.sub);
  await mapProviderErrors(
    deps.provider.operations.globalSignOut({ AccessToken: caller.accessToken }, call),
    TOKEN_ERRORS,
  );
}
