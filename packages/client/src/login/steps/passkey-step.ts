import type { PasskeyRequestOptions } from '../../passkeys/browser-passkeys.ts';
import type { PasskeyFailure } from '../../passkeys/passkey-failure.ts';
import { PoolgateError } from '../../transport/poolgate-error.ts';
import { attemptStep, createRefusedStep } from './attempt-step.ts';
import { answerChallenge, type LoginRun, type PendingChallenge, toFirstChallenge } from './login-run.ts';
import type { LoginStep, PasskeyStep } from './login-steps.ts';

/** Offers in a field are renewed before their challenge expires. The service keeps a challenge for three minutes or more. */
const OFFER_LIFETIME_MS = 150_000;

/** WEB_AUTHN: asks for a passkey. */
export function createPasskeyStep(
  run: LoginRun,
  challenge: PendingChallenge,
  { error = null, failure = null }: Partial<Pick<PasskeyStep, 'error' | 'failure'>> = {},
): PasskeyStep {
  const again = (problem: PoolgateError): PasskeyStep => createPasskeyStep(run, challenge, { error: problem });
  return {
    kind: 'passkey',
    username: run.username ?? null,
    error,
    failure,
    use: () => attemptStep(run, again, () => usePasskey(run, challenge)),
  };
}

async function usePasskey(run: LoginRun, challenge: PendingChallenge): Promise<LoginStep> {
  const given = await requestPasskey(run, challenge);
  // Without an answer, the step stays open.
  return typeof given === 'string' ? createPasskeyStep(run, challenge, { failure: given }) : given();
}

/** Asks the browser. Returns why there is no passkey, or a function that answers with it. */
async function requestPasskey(
  run: LoginRun,
  challenge: PendingChallenge,
  how?: PasskeyRequestOptions,
): Promise<PasskeyFailure | (() => Promise<LoginStep>)> {
  const { CREDENTIAL_REQUEST_OPTIONS: options } = challenge.parameters;
  if (options === undefined) throw new PoolgateError({ code: 'unexpected_answer' });
  const given = await run.passkeys.get(options, how);
  return 'failure' in given ? given.failure : () => answerWithPasskey(run, challenge, { options, ...given });
}

/** If the service does not know a passkey, this asks the browser to stop offering it. */
async function answerWithPasskey(
  run: LoginRun,
  challenge: PendingChallenge,
  { options, credential }: { readonly options: string; readonly credential: string },
): Promise<LoginStep> {
  try {
    return await answerChallenge(run, challenge, credential);
  } catch (error) {
    if (error instanceof PoolgateError && error.code === 'passkey_not_found') {
      const { rpId } = JSON.parse(options) as { readonly rpId: string };
      const { id } = JSON.parse(credential) as { readonly id: string };
      await run.passkeys.signal('unknownCredential', { rpId, credentialId: id });
    }
    throw error;
  }
}

/**
 * Offers passkeys in the autofill of a field until the user chooses one.
 * @returns null if the browser or service does not support it, or if the offer was aborted or another passkey was requested
 */
export async function offerPasskeys(run: LoginRun, signal: AbortSignal | undefined): Promise<LoginStep | null> {
  if (!(await run.passkeys.hasAutofill())) return null;
  while (!signal?.aborted) {
    const started = await run.transport.send('passkeyDiscoverable').catch(ignoreServiceError);
    if (started === null || signal?.aborted) return null;
    const lifetime = createTimeLimit(OFFER_LIFETIME_MS, signal);
    const given = await requestPasskey(run, toFirstChallenge(started), {
      isConditional: true,
      signal: lifetime.signal,
    });
    lifetime.end();
    if (typeof given !== 'string') return attemptStep(run, (error) => createRefusedStep(run, error), given);
    if (!lifetime.isOver()) return null;
  }
  return null;
}

function ignoreServiceError(error: unknown): null {
  if (error instanceof PoolgateError) return null;
  throw error;
}

/** An abort signal with a timeout. */
function createTimeLimit(ms: number, outer: AbortSignal | undefined) {
  const abort = new AbortController();
  const end = (): void => abort.abort();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    end();
  }, ms);
  outer?.addEventListener('abort', end, { once: true });
  return {
    signal: abort.signal,
    isOver: () => isOver,
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', end);
    },
  };
}
