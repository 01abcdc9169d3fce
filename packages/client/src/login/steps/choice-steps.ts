import type { PoolgateError } from '../../transport/poolgate-error.ts';
import type { RouteBody, RouteResponse } from '../../transport/routes.ts';
import { attemptStep } from './attempt-step.ts';
import {
  answerChallenge,
  type LoginRun,
  type PendingChallenge,
  type RequestedLevel,
  toFirstChallenge,
  toPendingChallenge,
} from './login-run.ts';
import type { FirstFactor, LoginStep, SecondFactor, SelectFactorStep, SelectMfaStep } from './login-steps.ts';
import { createPasswordStep } from './password-step.ts';

const FIRST_FACTORS: readonly string[] = ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'] satisfies FirstFactor[];
const SECOND_FACTORS: readonly string[] = ['SMS_MFA', 'EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'] satisfies SecondFactor[];
const isFirstFactor = (name: string): name is FirstFactor => FIRST_FACTORS.includes(name);
const isSecondFactor = (name: string): name is SecondFactor => SECOND_FACTORS.includes(name);

/** Asks the user how to start. The routes list only passwordless factors; a password is possible if the pool allows it. */
export async function createSelectFactorStep(run: LoginRun, challenge: PendingChallenge): Promise<SelectFactorStep> {
  if (run.level !== undefined) return createLevelChoice({ ...run, level: run.level }, challenge);
  const { available } = challenge;
  const { challenges } = await run.parameters();
  const password = challenges.includes('PASSWORD_VERIFIER') ? ['PASSWORD'] : [];
  const factors = [...new Set([...password, ...available])].filter(isFirstFactor);
  return createFactorChoice(run, factors);
}

type LevelRun = LoginRun & { readonly level: RequestedLevel };

/** The factors that lead to the requested level. */
function createLevelChoice(run: LevelRun, challenge: PendingChallenge): SelectFactorStep {
  const factors = [...new Set(challenge.available.map((name) => (name === 'PASSWORD_SRP' ? 'PASSWORD' : name)))];
  return createFactorChoice(run, factors.filter(isFirstFactor), null, (factor) =>
    factor === 'PASSWORD'
      ? createPasswordStep(run, null, (started, SRP_A) => restartWithPassword({ ...started, level: run.level }, SRP_A))
      : answerChallenge(run, challenge, factor),
  );
}

/** Starts the step-up again, because a choice can be answered only once and the user may mistype the password. */
async function restartWithPassword(run: LevelRun, SRP_A: string): Promise<LoginStep> {
  const challenge = toPendingChallenge(await startLevel(run));
  if (challenge.name !== 'SELECT_CHALLENGE') return run.advance(run, challenge);
  return answerChallenge(run, challenge, { ANSWER: 'PASSWORD_SRP', SRP_A });
}

/** Asks the service for what the level still needs. @throws {PoolgateError} */
export function startLevel({ transport, level }: LevelRun): Promise<RouteResponse<'loginStepUp'>> {
  const { acrValues: acr_values, maxAgeSeconds: max_age } = level;
  return transport.send('loginStepUp', { body: { acr_values, ...(max_age !== undefined && { max_age }) } });
}

function createFactorChoice(
  run: LoginRun,
  factors: readonly FirstFactor[],
  error: PoolgateError | null = null,
  start = (factor: FirstFactor): LoginStep | Promise<LoginStep> => startFactor(run, factor),
): SelectFactorStep {
  const again = (failure: PoolgateError): SelectFactorStep => createFactorChoice(run, factors, failure, start);
  return {
    kind: 'selectFactor',
    username: run.username ?? null,
    error,
    factors,
    choose: (factor) => attemptStep(run, again, async () => start(factor)),
  };
}

/** An earlier code, whose session lets the service send more codes. */
interface EarlierCode {
  readonly Session: string;
}

/**
 * Starts with a factor by name. The steps are the same for every user, whether or not they have it.
 * @throws {PoolgateError}
 */
export async function startFactor(run: LoginRun, factor: FirstFactor, earlier?: EarlierCode): Promise<LoginStep> {
  if (factor === 'PASSWORD') return createPasswordStep(run);
  const username = run.username ?? '';
  // Undefined members are not sent.
  const body = { username, session: earlier?.Session } as RouteBody<'passkeyChallenge'>;
  const started = await run.transport.send('passkeyChallenge', { params: { challenge_name: factor }, body });
  return run.advance({ ...run, repeat: () => startFactor(run, factor, started) }, toFirstChallenge(started));
}

/** Asks which second factor to use. */
export function createSelectMfaStep(
  run: LoginRun,
  challenge: PendingChallenge,
  error: PoolgateError | null = null,
): SelectMfaStep {
  const again = (failure: PoolgateError): SelectMfaStep => createSelectMfaStep(run, challenge, failure);
  return {
    kind: 'selectMfa',
    username: run.username ?? null,
    error,
    factors: parseNames(challenge.parameters.MFAS_CAN_CHOOSE).filter(isSecondFactor),
    choose: (factor) => attemptStep(run, again, () => answerChallenge(repeatChoice(run, factor), challenge, factor)),
  };
}

/** A repeated login makes the same choice again. */
function repeatChoice(run: LoginRun, factor: SecondFactor): LoginRun {
  const { repeat } = run;
  if (repeat === undefined) return run;
  return {
    ...run,
    repeat: async (changes) => {
      const step = await repeat(changes);
      return step.kind === 'selectMfa' ? step.choose(factor) : step;
    },
  };
}

/** Parses a JSON list of names. */
function parseNames(json = '[]'): readonly string[] {
  const names: unknown = JSON.parse(json);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
