import type { Configuration } from '../config/configuration.ts';
import { OLD_LOGINS_WARNING, requiresRecentLoginEverywhere } from '../notices.ts';
import { type Finding, ok, warn } from './finding.ts';

const ADVICE = 'Set IDP_FRESH_PROOF_WIRE=true once your clients log users in again, or POOLGATE_WIRE=false.';

/** Whether every entry point asks for a recent login where a factor, a contact or the account is changed. */
export function checkRecentLogin({ settings, mode }: Configuration): readonly Finding[] {
  const { provider, freshProofSeconds } = settings;
  if (provider === 'cognito')
    return [ok('The routes ask for a recent login. The pool itself, asked by others, does not.')];
  if (requiresRecentLoginEverywhere(settings))
    return [ok(`Factors change only by a login of the last ${freshProofSeconds} seconds.`)];
  return [mode === 'production' ? warn(OLD_LOGINS_WARNING, ADVICE) : ok(`${OLD_LOGINS_WARNING} ${ADVICE}`)];
}
