import type { CallContext, CodeLogin } from '@poolgate/provider';
import { readPasswordVerifier, requireVerifierPasswords } from '../challenges/password-verifier-fields.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { type ErrorMapping, invalidFieldError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { recordUserRevocation } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';
import { syncResetFlag } from '../users/password-reset-flag.ts';
import { toCodeLogin, UNKNOWN_USER_AS_WRONG_CODE } from './confirm-registration.ts';
import { type NewPassword, readNewPassword } from './new-password-fields.ts';
import { readRequestedUsername } from './requested-username.ts';

const RESET_ERRORS: ErrorMapping = {
  ...UNKNOWN_USER_AS_WRONG_CODE,
  PasswordResetRequiredException: 'code_mismatch',
};

/** POST /password/reset: afterward, all logins of the user have ended and no reset is pending. */
export const setForgottenPassword: Handler<'passwordReset'> = async (deps, { body, call }) => {
  const username = readRequestedUsername(body);
  const password = readNewPassword(body);
  const reset = await mapProviderErrors(
    confirmReset(deps, { username, code: body.code, session: body.session, password }, call),
    RESET_ERRORS,
  );
  const sub = await syncResetFlag(deps, username, call);
  if (sub !== undefined) await recordUserRevocation(deps, sub);
  return {
    status: 200,
    body: { status: 'success', message: 'The password was set, and every session has ended. Log in again.', data: {} },
    codeLogin: toCodeLogin(username, reset),
  };
};

interface Reset {
  readonly username: string;
  readonly code: string;
  readonly session: string | undefined;
  readonly password: NewPassword;
}

async function confirmReset(deps: GatewayDeps, reset: Reset, call: CallContext): Promise<CodeLogin> {
  const { username, code, session, password } = reset;
  const { operations, extensions } = deps.provider;
  const sessions = extensions.reset_sessions;
  const withSession = session === undefined || sessions === undefined ? {} : { Session: session };
  const proof = { ClientId: deps.clientId, Username: username, ConfirmationCode: code, ...withSession };
  if (password.verifier === undefined) {
    const input = { ...proof, Password: password.password };
    return sessions?.confirmForgotPassword(input, call) ?? operations.confirmForgotPassword(input, call);
  }
  const verifiers = await requireVerifierPasswords(deps);
  const PasswordVerifier = readPasswordVerifier(password.verifier);
  return mapProviderErrors(verifiers.confirmForgotPassword({ ...proof, PasswordVerifier }, call), {
    ...RESET_ERRORS,
    InvalidParameterException: (error) =>
      invalidFieldError('password_verifier', 'refused', 'was rejected by the identity provider', error),
  });
}
