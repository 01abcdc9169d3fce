import { prepareNewPassword } from '../passwords/new-password.ts';
import type { RouteBody } from '../transport/routes.ts';
import type { AccountDependencies } from './account-requests.ts';
import { type RegistrationProof, sendConfirmation } from './registration-proof.ts';

/** Who wants an account. */
export interface NewUser {
  readonly email: string;
  readonly password: string;
  /** In a pool where users have names of their own. */
  readonly username?: string;
  /** The attribute. */
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A registration that waits for its code. */
export interface Registration {
  readonly email: string;
  /** Tells it from others of the same address, to be kept where the page may be left before the code is there; null where it is not known. */
  readonly session: string | null;
  /**
   * Confirms the account by the code that was sent.
   * @param proof where the session is not known: the password of the registration, or a new one
   * @throws {PoolgateError} `password_required`, the code is right and there is neither session nor proof
   */
  verify(code: string, proof?: RegistrationProof): Promise<void>;
  /** Sends another code; the one before is void. @throws {PoolgateError} */
  resend(): Promise<void>;
}

/** What stands in the link of a mail to whoever signed up: a token; or name and code, as Amazon Cognito writes it. */
export type ConfirmLink = { readonly token: string } | { readonly username: string; readonly code: string };

/** Becoming a user. */
export interface SignUp {
  /** Registers. The answer is the same whether or not there is such a user. @throws {PoolgateError} */
  register(user: NewUser): Promise<Registration>;
  /** A registration that was begun before. */
  resume(registration: Pick<Registration, 'email'> & Partial<Pick<Registration, 'session'>>): Registration;
  /**
   * Confirms an account by the link that was mailed, where the service sends links instead of codes.
   * @param proof as for `verify`
   * @throws {PoolgateError} `password_required`
   */
  confirm(link: ConfirmLink, proof?: RegistrationProof): Promise<void>;
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
      verify: (code, proof) => sendConfirmation(dependencies, { ...body, code }, proof),
      resend: async () => void (await transport.send('registerResend', { body })),
    };
  };
  return {
    resume,
    confirm: (link, proof) => sendConfirmation(dependencies, link, proof),
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
