import type { CallContext, Input, Output, ProviderErrorCode } from '@poolgate/provider';
import { settableAttributes } from '../attributes.ts';
import type { GatewayDeps } from '../deps.ts';
import { invalidField, type Refusals, refusing, weakPassword } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { type NewPassword, newPasswordIn } from './new-password.ts';
import { readVerifier, type VerifierBody, verifierPasswordsOf } from './password-verifier.ts';
import { quietly } from './quiet.ts';
import { sealRegistration } from './registration-session.ts';

/** That the address or the name is somebody's already is told to its owner, by mail, and to nobody here. */
const KNOWN: ReadonlySet<ProviderErrorCode> = new Set(['UsernameExistsException', 'AliasExistsException']);

const REFUSALS: Refusals = {
  InvalidPasswordException: (error) => weakPassword('password', error),
  InvalidParameterException: (error) =>
    invalidField('attributes', 'refused', 'has a value that the identity provider refuses', error),
  NotAuthorizedException: 'feature_disabled',
};

/** A sign-up without its password. */
type Newcomer = Omit<Input<'SignUp'>, 'Password'>;

/** POST /register. */
export const register: Handler<'register'> = async (deps, { body, context }) => {
  const { email, name, username } = body;
  const named = name === undefined ? [] : [{ Name: 'name', Value: name }];
  const attributes = settableAttributes(
    [...named, ...settableAttributes(body.attributes ?? {}, 'attributes')],
    'attributes',
  );
  const password = newPasswordIn(body);
  const newcomer = {
    ClientId: deps.clientId,
    Username: email,
    UserAttributes: [{ Name: 'email', Value: email }, ...attributes],
  };
  const registered = await refusing(
    quietly(signUp(deps, newcomer, { ...password, username }, context), KNOWN),
    REFUSALS,
  );
  const names = username === undefined ? [email] : [email, username];
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'A message is on its way to the address. A new account is confirmed with the code in it.',
      data: {},
      session: sealRegistration(deps, names, registered?.Session),
    },
  };
};

type Chosen = NewPassword & { readonly username: string | undefined };

function signUp(
  deps: GatewayDeps,
  newcomer: Newcomer,
  chosen: Chosen,
  context: CallContext,
): Promise<Output<'SignUp'>> {
  const { password, verifier, username } = chosen;
  if (verifier !== undefined) return signUpWithVerifier(deps, newcomer, { verifier, username }, context);
  const { Username } = newcomer;
  return deps.provider.operations.signUp({ ...newcomer, Username: username ?? Username, Password: password }, context);
}

/** The user name is then the identity that the verifier was made for. */
async function signUpWithVerifier(
  deps: GatewayDeps,
  newcomer: Newcomer,
  { verifier, username }: { readonly verifier: VerifierBody; readonly username: string | undefined },
  context: CallContext,
): Promise<Output<'SignUp'>> {
  const verifiers = verifierPasswordsOf(deps);
  if (username === undefined) throw invalidField('username', 'required', 'is required with password_verifier');
  const PasswordVerifier = readVerifier(verifier);
  return verifiers.signUp({ ...newcomer, UserIdForSrp: username, PasswordVerifier }, context);
}
