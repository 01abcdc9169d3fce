import type { Handler } from '../runtime/handler.ts';
import { createUserAtProvider } from './create-user-at-provider.ts';
import { createTemporaryPassword } from './temporary-password.ts';

/**
 * POST /user/invite: a user with a temporary password, which the provider mails. Where none is given it is made here: a provider
 * that logs users in by codes would make a user without one.
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
