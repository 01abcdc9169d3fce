import type { LoginResponse } from '../transport/login-responses.ts';
import { createLogin } from './login.ts';
import { toNextStep } from './next-step.ts';
import type { LoginDependencies } from './steps/login-run.ts';
import type { LoginStep } from './steps/login-steps.ts';

/** How a user continues after a code. */
export interface CodeOptions {
  /** Session mode only: also signs in, if this browser requested the code. */
  readonly signIn?: boolean;
}

/** The body member that asks for the login. */
export const toSignInBody = ({ signIn }: CodeOptions): { readonly sign_in?: true } => (signIn ? { sign_in: true } : {});

/** The login that a code began; null if the user signs in next. @throws {PoolgateError} */
export async function continueAfterCode(
  dependencies: LoginDependencies,
  username: string,
  { login }: { readonly login?: LoginResponse },
): Promise<LoginStep | null> {
  if (login === undefined) return null;
  const named = { username: login.status === 'challenge' ? login.username : username };
  const retry = async (): Promise<LoginStep> => createLogin(dependencies).forPassword(named);
  return toNextStep({ ...dependencies, ...named, options: {}, retry, advance: toNextStep }, login);
}
