import { createReauthentication } from '../login/reauthentication.ts';
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

/** Setting another password. */
export interface Passwords {
  /**
   * Sends a code to the owner of the account. The answer is the same if there is no such account.
   * @param user `session`: the one of an earlier code for this user. With it the service sends more codes.
   * @throws {PoolgateError}
   */
  forgot(user: UserIdentifier & { readonly session?: string }): Promise<SentResetCode>;
  /**
   * Sets a password by the code; every login of the user ends.
   * @param reset `session`: the one that came with the code. With it the code works whatever codes others ask for. In a browser session the
   *   service remembers it as well, so that it survives a reload.
   * @throws {PoolgateError}
   */
  reset(
    reset: UserIdentifier & { readonly code: string; readonly session?: string | undefined; readonly password: string },
  ): Promise<void>;
  /**
   * Says that what a mail told about was done by somebody else: every login of the account ends, and its password must be reset.
   * @param link what stands in the fragment of the link in that mail; good once
   * @throws {PoolgateError} `invalid_session`, the link was used or is too old
   */
  notMe(link: { readonly token: string }): Promise<void>;
  /**
   * Changes the password of the user who is logged in; the other logins end. The old one is proven and, where the service takes
   * verifiers, not sent.
   * @param change `current` left out: by who has none yet, and wherever a recent login is enough
   * @throws {PoolgateError} `invalid_credentials`, the old one is wrong; `reauthentication_required`
   */
  change(change: { readonly current?: string; readonly next: string }): Promise<ChangeOutcome>;
  /**
   * What is wrong with a password by the rules that can be checked here, while it is typed; empty if nothing is. The lists of common and leaked
   * passwords are looked up when a password is set.
   * @throws {PoolgateError}
   */
  problems(password: string, names?: readonly string[]): Promise<readonly string[]>;
}

/** A reset code that was sent. */
export interface SentResetCode {
  /** Goes back with the code. Absent if Amazon Cognito is the provider, which has no such sessions. */
  readonly session?: string;
}

/** Creates the methods for passwords. */
export function createPasswords(dependencies: AccountDependencies): Passwords {
  const { transport } = dependencies;
  return {
    forgot: (user) => transport.send('passwordForgot', { body: user }),
    notMe: async ({ token }) => void (await transport.send('notMe', { body: { token } })),
    async reset({ code, session, password, ...user }) {
      const names = Object.values(user);
      const chosen = await prepareNewPassword(dependencies, { password, names, user, field: 'password' });
      const proof = chosen.verifier === undefined ? { password } : { password_verifier: chosen.verifier };
      const own = session === undefined ? {} : { session };
      await transport.send('passwordReset', { body: { ...user, code, ...own, ...proof } });
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

/** Whoever gets past the password has proven it, whatever is asked next. */
async function proveCurrentPassword(dependencies: AccountDependencies, password: string): Promise<void> {
  const step = await createReauthentication(dependencies).withPassword(password);
  if (step.kind === 'refused' || step.kind === 'password') {
    throw step.error ?? new PoolgateError({ code: 'invalid_credentials', status: 401 });
  }
}
