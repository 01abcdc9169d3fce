import type { Handler } from '../handler.ts';
import { makeUser } from './made-user.ts';

/** POST /user/invite: a user with a temporary password, which the provider mails. */
export const inviteUser: Handler<'userInvite'> = async (deps, { body, context }) => {
  const wishes = {
    DesiredDeliveryMediums: ['EMAIL' as const],
    ...(body.temp_password === undefined ? {} : { TemporaryPassword: body.temp_password }),
    ...(body.resend ? { MessageAction: 'RESEND' as const } : {}),
  };
  const user = await makeUser(deps, body, wishes, context);
  return { status: 201, body: { status: 'success', message: 'The user was invited.', data: {}, user } };
};
