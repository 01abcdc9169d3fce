import type { CallContext } from '@poolgate/provider';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { ProviderPasskey } from './present-passkey.ts';

/** Cognito's maximum page size, which is also the maximum number of a user's passkeys. */
const PAGE = 20;

/** Lists all passkeys of the caller at the provider. */
export async function listAllPasskeys(
  { provider }: GatewayDeps,
  { accessToken }: UserCaller,
  call: CallContext,
): Promise<readonly ProviderPasskey[]> {
  const known: ProviderPasskey[] = [];
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? {} : { NextToken: cursor };
    const page = await mapProviderErrors(
      provider.operations.listWebAuthnCredentials({ AccessToken: accessToken, MaxResults: PAGE, ...next }, call),
      TOKEN_ERRORS,
    );
    known.push(...page.Credentials);
    cursor = page.NextToken;
  } while (cursor !== undefined);
  return known;
}

/** Returns when the caller's passkeys were last used, in seconds by credential id; empty if the provider does not tell. */
export async function listLastPasskeyUses(
  { provider }: GatewayDeps,
  { accessToken }: UserCaller,
  call: CallContext,
): Promise<ReadonlyMap<string, number>> {
  const list = provider.extensions.list_passkey_uses;
  if (list === undefined) return new Map();
  const { LastUsedAt } = await mapProviderErrors(list({ AccessToken: accessToken }, call), TOKEN_ERRORS);
  return new Map(Object.entries(LastUsedAt));
}

/**
 * Like {@link listAllPasskeys}, and updates the caller's flag that says whether there are any, because passkeys also change outside of the
 * gateway.
 */
export async function syncPasskeys(
  deps: GatewayDeps,
  caller: UserCaller,
  call: CallContext,
): Promise<readonly ProviderPasskey[]> {
  let recorded = (await upsertCaller(deps, caller)).isWebauthnEnabled;
  for (;;) {
    const known = await listAllPasskeys(deps, caller, call);
    const has = known.length > 0;
    if (has === recorded) return known;
    await deps.records.localUsers.setWebauthnEnabled(deps.userPoolId, caller.sub, has, deps.clock.now());
    // A passkey that was added or removed since then updated the flag earlier than this write, so it must be checked again.
    recorded = has;
  }
}

/** Sets the flag of a caller who now has a passkey. */
export async function recordPasskeyFlag(deps: GatewayDeps, caller: UserCaller): Promise<void> {
  await upsertCaller(deps, caller);
  await deps.records.localUsers.setWebauthnEnabled(deps.userPoolId, caller.sub, true, deps.clock.now());
}

function upsertCaller({ records, userPoolId, clock }: GatewayDeps, { sub, username }: UserCaller) {
  return records.localUsers.upsert({ userPoolId, sub, username }, clock.now());
}
