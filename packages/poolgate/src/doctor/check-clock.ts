import type { Clock } from '@poolgate/pool';
import { createFault, createOkFinding, createWarning, type Finding } from './findings/finding.ts';

const RESPONSE_TIMEOUT_MS = 5_000;
/** A `Date` header has whole seconds, and a response takes time. */
const NOTICED_SECONDS = 5;
/** Signatures and SRP proofs with a larger difference are refused. */
const REFUSED_SECONDS = 5 * 60;

const ADVICE = 'Synchronize the clock of this machine with NTP.';

/** Compares this machine's clock with the provider's, by the `Date` header (RFC 9110 §6.6.1) of its keys. */
export async function checkClock(jwksUrl: string | undefined, clock: Clock): Promise<Finding> {
  if (jwksUrl === undefined) return createOkFinding('The embedded pool uses the clock of this machine.');
  const askedAtMs = clock.now();
  const date = await fetchServerTime(jwksUrl);
  const nowMs = (askedAtMs + clock.now()) / 2;
  if (date === undefined) {
    return createWarning(
      'The provider did not report its time.',
      'See the finding about its keys, and check the clock in another way.',
    );
  }
  const off = Math.round((nowMs - date) / 1_000);
  const said = `The clock of this machine is ${Math.abs(off)} s ${off < 0 ? 'behind' : 'ahead of'} the provider's`;
  if (Math.abs(off) >= REFUSED_SECONDS) return createFault(`${said}, so proofs and signatures are refused.`, ADVICE);
  if (Math.abs(off) >= NOTICED_SECONDS) return createWarning(`${said}.`, ADVICE);
  return createOkFinding("The clock of this machine matches the provider's clock.");
}

async function fetchServerTime(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS), redirect: 'error' });
    await response.body?.cancel();
    const date = Date.parse(response.headers.get('date') ?? '');
    return Number.isNaN(date) ? undefined : date;
  } catch {
    return undefined;
  }
}
