import { createLogin } from './login.ts';
import { toNextStep } from './next-step.ts';
import { startFactor } from './steps/choice-steps.ts';
import type { LoginDependencies, LoginRun, PendingChallenge } from './steps/login-run.ts';
import { toPendingChallenge } from './steps/login-run.ts';
import type { FirstFactor, LoginStep } from './steps/login-steps.ts';

/** What this browser began last and has not finished. The service remembers it in a cookie that no script can read. */
export interface Unfinished {
  readonly flow: 'login' | 'sign_up' | 'reset';
  /** As it was typed. */
  readonly username: string;
  /** When the step began or its code was sent, in milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  /** How many codes the service has sent to this browser for it within the last hour. */
  readonly codesSent: number;
  /** Shows the step of a login again, without sending another code; null for a sign-up or a reset. @throws {PoolgateError} */
  readonly resume: ((options?: { readonly staySignedIn?: boolean }) => Promise<LoginStep>) | null;
}

/** Asks the service what this browser has not finished; null if there is nothing. @throws {PoolgateError} */
export async function findUnfinished(dependencies: LoginDependencies): Promise<Unfinished | null> {
  const found = await dependencies.transport.send('webUnfinished');
  const { flow, username, started_at, expires_at, challenge } = found;
  if (flow === null || username === null || started_at === null || expires_at === null) return null;
  const codesSent = found.codes_sent ?? 1;
  const times = { startedAtMs: Date.parse(started_at), expiresAtMs: Date.parse(expires_at), codesSent };
  if (challenge === null) return { flow, username, ...times, resume: null };
  const pending: PendingChallenge = { ...toPendingChallenge(challenge), isFirst: found.is_first, times };
  return {
    flow,
    username,
    ...times,
    resume: (options = {}) => toNextStep(createResumedRun(dependencies, { username, options, pending }), pending),
  };
}

interface ResumedLogin {
  readonly username: string;
  readonly options: LoginRun['options'];
  readonly pending: PendingChallenge;
}

/** A password is kept nowhere: only a login that began with the challenge itself can repeat what led to it. */
function createResumedRun(dependencies: LoginDependencies, { username, options, pending }: ResumedLogin): LoginRun {
  const retry = (): Promise<LoginStep> => createLogin(dependencies).choose({ username, ...options });
  const run: LoginRun = { ...dependencies, options, username, retry, advance: toNextStep };
  const { name, session } = pending;
  if (!pending.isFirst || name === 'SELECT_CHALLENGE') return run;
  return { ...run, repeat: () => startFactor(run, name as FirstFactor, { Session: session }) };
}
