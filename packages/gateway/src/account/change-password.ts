import type { CallContext } from '@poolgate/provider';
import {
  type PasswordVerifierBody,
  readPasswordVerifier,
  requireVerifierPasswords,
} from '../challenges/password-verifier-fields.ts';
import { requireRecentLogin } from '../guards/recent-login.ts';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import {
  type ErrorMapping,
  invalidFieldError,
  mapProviderErrors,
  TOKEN_ERRORS,
  weakPasswordError,
} from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { listOtherLogins, revokeOtherLogins } from '../sessions/other-logins.ts';
import { readNewPassword } from './new-password-fields.ts';

/** The guard has verified the token, so an error now concerns the current password. */
const WRONG_PASSWORD: ErrorMapping = {
  NotAuthorizedException: 'invalid_credentials',
  InvalidPasswordException: (error) => weakPasswordError('new_password', error),
  PasswordHistoryPolicyViolationException: (error) => weakPasswordError('new_password', error),
  UserNotFoundException: 'unauthenticated',
  UserNotConfirmedException: 'unauthenticated',
  PasswordResetRequiredException: 'unauthenticated',
};

/** POST /user/changepassword: afterward, only this login of the user is active. */
export const changePassword: Handler<'passwordChange'> = async (deps, { body, caller, call }) => {
  const { password: old, new_password, password_verifier } = body;
  const chosen = readNewPassword({ password: new_password, password_verifier }, 'new_password');
  const change =
    chosen.verifier === undefined
      ? changeByPassword(deps, caller, { old, chosen: chosen.password }, call)
      : await changeByVerifier(deps, caller, chosen.verifier, call);
  // Read before the change, because the provider ends them with it and no longer lists them.
  const others = await listOtherLogins(deps, caller, call);
  await change();
  const loginEnded = await revokeOtherLogins(deps, caller, others, call);
  return {
    status: 200,
    body: {
      status: 'success',
      message: loginEnded ? 'The password was changed. Log in again.' : 'The password was changed.',
      data: {},
      login_ended: loginEnded,
    },
  };
};

type Change = () => Promise<void>;

/** A user without a password sets the first one, which requires a recent login. The provider knows whether one exists. */
function changeByPassword(
  deps: GatewayDeps,
  caller: UserCaller,
  { old, chosen }: { readonly old: string | undefined; readonly chosen: string },
  call: CallContext,
): Change {
  if (old === undefined) requireRecentLogin(deps, caller);
  const { changePassword: change } = deps.provider.operations;
  const previous = old === undefined ? {} : { PreviousPassword: old };
  const input = { AccessToken: caller.accessToken, ...previous, ProposedPassword: chosen };
  const refusals = old === undefined ? { ...WRONG_PASSWORD, ...NO_PASSWORD } : WRONG_PASSWORD;
  return async () => void (await mapProviderErrors(change(input, call), refusals));
}

const NO_PASSWORD: ErrorMapping = {
  InvalidParameterException: (error) => invalidFieldError('password', 'required', 'is required', error),
};

/** A recent login replaces the current password. */
async function changeByVerifier(
  deps: GatewayDeps,
  caller: UserCaller,
  verifier: PasswordVerifierBody,
  call: CallContext,
): Promise<Change> {
  const verifiers = await requireVerifierPasswords(deps);
  requireRecentLogin(deps, caller);
  const input = { AccessToken: caller.accessToken, PasswordVerifier: readPasswordVerifier(verifier) };
  return () =>
    mapProviderErrors(verifiers.changePassword(input, call), {
      ...TOKEN_ERRORS,
      InvalidParameterException: (error) =>
        invalidFieldError('password_verifier', 'refused', 'was rejected by the identity provider', error),
    });
}
