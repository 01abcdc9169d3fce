import type { PoolgateError } from '../../transport/poolgate-error.ts';
import type { RouteBody } from '../../transport/routes.ts';
import { attemptStep } from './attempt-step.ts';
import { answerChallenge, type LoginRun, type PendingChallenge, toFirstChallenge } from './login-run.ts';
import type { FirstFactor, LoginStep, SecondFactor, SelectFactorStep, SelectMfaStep } from './login-steps.ts';
import { createPasswordStep } from './password-step.ts';

const FIRST_FACTORS: readonly string[] = ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'] satisfies FirstFactor[];
const SECOND_FACTORS: readonly string[] = ['SMS_MFA', 'EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'] satisfies SecondFactor[];
const isFirstFactor = (name: string): name is FirstFactor => FIRST_FACTORS.includes(name);
const isSecondFactor = (name: string): name is SecondFactor => SECOND_FACTORS.includes(name);

/** Asks the user how to start. The routes list only passwordless factors; a password is possible if the pool allows it. */
export async function createSelectFactorStep(
  run: LoginRun,
  { available }: PendingChallenge,
): Promise<SelectFactorStep> {
  const { challenges } = await run.parameters();
  const password = challenges.includes('PASSWORD_VERIFIER') ? ['PASSWORD'] : [];
  const factors = [...new Set([...password, ...available])].filter(isFirstFactor);
  return createFactorChoice(run, factors);
}

function createFactorChoice(
  run: LoginRun,
  factors: readonly FirstFactor[],
  error: PoolgateError | null = null,
): SelectFactorStep {
  const again = (failure: PoolgateError): SelectFactorStep => createFactorChoice(run, factors, failure);
  return {
    kind: 'selectFactor',
    username: run.username ?? null,
    error,
    factors,
    choose: (factor) => attemptStep(run, again, () => startFactor(run, factor)),
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
