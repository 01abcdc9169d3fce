import { PoolgateError } from '../transport/poolgate-error.ts';
import { createLogin, type Login } from './login.ts';
import type { LoginDependencies } from './steps/login-run.ts';
import type { FirstFactor, LoginStep } from './steps/login-steps.ts';

/** Verifies the signed-in user again. The login then has a new id or new tokens, and counts as recent. */
export interface Reauthentication {
  /** @throws {PoolgateError} `unauthenticated`: no user is signed in */
  withPassword(password: string): Promise<LoginStep>;
  /** Call it from a click handler. @throws {PoolgateError} `unauthenticated` */
  withPasskey(): Promise<LoginStep>;
  /** @throws {PoolgateError} `unauthenticated` */
  withFactor(factor: FirstFactor): Promise<LoginStep>;
  /** Returns the user's choice of factors. @throws {PoolgateError} `unauthenticated` */
  choose(): Promise<LoginStep>;
}

/** Creates the methods that verify the signed-in user again. */
export function createReauthentication(dependencies: LoginDependencies): Reauthentication {
  const login: Login = createLogin({ ...dependencies, answerRoute: dependencies.stepUpRoute });
  const named = async () => {
    const username = await dependencies.keeper.username();
    if (username === null) throw new PoolgateError({ code: 'unauthenticated', status: 401 });
    return { username };
  };
  return {
    withPassword: async (password) => login.withPassword({ ...(await named()), password }),
    withPasskey: async () => login.withPasskey(await named()),
    withFactor: async (factor) => login.withFactor({ ...(await named()), factor }),
    choose: async () => login.choose(await named()),
  };
}
