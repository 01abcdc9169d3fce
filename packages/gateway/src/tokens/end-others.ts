import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError, refusing, TOKEN_REFUSALS } from '../errors.ts';
import type { UserCaller } from '../guards/caller.ts';
import { endLogin, endLogins } from './endings.ts';
import { endEveryLogin } from './other-logins.ts';
import { everySession } from './session-operations.ts';

/**
 * Ends the other logins of a caller who has changed what logins are proven with, unless the request says otherwise.
 * @param wanted `end_other_sessions` of the request; true where it is left out
 * @returns what the answer has more: that the caller's own login has ended too, where the provider cannot tell logins apart
 */
export async function endOthers(
  deps: GatewayDeps,
  caller: UserCaller,
  wanted: boolean | undefined,
  context: CallContext,
): Promise<{ readonly login_ended?: true }> {
  if (wanted === false) return {};
  const { end_other_logins: end } = deps.provider.extensions;
  if (end === undefined) {
    if (await revokeOthers(deps, caller, context)) return {};
    await endEveryLogin(deps, caller, context);
    return { login_ended: true };
  }
  const { Ended, OwnEnded } = await refusing(end({ AccessToken: caller.accessToken }, context), TOKEN_REFUSALS);
  for (const id of Ended) await endLogin(deps, id);
  if (!OwnEnded) return {};
  await endLogins(deps, caller.sub);
  return { login_ended: true };
}

/** By Cognito's sessions; false where the pool does not track them, so that they cannot be told apart. */
async function revokeOthers(deps: GatewayDeps, { accessToken }: UserCaller, context: CallContext): Promise<boolean> {
  const sessions = await everySession(deps, accessToken, context).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'feature_disabled') return undefined;
    throw error;
  });
  if (sessions?.some(({ IsCurrentSession }) => IsCurrentSession) !== true) return false;
  for (const { SessionId = '', IsCurrentSession } of sessions) {
    if (IsCurrentSession) continue;
    const revoked = deps.provider.operations.revokeUserSession({ AccessToken: accessToken, SessionId }, context);
    await refusing(revoked, { ...TOKEN_REFUSALS, ResourceNotFoundException: 'session_not_found' }).catch(unlessGone);
  }
  return true;
}

/** One that ended by itself meanwhile has ended. */
function unlessGone(error: unknown): void {
  if (!(error instanceof GatewayError) || error.code !== 'session_not_found') throw error;
}
