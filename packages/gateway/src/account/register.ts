import type { CallContext, Input, Output, ProviderErrorCode } from '@poolgate/provider';
import {
  type PasswordVerifierBody,
  readPasswordVerifier,
  requireVerifierPasswords,
} from '../challenges/password-verifier-fields.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import {
  type ErrorMapping,
  invalidFieldError,
  mapProviderErrors,
  weakPasswordError,
} from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { readSettableAttributes } from '../users/attributes.ts';
import { encryptRegistrationSession } from '../users/registration-session.ts';
import { hideUserExistence } from './hide-user-existence.ts';
import { type NewPassword, readNewPassword } from './new-password-fields.ts';

/** If the address or name is taken, only its owner is notified, by email. */
const EXISTING_USER_ERRORS: ReadonlySet<ProviderErrorCode> = new Set([
  'UsernameExistsException',
  'AliasExistsException',
]);

const SIGN_UP_ERRORS: ErrorMapping = {
  InvalidPasswordException: (error) => weakPasswordError('password', error),
  InvalidParameterException: (error) =>
    invalidFieldError('attributes', 'refused', 'contains a value that the identity provider rejects', error),
  NotAuthorizedException: 'feature_disabled',
};

/** A sign-up without its password. */
type SignUpRequest = Omit<Input<'SignUp'>, 'Password'>;

/** POST /register. */
export const register: Handler<'register'> = async (deps, { body, call }) => {
  const { email, name, username } = body;
  const named = name === undefined ? [] : [{ Name: 'name', Value: name }];
  const attributes = readSettableAttributes(
    [...named, ...readSettableAttributes(body.attributes ?? {}, 'attributes')],
    'attributes',
  );
  const password = readNewPassword(body);
  const signUpRequest = {
    ClientId: deps.clientId,
    Username: email,
    UserAttributes: [{ Name: 'email', Value: email }, ...attributes],
  };
  const registered = await mapProviderErrors(
    hideUserExistence(signUp(deps, signUpRequest, { ...password, username }, call), EXISTING_USER_ERRORS),
    SIGN_UP_ERRORS,
  );
  const names = username === undefined ? [email] : [email, username];
  return {
    status: 200,
    body: {
      status: 'success',
      message: "We've sent a message to this address. Confirm the account with the code in it.",
      data: {},
      session: encryptRegistrationSession(deps, names, registered),
    },
  };
};

type ChosenCredentials = NewPassword & { readonly username: string | undefined };

function signUp(
  deps: GatewayDeps,
  signUpRequest: SignUpRequest,
  chosen: ChosenCredentials,
  call: CallContext,
): Promise<Output<'SignUp'>> {
  const { password, verifier, username } = chosen;
  if (verifier !== undefined) return signUpWithVerifier(deps, signUpRequest, { verifier, username }, call);
  const { Username } = signUpRequest;
  return deps.provider.operations.signUp(
    { ...signUpRequest, Username: username ?? Username, Password: password },
    call,
  );
}

/** The username is then the SRP identity of the verifier. */
async function signUpWithVerifier(
  deps: GatewayDeps,
  signUpRequest: SignUpRequest,
  { verifier, username }: { readonly verifier: PasswordVerifierBody; readonly username: string | undefined },
  call: CallContext,
): Promise<Output<'SignUp'>> {
  const verifiers = await requireVerifierPasswords(deps);
  if (username === undefined) throw invalidFieldError('username', 'required', 'is required with password_verifier');
  const PasswordVerifier = readPasswordVerifier(verifier);
  return verifiers.signUp({ ...signUpRequest, UserIdForSrp: username, PasswordVerifier }, call);
}
