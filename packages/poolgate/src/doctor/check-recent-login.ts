import type { Configuration } from '../config/configuration.ts';
import type { ServedPool } from '../providers/backend.ts';
import { OLD_LOGINS_WARNING, requiresRecentLoginEverywhere } from '../providers/start-warnings.ts';
import { createOkFinding, createWarning, type Finding } from './findings/finding.ts';

const ADVICE = 'Set IDP_FRESH_PROOF_WIRE=true once your clients sign users in again, or POOLGATE_WIRE=false.';

const OLD_STORE = 'This store keeps the value of an earlier start or release (IDP_FRESH_PROOF_WIRE=false).';

const NOT_LOOKED_AT =
  'A new store requires a recent login to change sign-in methods. One that a release up to 2.0.6 made does not at the Cognito-compatible API.';

/**
 * Whether every entry point requires a recent login to change a sign-in method, a contact or the account.
 * @param served undefined if the store could not be opened
 */
export function checkRecentLogin({ settings, sources }: Configuration, served: ServedPool | undefined): Finding {
  const { provider, wire, freshProofSeconds, freshProofWire } = settings;
  if (provider === 'cognito') {
    return createOkFinding(
      'The routes require a recent login. The user pool itself does not when other clients call it.',
    );
  }
  const isUnknown = served === undefined && wire && freshProofWire === undefined;
  if (isUnknown) return createOkFinding(NOT_LOOKED_AT);
  const recentLoginOnCognitoApi = served?.recentLoginOnCognitoApi ?? freshProofWire ?? true;
  if (requiresRecentLoginEverywhere(settings, { recentLoginOnCognitoApi })) {
    return createOkFinding(`Sign-in methods change only within ${freshProofSeconds} seconds after a login.`);
  }
  return createWarning(
    sources.freshProofWire === 'default' ? `${OLD_STORE} ${OLD_LOGINS_WARNING}` : OLD_LOGINS_WARNING,
    ADVICE,
  );
}
