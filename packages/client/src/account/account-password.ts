import { type CodeOptions, continueAfterCode, toSignInBody } from '../login/login-by-code.ts';
import { createReauthentication } from '../login/reauthentication.ts';
import type { LoginStep } from '../login/steps/login-steps.ts';
import {
  canUseVerifiers,
  checkNewPassword,
  checkPasswordRules,
  prepareNewPassword,
} from '../passwords/new-password.ts';
import { PoolgateError } from '../transport/poolgate-error.ts';
import {
  type AccountDependencies,
  type ChangeOutcome,
  dropLoginIfEnded,
  type UserIdentifier,
} from './account-requests.ts';

/** Methods that reset and change passwords. */
export interface Passwords {
  /**
   * Sends a reset code to the owner of the account. The response is the same if the account does not exist.
   * @param user `session`: the session of an earlier code for this user, which allows the service to send more codes
   * @throws {PoolgateError}
   */
  forgot(user: UserIdentifier & { readonly session?: string }): Promise<SentResetCode>;
  /**
   * Sets a new password with a reset code. Every login of the user ends.
   * @param reset `session`: the session that came with the code. With it, the code stays valid if others request more codes. In session
   *   mode, the service remembers it as well, so it survives a page reload.
   * @returns with `signIn`, the next step of the login; null if the user signs in next
   * @throws {PoolgateError}
   */
  reset(reset: PasswordReset): Promise<LoginStep | null>;
  /**
   * Reports that the user did not make the change described in an email. Every login of the account ends, and its password must be reset.
   * @param link the fragment of the single-use link in that email
   * @throws {PoolgateError} `invalid_session`: the link was used or has expired
   */
  notMe(link: { readonly token: string }): Promise<void>;
  /**
   * Changes the password of the signed-in user and ends the other logins. The client proves the current password without sending it if the
   * service accepts verifiers.
   * @param change omit `current` for a user without a password, or if a recent login is enough
   * @throws {PoolgateError} `invalid_credentials`: the current password is wrong; `reauthentication_required`
   */
  change(change: { readonly current?: string; readonly next: string }): Promise<ChangeOutcome>;
  /**
   * Checks a password while it is typed, against the rules that the client knows. Returns an empty list if it finds no problems. The lists
   * of common and leaked passwords are checked when the password is set.
   * @throws {PoolgateError}
   */
  problems(password: string, names?: readonly string[]): Promise<readonly string[]>;
}

/** A new password with its code. */
export type PasswordReset = UserIdentifier &
  CodeOptions & { readonly code: string; readonly session?: string | undefined; readonly password: string };

/** A reset code that the service sent. */
export interface SentResetCode {
  /** Send it back together with the code. Absent with Amazon Cognito, which has no such sessions. */
  readonly session?: string;
}

/** Creates the methods for passwords. */
export function createPasswords(dependencies: AccountDependencies): Passwords {
  const { transport } = dependencies;
  return {
    forgot: (user) => transport.send('passwordForgot', { body: user }),
    notMe: async ({ token }) => void (await transport.send('notMe', { body: { token } })),
    async reset({ code, session, password, signIn = false, ...user }) {
      const names = Object.values(user);
      const chosen = await prepareNewPassword(dependencies, { password, names, user, field: 'password' });
      const proof = chosen.verifier === undefined ? { password } : { password_verifier: chosen.verifier };
      const own = session === undefined ? {} : { session };
      const body = { ...user, code, ...own, ...proof, ...toSignInBody({ signIn }) };
      return continueAfterCode(dependencies, names[0] ?? '', await transport.send('passwordReset', { body }));
    },
    change: async (change) => dropLoginIfEnded(dependencies, await changePassword(dependencies, change)),
    problems: (password, names = []) => listPasswordProblems(dependencies, password, names),
  };
}

async function listPasswordProblems(
  dependencies: AccountDependencies,
  password: string,
  names: readonly string[],
): Promise<readonly string[]> {
  try {
    await checkPasswordRules(dependencies, { password, names, field: 'password' });
    return [];
  } catch (error) {
    if (!(error instanceof PoolgateError) || error.code !== 'validation_failed') throw error;
    return error.fieldErrors.map(({ code }) => code);
  }
}

async function changePassword(
  dependencies: AccountDependencies,
  { current, next }: { readonly current?: string; readonly next: string },
) {
  const { transport } = dependencies;
  const username = await dependencies.keeper.username();
  if (username === null) throw new PoolgateError({ code: 'unauthenticated', status: 401 });
  const field = 'new_password';
  if (!(await canUseVerifiers(dependencies))) {
    await checkNewPassword(dependencies, { password: next, names: [username], field });
    const old = current === undefined ? {} : { password: current };
    return transport.send('passwordChange', { body: { ...old, new_password: next } });
  }
  if (current !== undefined) await proveCurrentPassword(dependencies, current);
  const chosen = await prepareNewPassword(dependencies, {
    password: next,
    names: [username],
    user: { username },
    field,
  });
  const proof = chosen.verifier === undefined ? { new_password: next } : { password_verifier: chosen.verifier };
  return transport.send('passwordChange', { body: proof });
}

/** The service accepts the current password as soon as it asks for the next step, whatever that step is. */
async function proveCurrentPassword(dependencies: AccountDependencies, password: string): Promise<void> {
  const step = await createReauthentication(dependencies).withPassword(password);
  if (step.kind === 'refused' || step.kind === 'password') {
    throw step.error ?? new PoolgateError({ code: 'invalid_credentials', status: 401 });
  }
}
