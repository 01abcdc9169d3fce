import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import type { LogoutNoticeRecord } from '../records/index.ts';
import type { DeliveryQueue } from '../webhooks/delivery-dispatcher.ts';

/** There is no caller: the service acts itself. */
const OWN_CALL: CallContext = { requestId: 'logout-token', sourceAddress: '' };

/**
 * Sends logout tokens to applications (OpenID Connect Back-Channel Logout). Each attempt signs a new token, so that no token is posted
 * after it has expired.
 */
export function createLogoutTokenQueue(
  { records, provider, postLogoutToken }: Pick<GatewayDeps, 'records' | 'provider' | 'postLogoutToken'>,
  onGivenUp: (notice: LogoutNoticeRecord, failure: string) => void,
): DeliveryQueue<LogoutNoticeRecord> {
  const { logoutNotices } = records;
  const { oauth } = provider.extensions;
  return {
    lease: (nowMs, leasedUntilMs, limit) =>
      oauth === undefined ? Promise.resolve([]) : logoutNotices.lease(nowMs, leasedUntilMs, limit),
    async post({ clientId: ClientId, sessionId: SessionId, userPoolId: UserPoolId, sub: Sub }, signal) {
      const token = await oauth?.createLogoutToken({ UserPoolId, ClientId, Sub, SessionId }, OWN_CALL);
      if (token === undefined) return { ok: true };
      return postLogoutToken({ url: token.Uri, logoutToken: token.LogoutToken }, signal);
    },
    finish: (notice) => logoutNotices.finish(notice),
    postpone: (notice, nextTryAtMs, failure) => logoutNotices.postpone(notice, nextTryAtMs, failure),
    async giveUp(notice, _nowMs, failure) {
      await logoutNotices.finish(notice);
      onGivenUp(notice, failure);
    },
  };
}
