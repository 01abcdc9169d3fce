import { type CallContext, type Output, ProviderError } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { requireSub } from './present-user.ts';

/**
 * Updates a user's local `password_reset_required` from the provider.
 * @param username any name of the user
 * @returns the `sub`; undefined if the provider does not reveal it, in which case nothing is updated
 */
export async function syncResetFlag(
  deps: GatewayDeps,
  username: string,
  call: CallContext,
): Promise<string | undefined> {
  const { userPoolId, records, clock } = deps;
  let recorded: boolean | undefined;
  for (;;) {
    const user = await findUserIfAllowed(deps, username, call);
    if (user === undefined) return undefined;
    const sub = requireSub(user);
    const isRequired = user.UserStatus === 'RESET_REQUIRED';
    if (isRequired === recorded) return sub;
    await records.localUsers.setPasswordResetRequired(
      { userPoolId, sub, username: user.Username },
      isRequired,
      clock.now(),
    );
    // A reset that was required or completed since then updated the flag earlier than this write, so it must be checked again.
    recorded = isRequired;
  }
}

/** Awaits a login step. If it fails because the password must be reset, the local flag is set. */
export async function recordRequiredReset<T>(
  deps: GatewayDeps,
  username: string,
  step: Promise<T>,
  call: CallContext,
): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (isResetRequired(error)) await syncResetFlag(deps, username, call);
    throw error;
  }
}

function isResetRequired(error: unknown): boolean {
  return error instanceof ProviderError
    ? error.code === 'PasswordResetRequiredException'
    : error instanceof GatewayError && error.code === 'password_reset_required';
}

/** A provider without administrative rights reveals nothing, and the earlier steps stay done. */
async function findUserIfAllowed(
  { provider, userPoolId }: GatewayDeps,
  username: string,
  call: CallContext,
): Promise<Output<'AdminGetUser'> | undefined> {
  try {
    return await provider.operations.adminGetUser({ UserPoolId: userPoolId, Username: username }, call);
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}
