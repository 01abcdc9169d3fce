import type { Handler } from '../handler.ts';
import { nameIn } from './named.ts';
import { quietly } from './quiet.ts';

/** POST /register/resend-code. */
export const resendCode: Handler<'registerResend'> = async (deps, { body, context }) => {
  const { clientId, provider } = deps;
  await quietly(provider.operations.resendConfirmationCode({ ClientId: clientId, Username: nameIn(body) }, context));
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'If there is an account that waits for its confirmation, a new code is on its way.',
      data: {},
    },
  };
};
