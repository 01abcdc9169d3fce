import type { CallContext, LoginDescription } from '@poolgate/provider';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { recordLoginRevocation, recordUserRevocation } from '../kernel/revocations.ts';

const PAGE = 60;
/** Whoever has more logins than this logs in once more after changing the password. */
const MAX_LOGINS = 300;

/**
 * The ids of the caller's other logins that a change of the password revokes here; undefined where they cannot be told one by one. A provider
 * that records revocations does it in the write that changes the password: none is left.
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
 * Revokes these logins of the caller here; all of them, and at the provider too, where they are not known one by one.
 * @returns whether the caller's own has ended as well
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

/** Revokes every login of the caller: here at once, then at the provider. */
export async function revokeAllLogins(deps: GatewayDeps, caller: UserCaller, call: CallContext): Promise<void> {
  await recordUserRevocation(deps, caller.sub);
  await mapProviderErrors(
    deps.provider.operations.globalSignOut({ AccessToken: caller.accessToken }, call),
    TOKEN_ERRORS,
  );
}
