import type { Handler } from '../runtime/handler.ts';
import { createUserAtProvider } from './create-user-at-provider.ts';
import { createTemporaryPassword } from './temporary-password.ts';

/**
 * POST /user/invite: creates a user with a temporary password, which the provider emails. By default the password is generated here,
 * because a provider with passwordless login would create a user without one.
 */
export const inviteUser: Handler<'userInvite'> = async (deps, { body, call }) => {
  const options = {
    DesiredDeliveryMediums: ['EMAIL' as const],
    TemporaryPassword: body.temp_password ?? (await createTemporaryPassword(deps)),
    ...(body.resend ? { MessageAction: 'RESEND' as const } : {}),
  };
  const user = await createUserAtProvider(deps, body, options, call);
  return { status: 201, body: { status: 'success', message: 'The user was invited.', data: {}, user } };
};
