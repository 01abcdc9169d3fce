import type { Static, WEB_ROUTES } from '@poolgate/contract';
import type { TokensBody } from '../challenges/present-login-step.ts';
import { formatIsoTimeFromMs } from '../kernel/times.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { presentSessionUser } from './session-user.ts';

type SignedInBody = Static<(typeof WEB_ROUTES)['webRefresh']['responses'][200]['schema']>;

/** Presents an open session as a response body, which contains no token. */
export function presentSignedIn(
  session: WebSession,
  device: TokensBody['new_device_metadata'] | undefined = undefined,
): SignedInBody {
  return {
    status: 'success',
    user: presentSessionUser(session),
    csrf_token: session.content.csrfToken,
    expires_at: formatIsoTimeFromMs(session.record.expiresAtMs),
    ...(device === undefined ? {} : { new_device_metadata: device }),
  };
}
