import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { invalidField, type Refusals, refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endLogins } from '../tokens/endings.ts';
import { CODE_OF_NOBODY } from './confirm-registration.ts';
import { nameIn } from './named.ts';
import { type NewPassword, newPasswordIn } from './new-password.ts';
import { readVerifier, verifierPasswordsOf } from './password-verifier.ts';
import { resetFlagInStep } from './reset-flag.ts';

const REFUSALS: Refusals = {
  ...CODE_OF_NOBODY,
  PasswordResetRequiredException: 'code_mismatch',
};

/** POST /password/reset: afterwards no login of the user lives, and nobody asks for a reset any more. */
export const setForgottenPassword: Handler<'passwordReset'> = async (deps, { body, context }) => {
  const username = nameIn(body);
  const password = newPasswordIn(body);
  await refusing(confirm(deps, { username, code: body.code, password }, context), REFUSALS);
  const sub = await resetFlagInStep(deps, username, context);
  if (sub !== undefined) await endLogins(deps, sub);
  return {
    status: 200,
    body: { status: 'success', message: 'The password is set, and every login has ended. Log in.', data: {} },
  };
};

interface Reset {
  readonly username: string;
  readonly code: string;
  readonly password: NewPassword;
}

async function confirm(deps: GatewayDeps, { username, code, password }: Reset, context: CallContext): Promise<unknown> {
  const proof = { ClientId: deps.clientId, Username: username, ConfirmationCode: code };
  if (password.verifier === undefined) {
    const { operations } = deps.provider;
    return operations.confirmForgotPassword({ ...proof, Password: password.password }, context);
  }
  const verifiers = verifierPasswordsOf(deps);
  const PasswordVerifier = readVerifier(password.verifier);
  return refusing(verifiers.confirmForgotPassword({ ...proof, PasswordVerifier }, context), {
    ...REFUSALS,
    InvalidParameterException: (error) =>
      invalidField('password_verifier', 'refused', 'is refused by the identity provider', error),
  });
}
