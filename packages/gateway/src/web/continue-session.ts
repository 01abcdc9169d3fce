import type { CallContext } from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { StoredSession } from '../web-sessions/web-session.ts';

/**
 * Lets the login of a new session take over the session of the one that it replaces, if both belong to one user. Applications then get no
 * logout notification. Call it before the old login ends.
 */
export async function continueOAuthSession(
  { provider, userPoolId: UserPoolId }: Pick<GatewayRuntime, 'provider' | 'userPoolId'>,
  { record: before }: Pick<StoredSession, 'record'>,
  { record: made }: Pick<StoredSession, 'record'>,
  call: CallContext,
): Promise<void> {
  const { oauth } = provider.extensions;
  const { originJti: FromLoginId } = before;
  const { originJti: ToLoginId } = made;
  if (oauth === undefined || FromLoginId === null || ToLoginId === null || before.sub !== made.sub) return;
  await oauth.continueSession({ UserPoolId, FromLoginId, ToLoginId }, call);
}
