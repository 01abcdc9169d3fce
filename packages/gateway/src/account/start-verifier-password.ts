import { requireVerifierPasswords } from '../challenges/password-verifier-fields.ts';
import type { Handler } from '../runtime/handler.ts';
import { readRequestedUsername } from './requested-username.ts';

/**
 * POST /register/start: what a client makes the verifier of a new password with. A name that nobody has is answered like
 * one that somebody has; without a name it is for somebody new.
 */
export const startVerifierPassword: Handler<'registerStart'> = async (deps, { body, call }) => {
  const verifiers = requireVerifierPasswords(deps);
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
