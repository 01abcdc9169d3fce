import type { ClientErrorCode } from '../../transport/poolgate-error.ts';
import { PoolgateError } from '../../transport/poolgate-error.ts';
import type { LoginRun } from './login-run.ts';
import type { LoginStep, RefusedStep } from './login-steps.ts';

/** After these errors the login is over. After any other error, the user can try the same step again. */
const FINAL_CODES: ReadonlySet<ClientErrorCode> = new Set([
  'invalid_credentials',
  'invalid_session',
  'invalid_grant',
  'challenge_mismatch',
  'password_reset_required',
  'user_not_confirmed',
  'feature_disabled',
  'forbidden',
  'passkey_not_found',
  'unexpected_answer',
]);

/**
 * Runs an action that leads to the next step. A refusal by the service also becomes a step: the same one with the error, or the end of the
 * login.
 * @param again creates the same step with an error
 */
export async function attemptStep(
  run: LoginRun,
  again: (error: PoolgateError) => LoginStep,
  act: () => Promise<LoginStep>,
): Promise<LoginStep> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof PoolgateError)) throw error;
    return FINAL_CODES.has(error.code) ? createRefusedStep(run, error) : again(error);
  }
}

/** The end of a failed login. */
export function createRefusedStep({ username, retry }: LoginRun, error: PoolgateError): RefusedStep {
  return { kind: 'refused', username: username ?? null, error, retry };
}
