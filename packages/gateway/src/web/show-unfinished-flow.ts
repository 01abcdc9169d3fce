import { formatIsoTimeFromMs } from '../kernel/times.ts';
import { listRecentCodes } from './unfinished-flow.ts';
import type { WebHandler } from './web-handler.ts';

/** GET /cognito/session/unfinished: the step that this browser began last, for a page that was reloaded in the middle of it. */
export const showUnfinishedFlow: WebHandler<'webUnfinished'> = async ({ clock }, { browser }) => {
  const flow = browser.unfinishedFlow;
  if (flow === undefined) return { status: 200, body: NOTHING };
  const isLogin = flow.flow === 'login';
  const body = {
    status: 'success',
    flow: flow.flow,
    username: isLogin ? flow.challenge.username : flow.username,
    started_at: formatIsoTimeFromMs(flow.startedAtMs),
    expires_at: formatIsoTimeFromMs(flow.endsAtMs),
    challenge: isLogin ? flow.challenge : null,
    is_first: isLogin && flow.isFirst,
    codes_sent: listRecentCodes(flow, clock.now()).length,
  } as const;
  return { status: 200, body };
};

const NOTHING = {
  status: 'success',
  flow: null,
  username: null,
  started_at: null,
  expires_at: null,
  challenge: null,
  is_first: false,
  codes_sent: 0,
} as const;
