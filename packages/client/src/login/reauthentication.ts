import { PoolgateError } from '../transport/poolgate-error.ts';
import { createLogin, type Login } from './login.ts';
import type { LoginDependencies } from './steps/login-run.ts';
import type { FirstFactor, LoginStep } from './steps/login-steps.ts';

/** The user who is logged in proves it again. The login goes on with another id, or other tokens, and counts as recent. */
export interface Reauthentication {
  /** @throws {PoolgateError} `unauthenticated`, nobody is logged in */
  withPassword(password: string): Promise<LoginStep>;
  /** Call it from the handler of a click. @throws {PoolgateError} `unauthenticated` */
  withPasskey(): Promise<LoginStep>;
  /** @throws {PoolgateError} `unauthenticated` */
  withFactor(factor: FirstFactor): Promise<LoginStep>;
  /** Asks how. @throws {PoolgateError} `unauthenticated` */
  choose(): Promise<LoginStep>;
}

/** Creates the methods that prove again who is signed in. */
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
