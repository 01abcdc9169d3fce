import type { CallContext } from '@poolgate/provider';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { recordLoginRevocation, recordUserRevocation } from '../kernel/revocations.ts';
import { revokeAllLogins } from './other-logins.ts';
import { listAllSessions } from './session-operations.ts';

/**
 * Revokes the other logins of a caller who has changed a login factor, unless the request opts out.
 * @param isRequested `end_other_sessions` of the request; true by default
 * @returns additional members of the response: whether the caller's own login has ended too, because the provider cannot distinguish logins
 */
export async function applyEndOtherSessions(
  deps: GatewayDeps,
  caller: UserCaller,
  isRequested: boolean | undefined,
  call: CallContext,
): Promise<{ readonly login_ended?: true }> {
  if (isRequested === false) return {};
  const { end_other_logins: end } = deps.provider.extensions;
  if (end === undefined) {
    if (await revokeOtherSessions(deps, caller, call)) return {};
    await revokeAllLogins(deps, caller, call);
    return { login_ended: true };
  }
  const { Ended, OwnEnded } = await mapProviderErrors(end({ AccessToken: caller.accessToken }, call), TOKEN_ERRORS);
  for (const id of Ended) await recordLoginRevocation(deps, id);
  if (!OwnEnded) return {};
  await recordUserRevocation(deps, caller.sub);
  return { login_ended: true };
}

/** Uses Cognito's sessions. False if the pool does not track them, so that they cannot be distinguished. */
async function revokeOtherSessions(
  deps: GatewayDeps,
  { accessToken }: UserCaller,
  call: CallContext,
): Promise<boolean> {
  const sessions = await listAllSessions(deps, accessToken, call).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'feature_disabled') return undefined;
    throw error;
  });
  if (sessions?.some(({ IsCurrentSession }) => IsCurrentSession) !== true) return false;
  for (const { SessionId = '', IsCurrentSession } of sessions) {
    if (IsCurrentSession) continue;
    const revoked = deps.provider.operations.revokeUserSession({ AccessToken: accessToken, SessionId }, call);
    await mapProviderErrors(revoked, { ...TOKEN_ERRORS, ResourceNotFoundException: 'session_not_found' }).catch(
      ignoreMissingSession,
    );
  }
  return true;
}

/** A session that ended in the meantime is not an error. */
function ignoreMissingSession(error: unknown): void {
  if (!(error instanceof GatewayError) || error.code !== 'session_not_found') throw error;
}
