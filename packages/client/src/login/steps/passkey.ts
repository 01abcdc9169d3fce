import { PoolgateError } from '../../errors.ts';
import type { PasskeyFailure } from '../../passkeys/outcome.ts';
import { attempt } from '../attempt.ts';
import { answer, type Challenge, type LoginRun } from '../run.ts';
import type { LoginStep, PasskeyStep } from '../steps.ts';

/** WEB_AUTHN: asks for a passkey. */
export function passkeyStep(
  run: LoginRun,
  challenge: Challenge,
  { error = null, failure = null }: Partial<Pick<PasskeyStep, 'error' | 'failure'>> = {},
): PasskeyStep {
  return {
    kind: 'passkey',
    username: run.username ?? null,
    error,
    failure,
    use: () =>
      attempt(
        run,
        (problem) => passkeyStep(run, challenge, { error: problem }),
        () => usePasskey(run, challenge),
      ),
  };
}

async function usePasskey(run: LoginRun, challenge: Challenge): Promise<LoginStep> {
  const { CREDENTIAL_REQUEST_OPTIONS: options } = challenge.parameters;
  if (options === undefined) throw new PoolgateError({ code: 'unexpected_answer' });
  const given = await run.passkeys.get(options);
  return 'failure' in given ? failedStep(run, challenge, given.failure) : answer(run, challenge, given.credential);
}

/** The challenge was not answered: it waits as before. */
function failedStep(run: LoginRun, challenge: Challenge, failure: PasskeyFailure): PasskeyStep {
  return passkeyStep(run, challenge, { failure });
}
