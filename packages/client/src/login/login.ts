/**
 * A login from start to finish: it turns each challenge into a step, and stores the result of a finished login. `next-step` has the table
 * of challenges.
 */
import { toNextStep } from './next-step.ts';
import { attemptStep, createRefusedStep } from './steps/attempt-step.ts';
import { startFactor } from './steps/choice-steps.ts';
import { type LoginDependencies, type LoginOptions, type LoginRun, toFirstChallenge } from './steps/login-run.ts';
import type { FirstFactor, LoginStep, PasswordStep } from './steps/login-steps.ts';
import { offerPasskeys } from './steps/passkey-step.ts';
import { createPasswordStep, startForTriggers } from './steps/password-step.ts';

/** A login with a username. */
export interface UserLoginOptions extends LoginOptions {
  /** Username, `sub`, or a verified email address or phone number. */
  readonly username: string;
}

/** The ways to start a login. If the service refuses, the result is also a step; only programming errors are thrown. */
export interface Login {
  /**
   * Precomputes everything that does not depend on the user, so that the button responds faster. Call it, for example, when the form is
   * shown. It starts the SRP worker, draws the private value of one login and fetches the public parameters. It never rejects; the login
   * repeats what failed.
   */
  prepare(): Promise<void>;
  /** Logs in with a password, which is proven by SRP and never sent. */
  withPassword(login: UserLoginOptions & { readonly password: string }): Promise<LoginStep>;
  /** Waits for a user's password. It sends no request yet. */
  forPassword(login: UserLoginOptions): PasswordStep;
  /** Returns the user's choice of login factors. */
  choose(login: UserLoginOptions): Promise<LoginStep>;
  /** Starts with a factor by name: sends a code, or waits for a passkey or a password. */
  withFactor(login: UserLoginOptions & { readonly factor: FirstFactor }): Promise<LoginStep>;
  /** Logs in as the pool's triggers decide (`CUSTOM_AUTH`): with their challenges alone, or after a password if one is given. */
  withTriggers(login: UserLoginOptions & { readonly password?: string }): Promise<LoginStep>;
  /** Logs in with a passkey of the given user, or with any passkey that the user chooses. Call it from a click handler. */
  withPasskey(login?: Partial<UserLoginOptions>): Promise<LoginStep>;
  /**
   * Offers passkeys in the autofill of a field with `autocomplete="username webauthn"`, and waits until the user chooses one. A passkey
   * request from a button ends the offer. So does the signal, for a field that leaves the page.
   * @returns null if the offer ended or was not possible
   */
  autofill(login?: LoginOptions & { readonly signal?: AbortSignal }): Promise<LoginStep | null>;
}

/** Creates the methods that start a login. */
export function createLogin(dependencies: LoginDependencies): Login {
  const named = (login: UserLoginOptions, retry: LoginRun['retry']): LoginRun => ({
    ...dependencies,
    options: login,
    username: login.username,
    retry,
    advance: toNextStep,
  });
  const forPassword = (login: UserLoginOptions): PasswordStep =>
    createPasswordStep(named(login, async () => forPassword(login)));
  const withFactor: Login['withFactor'] = (login) => {
    const run = named(login, () => withFactor(login));
    return attemptFirstStep(run, () => startFactor(run, login.factor));
  };
  const passwordForTriggers = (login: UserLoginOptions): PasswordStep =>
    createPasswordStep(
      named(login, async () => passwordForTriggers(login)),
      null,
      startForTriggers,
    );
  const withTriggers: Login['withTriggers'] = ({ password, ...login }) => {
    if (password !== undefined) return passwordForTriggers(login).submit(password);
    const run = named(login, () => withTriggers(login));
    return attemptFirstStep(run, () => startCustom(run, login.username));
  };
  const choose: Login['choose'] = (login) => {
    const run = named(login, () => choose(login));
    return attemptFirstStep(run, () => listFactors(run, login.username));
  };
  const withPasskey: Login['withPasskey'] = async (login = {}) => {
    const retry = (): Promise<LoginStep> => withPasskey(login);
    const run: LoginRun = { ...dependencies, options: login, username: login.username, retry, advance: toNextStep };
    const step = await attemptFirstStep(run, () => startPasskey(run));
    return step.kind === 'passkey' ? step.use() : step;
  };
  return {
    async prepare() {
      const { keeper, parameters, prepareSrp } = dependencies;
      await Promise.allSettled([prepareSrp(), parameters(), keeper.prepare()]);
    },
    withPassword: ({ password, ...login }) => forPassword(login).submit(password),
    forPassword,
    choose,
    withFactor,
    withTriggers,
    withPasskey,
    autofill: ({ signal, ...options } = {}) => {
      const retry = (): Promise<LoginStep> => withPasskey(options);
      return offerPasskeys({ ...dependencies, options, username: undefined, retry, advance: toNextStep }, signal);
    },
  };
}

/** A refusal of the first step ends the login. */
function attemptFirstStep(run: LoginRun, act: () => Promise<LoginStep>): Promise<LoginStep> {
  return attemptStep(run, (error) => createRefusedStep(run, error), act);
}

async function listFactors(run: LoginRun, username: string): Promise<LoginStep> {
  return run.advance(run, toFirstChallenge(await run.transport.send('passkeyChallenges', { body: { username } })));
}

async function startCustom(run: LoginRun, username: string): Promise<LoginStep> {
  return run.advance(run, await run.transport.send('loginCustom', { body: { username } }));
}

async function startPasskey(run: LoginRun): Promise<LoginStep> {
  if (run.username !== undefined) return startFactor(run, 'WEB_AUTHN');
  return run.advance(run, toFirstChallenge(await run.transport.send('passkeyDiscoverable')));
}
