import type { Handler } from '../runtime/handler.ts';
import { createUserAtProvider } from './create-user-at-provider.ts';
import { createTemporaryPassword } from './temporary-password.ts';

/**
 * POST /admin/users: a user with a temporary password, to be changed at the first login. Nothing is sent; a temporary
 * password that was made here is in the answer, this once.
 */
export const createUser: Handler<'adminUserCreate'> = async (deps, { body, call }) => {
  const made = body.temp_password === undefined ? await createTemporaryPassword(deps) : undefined;
  const options = { TemporaryPassword: body.temp_password ?? made ?? '', MessageAction: 'SUPPRESS' } as const;
  const user = await createUserAtProvider(deps, body, options, call);
  return {
    status: 201,
    body: {
      status: 'success',
      message: 'The user was created.',
      data: {},
      user: { ...user, groups: [] },
      ...(made === undefined ? {} : { temp_password: made }),
    },
  };
};
