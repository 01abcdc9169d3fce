import { GatewayError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { recordUserRevocation } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';

/** POST /account/not-me: the button of the page that an email to the owner links to. */
export const disownAccount: Handler<'notMe'> = async (deps, { body, call }) => {
  const { provider, records, userPoolId, clock } = deps;
  const { disown } = provider.extensions;
  if (disown === undefined) throw new GatewayError('feature_disabled');
  const { Sub: sub, Username: username } = await mapProviderErrors(disown({ Token: body.token }, call), {
    NotAuthorizedException: 'invalid_session',
  });
  await recordUserRevocation(deps, sub);
  await records.localUsers.setPasswordResetRequired({ userPoolId, sub, username }, true, clock.now());
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'Every session has ended. Reset the password before you log in again.',
      data: {},
    },
  };
};
