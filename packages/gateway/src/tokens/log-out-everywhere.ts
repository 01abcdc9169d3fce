import type { Handler } from '../runtime/handler.ts';
import { revokeAllLogins } from '../sessions/other-logins.ts';

/** POST and PUT /logout/forced: ends every login of the caller. */
export const logOutEverywhere: Handler<'logoutForced'> = async (deps, { caller, call }) => {
  await revokeAllLogins(deps, caller, call);
  return { status: 200, body: { status: 'success', message: 'Every session has ended.', data: {} } };
};
