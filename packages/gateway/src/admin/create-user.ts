import type { Handler } from '../runtime/handler.ts';
import { createUserAtProvider } from './create-user-at-provider.ts';
import { createTemporaryPassword } from './temporary-password.ts';

/**
 * POST /admin/users: creates a user with a temporary password that must be changed at the first login. Nothing is sent; only this response
 * contains a generated password.
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
