import type { PoolgateError } from '../errors.ts';
import { makeVerifier, prepareNewPassword } from '../passwords/new-password.ts';
import type { BodyOf } from '../routes.ts';
import type { AccountContext } from './context.ts';

/**
 * What a person shows who confirms a registration without its session: the password that was registered, or a new one. A new one removes everything that
 * nobody has proven, so that required attributes have to be given again.
 */
export type RegistrationProof =
  | { readonly password: string; readonly newPassword?: never; readonly attributes?: never }
  | {
      /** Left out: where the registration has none. */
      readonly newPassword?: string;
      readonly attributes?: Readonly<Record<string, string>>;
      readonly password?: never;
    };

type Confirmation = BodyOf<'registerVerify'> | BodyOf<'registerVerifyLink'>;

/**
 * Confirms a registration. The service says which registration the code or the link belongs to, and only then the proof is made.
 * @throws {PoolgateError}
 */
export async function sendConfirmation(
  context: AccountContext,
  confirmation: Confirmation,
  proof: RegistrationProof = {},
): Promise<void> {
  const { attributes, newPassword, password = newPassword } = proof;
  const send = (more: object): Promise<unknown> => {
    const body = { ...confirmation, ...(attributes && { attributes }), ...more };
    return 'token' in body
      ? context.transport.send('registerVerifyLink', { body })
      : context.transport.send('registerVerify', { body });
  };
  try {
    await send({});
  } catch (error) {
    const { registration } = error as Partial<PoolgateError>;
    if (registration === undefined || password === undefined) throw error;
    const { username, salt } = registration;
    const chosen =
      newPassword === undefined
        ? { verifier: username && salt && (await makeVerifier(context, { username, salt, password })) }
        : await prepareNewPassword(context, {
            password,
            names: [],
            user: username ? { username } : {},
            field: 'password',
          });
    // A service that tells the salt compares the verifier, so that the password is not sent.
    const claim = chosen.verifier ? { password_verifier: chosen.verifier } : { password };
    // What is undefined is not sent: a verifier is made for one username.
    await send(username ? { ...claim, email: undefined, username } : claim);
  }
}
