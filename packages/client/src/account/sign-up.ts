import type { CodeOptions } from '../login/login-by-code.ts';
import type { LoginStep } from '../login/steps/login-steps.ts';
import { prepareNewPassword } from '../passwords/new-password.ts';
import type { RouteBody } from '../transport/routes.ts';
import type { AccountDependencies } from './account-requests.ts';
import { type RegistrationProof, sendConfirmation } from './registration-proof.ts';

/** The data of a new account. */
export interface NewUser {
  readonly email: string;
  readonly password: string;
  /** Only for pools with separate usernames. */
  readonly username?: string;
  /** The `name` attribute. */
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A registration that waits for its confirmation code. */
export interface Registration {
  readonly email: string;
  /**
   * Distinguishes it from other registrations of the same address. Store it if the user may leave the page before the code arrives. Null if
   * unknown.
   */
  readonly session: string | null;
  /**
   * Confirms the account with the code that was sent.
   * @param proof required if the session is unknown: the password of the registration, or a new one
   * @returns with `signIn`, the next step of the login: usually `done`; null if the user signs in next
   * @throws {PoolgateError} `password_required`: the code is correct, but the session and the proof are both missing
   */
  verify(code: string, proof?: RegistrationProof, options?: CodeOptions): Promise<LoginStep | null>;
  /** Sends a new code and invalidates the previous one. @throws {PoolgateError} */
  resend(): Promise<void>;
}

/** The content of the link in a confirmation email: a token, or username and code in Amazon Cognito's format. */
export type ConfirmLink = { readonly token: string } | { readonly username: string; readonly code: string };

/** Registration and confirmation of new users. */
export interface SignUp {
  /** Registers a user. The response is the same whether or not the user already exists. @throws {PoolgateError} */
  register(user: NewUser): Promise<Registration>;
  /** Resumes an earlier registration. */
  resume(registration: Pick<Registration, 'email'> & Partial<Pick<Registration, 'session'>>): Registration;
  /**
   * Confirms an account with the emailed link, for services that send links instead of codes.
   * @param proof as for `verify`
   * @returns as for `verify`
   * @throws {PoolgateError} `password_required`
   */
  confirm(link: ConfirmLink, proof?: RegistrationProof, options?: CodeOptions): Promise<LoginStep | null>;
}

/** Creates the methods for sign-up. */
export function createSignUp(dependencies: AccountDependencies): SignUp {
  const { transport, registrations } = dependencies;
  const resume: SignUp['resume'] = ({ email, session = null }) => {
    if (session) registrations.set(email.toLowerCase(), session);
    const body = { email, ...(session && { session }) };
    return {
      email,
      session,
      verify: (code, proof, options) => sendConfirmation(dependencies, { ...body, code }, proof, options),
      resend: async () => void (await transport.send('registerResend', { body })),
    };
  };
  return {
    resume,
    confirm: (link, proof, options) => sendConfirmation(dependencies, link, proof, options),
    async register(user) {
      const { session } = await transport.send('register', { body: await toRegisterBody(dependencies, user) });
      return resume({ email: user.email, session });
    },
  };
}

async function toRegisterBody(
  dependencies: AccountDependencies,
  { email, password, username, name, attributes }: NewUser,
): Promise<RouteBody<'register'>> {
  const names = [email, username ?? email];
  const chosen = await prepareNewPassword(dependencies, { password, names, user: {}, field: 'password' });
  const proof =
    chosen.verifier === undefined
      ? { password, ...(username === undefined ? {} : { username }) }
      : { password_verifier: chosen.verifier, username: chosen.username };
  return {
    email,
    ...proof,
    ...(name === undefined ? {} : { name }),
    ...(attributes === undefined ? {} : { attributes }),
  };
}
