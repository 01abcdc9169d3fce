import { PoolgateError } from '../../errors.ts';
import type { GetOptions } from '../../passkeys/browser.ts';
import type { PasskeyFailure } from '../../passkeys/outcome.ts';
import { attempt, refusedStep } from '../attempt.ts';
import { answer, choiceIn, type LoginRun, type PendingChallenge } from '../run.ts';
import type { LoginStep, PasskeyStep } from '../steps.ts';

/** An offer in a field is made anew before the challenge behind it expires, which the service lets live three minutes or more. */
const OFFER_LIFETIME_MS = 150_000;

/** WEB_AUTHN: asks for a passkey. */
export function passkeyStep(
  run: LoginRun,
  challenge: PendingChallenge,
  { error = null, failure = null }: Partial<Pick<PasskeyStep, 'error' | 'failure'>> = {},
): PasskeyStep {
  const again = (problem: PoolgateError): PasskeyStep => passkeyStep(run, challenge, { error: problem });
  return {
    kind: 'passkey',
    username: run.username ?? null,
    error,
    failure,
    use: () => attempt(run, again, () => usePasskey(run, challenge)),
  };
}

async function usePasskey(run: LoginRun, challenge: PendingChallenge): Promise<LoginStep> {
  const given = await askBrowser(run, challenge);
  // What was not answered waits as before.
  return typeof given === 'string' ? passkeyStep(run, challenge, { failure: given }) : given();
}

/** Asks the browser; gives why there is no passkey, or what answers with the one that it gave. */
async function askBrowser(
  run: LoginRun,
  challenge: PendingChallenge,
  how?: GetOptions,
): Promise<PasskeyFailure | (() => Promise<LoginStep>)> {
  const { CREDENTIAL_REQUEST_OPTIONS: options } = challenge.parameters;
  if (options === undefined) throw new PoolgateError({ code: 'unexpected_answer' });
  const given = await run.passkeys.get(options, how);
  return 'failure' in given ? given.failure : () => answerWith(run, challenge, { options, ...given });
}

/** A passkey that the service does not know is no use to the user: the browser is told, so that it offers it no more. */
async function answerWith(
  run: LoginRun,
  challenge: PendingChallenge,
  { options, credential }: { readonly options: string; readonly credential: string },
): Promise<LoginStep> {
  try {
    return await answer(run, challenge, credential);
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
 * Offers passkeys in the autofill of a field until one is chosen.
 * @returns null where the browser or the service cannot, and where it was given up or another passkey was asked for
 */
export async function offerPasskeys(run: LoginRun, signal: AbortSignal | undefined): Promise<LoginStep | null> {
  if (!(await run.passkeys.hasAutofill())) return null;
  while (!signal?.aborted) {
    const started = await run.transport.send('passkeyDiscoverable').catch(orNothing);
    if (started === null || signal?.aborted) return null;
    const lifetime = limitedTo(OFFER_LIFETIME_MS, signal);
    const given = await askBrowser(run, choiceIn(started), { isConditional: true, signal: lifetime.signal });
    lifetime.end();
    if (typeof given !== 'string') return attempt(run, (error) => refusedStep(run, error), given);
    if (!lifetime.isOver()) return null;
  }
  return null;
}

function orNothing(error: unknown): null {
  if (error instanceof PoolgateError) return null;
  throw error;
}

/** A signal that also ends by itself. */
function limitedTo(ms: number, outer: AbortSignal | undefined) {
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
