import type { Handler } from '../handler.ts';
import { nameIn } from './named.ts';
import { quietly } from './quiet.ts';

/** POST /password/forgot. */
export const forgotPassword: Handler<'passwordForgot'> = async (deps, { body, context }) => {
  const { clientId, provider } = deps;
  await quietly(provider.operations.forgotPassword({ ClientId: clientId, Username: nameIn(body) }, context));
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'If there is an account that can be recovered so, a code is on its way.',
      data: {},
    },
  };
};
