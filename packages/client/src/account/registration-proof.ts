import { type CodeOptions, continueAfterCode, toSignInBody } from '../login/login-by-code.ts';
import type { LoginStep } from '../login/steps/login-steps.ts';
import { createPasswordVerifier, prepareNewPassword } from '../passwords/new-password.ts';
import type { PoolgateError } from '../transport/poolgate-error.ts';
import type { RouteBody } from '../transport/routes.ts';
import type { AccountDependencies } from './account-requests.ts';

/**
 * How a person confirms a registration without its session: with the registration's password, or with a new one. A new password discards
 * everything unverified, so the required attributes must be sent again.
 */
export type RegistrationProof =
  | { readonly password: string; readonly newPassword?: never; readonly attributes?: never }
  | {
      /** Omitted if the registration has no password. */
      readonly newPassword?: string;
      readonly attributes?: Readonly<Record<string, string>>;
      readonly password?: never;
    };

type Confirmation = RouteBody<'registerVerify'> | RouteBody<'registerVerifyLink'>;

/**
 * Confirms a registration. The client creates the proof after the service has identified the registration of the code or link.
 * @throws {PoolgateError}
 */
export async function sendConfirmation(
  dependencies: AccountDependencies,
  confirmation: Confirmation,
  proof: RegistrationProof = {},
  options: CodeOptions = {},
): Promise<LoginStep | null> {
  const { attributes, newPassword, password = newPassword } = proof;
  const send = async (more: object): Promise<LoginStep | null> => {
    const body = { ...confirmation, ...(attributes && { attributes }), ...toSignInBody(options), ...more };
    const { transport } = dependencies;
    const answer = await ('token' in body
      ? transport.send('registerVerifyLink', { body })
      : transport.send('registerVerify', { body }));
    return continueAfterCode(dependencies, findName(confirmation), answer);
  };
  try {
    return await send({});
  } catch (error) {
    const { registration } = error as Partial<PoolgateError>;
    if (!registration || !password) throw error;
    const { username, salt } = registration;
    const user = username ? { username } : {};
    const names = Object.values(confirmation) as readonly string[];
    const chosen = newPassword
      ? await prepareNewPassword(dependencies, { password, names, user, field: 'password' })
      : { verifier: username && salt && (await createPasswordVerifier(dependencies, { username, salt, password })) };
    // If the service returns the salt, it compares verifiers, so the password is not sent.
    const claim = chosen.verifier ? { password_verifier: chosen.verifier } : { password };
    // A verifier belongs to one username. Undefined members are not sent.
    return send({ ...claim, ...(username && { ...user, email: undefined }) });
  }
}

const findName = (confirmation: Confirmation): string =>
  ('token' in confirmation ? undefined : (confirmation.email ?? confirmation.username)) ?? '';
