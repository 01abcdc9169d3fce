import { requireVerifierPasswords } from '../challenges/password-verifier-fields.ts';
import type { Handler } from '../runtime/handler.ts';
import { readRequestedUsername } from './requested-username.ts';

/**
 * POST /register/start: the parameters for the verifier of a new password. An unknown name gets the same response as an existing one;
 * without a name it is for a new user.
 */
export const startVerifierPassword: Handler<'registerStart'> = async (deps, { body, call }) => {
  const verifiers = await requireVerifierPasswords(deps);
  const isNew = body.username === undefined && body.email === undefined;
  const { UserIdForSrp, SaltHex } = await verifiers.start(
    { ClientId: deps.clientId, ...(isNew ? {} : { Username: readRequestedUsername(body) }) },
    call,
  );
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'Make the verifier of the new password with this identity and salt.',
      data: {},
      username: UserIdForSrp,
      salt: SaltHex,
    },
  };
};
