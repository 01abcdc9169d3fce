import { requireVerifierPasswords } from '../challenges/password-verifier-fields.ts';
import type { Handler } from '../runtime/handler.ts';

/** POST /password/range: lets a client check an unsent password against the pool's blocklists. */
export const listPasswordRange: Handler<'passwordRange'> = async (deps, { body, call }) => {
  const verifiers = await requireVerifierPasswords(deps);
  const { Suffixes } = await verifiers.range(
    { ClientId: deps.clientId, List: body.list, Prefix: body.prefix.toUpperCase() },
    call,
  );
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'Refuse the password if the rest of its SHA-1 is among the suffixes.',
      data: {},
      suffixes: [...Suffixes],
    },
  };
};
