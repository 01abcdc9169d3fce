/**
 * A login from start to finish: which challenge becomes which step, and what a finished login leaves behind. `next-step` is the table of
 * challenges.
 */
import { toNextStep } from './next-step.ts';
import { attemptStep, createRefusedStep } from './steps/attempt-step.ts';
import { startFactor } from './steps/choice-steps.ts';
import { type LoginDependencies, type LoginOptions, type LoginRun, toFirstChallenge } from './steps/login-run.ts';
import type { FirstFactor, LoginStep, PasswordStep } from './steps/login-steps.ts';
import { offerPasskeys } from './steps/passkey-step.ts';
import { createPasswordStep, startForTriggers } from './steps/password-step.ts';

/** A login with the name of its user. */
export interface UserLoginOptions extends LoginOptions {
  /** User name, sub, or a verified e-mail address or phone number. */
  readonly username: string;
}

/** The ways into a login. What the service refuses is a step as well: only faults of the caller are thrown. */
export interface Login {
  /**
   * Does what a login needs and what depends on nobody, for example when its form is shown, so that the button has less to wait for: starts the
   * worker of SRP, draws the private value of one login, and asks for the public facts. Never rejects; what fails is done again by the login.
   */
  prepare(): Promise<void>;
  /** Logs in by a password, which is proven and never sent. */
  withPassword(login: UserLoginOptions & { readonly password: string }): Promise<LoginStep>;
  /** Waits for the password of a user. Asks the service nothing yet. */
  forPassword(login: UserLoginOptions): PasswordStep;
  /** Asks how the user can log in. */
  choose(login: UserLoginOptions): Promise<LoginStep>;
  /** Begins with one factor by its name: sends a code, or waits for a passkey or a password. */
  withFactor(login: UserLoginOptions & { readonly factor: FirstFactor }): Promise<LoginStep>;
  /** Logs in as the triggers of the pool decide (`CUSTOM_AUTH`): by their questions alone, or after a password where one is given. */
  withTriggers(login: UserLoginOptions & { readonly password?: string }): Promise<LoginStep>;
  /** Logs in by a passkey of the user, or by whichever the user chooses. Call it from the handler of a click. */
  withPasskey(login?: Partial<UserLoginOptions>): Promise<LoginStep>;
  /**
   * Offers passkeys in the autofill of a field with `autocomplete="username webauthn"`, and waits until one is chosen. A passkey that is
   * asked for by a button ends the offer; so does the signal, for a field that leaves the page.
   * @returns null where the offer has ended, or could not be made
   */
  autofill(login?: LoginOptions & { readonly signal?: AbortSignal }): Promise<LoginStep | null>;
}

/** Creates the ways into a login. */
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

/** Nothing has begun: whatever is refused ends the login. */
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
