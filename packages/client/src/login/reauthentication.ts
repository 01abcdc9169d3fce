import { PoolgateError } from '../transport/poolgate-error.ts';
import { createLogin, type Login } from './login.ts';
import { toNextStep } from './next-step.ts';
import { attemptStep, createRefusedStep } from './steps/attempt-step.ts';
import { startLevel } from './steps/choice-steps.ts';
import type { LoginDependencies, RequestedLevel } from './steps/login-run.ts';
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
  /**
   * Asks only for what an authentication level still needs. The login then has new tokens, which name the level.
   * @throws {PoolgateError} `unauthenticated`
   */
  forLevel(level: RequestedLevel): Promise<LoginStep>;
}

function startLevelLogin(
  dependencies: LoginDependencies & { readonly username: string },
  level: RequestedLevel,
): Promise<LoginStep> {
  const retry = (): Promise<LoginStep> => startLevelLogin(dependencies, level);
  const run = { ...dependencies, options: {}, level, retry, repeat: retry, advance: toNextStep };
  return attemptStep(
    run,
    (error) => createRefusedStep(run, error),
    async () => toNextStep(run, await startLevel(run)),
  );
}

/** Creates the methods that verify the signed-in user again. */
export function createReauthentication(dependencies: LoginDependencies): Reauthentication {
  const answering = { ...dependencies, answerRoute: dependencies.stepUpRoute };
  const login: Login = createLogin(answering);
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
    forLevel: async (level) => startLevelLogin({ ...answering, ...(await named()) }, level),
  };
}
