import type { Configuration } from '../config/configuration.ts';
import { isWireFresh, STALE_ON_WIRE } from '../notices.ts';
import { type Finding, ok, warn } from './finding.ts';

const ADVICE = 'Set IDP_FRESH_PROOF_WIRE=true once your clients log users in again, or POOLGATE_WIRE=false.';

/** Whether every door asks for a recent login where a factor, a contact or the account is changed. */
export function checkFreshProof({ settings, mode }: Configuration): readonly Finding[] {
  const { provider, freshProofSeconds } = settings;
  if (provider === 'cognito')
    return [ok('The routes ask for a recent login. The pool itself, asked by others, does not.')];
  if (isWireFresh(settings)) return [ok(`Factors change only by a login of the last ${freshProofSeconds} seconds.`)];
  return [mode === 'production' ? warn(STALE_ON_WIRE, ADVICE) : ok(`${STALE_ON_WIRE} ${ADVICE}`)];
}
