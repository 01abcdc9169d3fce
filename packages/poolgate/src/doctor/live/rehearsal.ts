import { ProviderError, type RefusalReason } from '@poolgate/provider';
import { cognitoCallFailure } from '@poolgate/provider-cognito';
import { SrpError } from '@poolgate/srp';
import { connectionProblem } from '../connection-problem.ts';
import { type CheckRow, type Finding, failed } from '../finding.ts';
import { cleanUp } from './clean-up.ts';
import type { Rehearsal } from './rehearsal-state.ts';
import { STEPS } from './steps.ts';

/** What a refusal means to whoever set the test user up. */
const ADVICE: Partial<Readonly<Record<RefusalReason, string>>> = {
  invalid_credentials: 'Check --test-user and the password; the user must be confirmed and enabled.',
  locked: 'Too many wrong passwords: try again later.',
  user_disabled: 'Enable the test user.',
  temporary_password_expired: 'Give the test user a permanent password.',
};

const NO_COGNITO = 'Whatever stands at IDP_ENDPOINT does not compute SRP as Cognito does.';
const CHECK_SETTINGS = 'See what is said of the settings of the pool.';

function rehearsalRefused(error: ProviderError, endpoint: string | undefined): Finding {
  const trouble = endpoint === undefined ? undefined : connectionProblem(error, endpoint);
  if (trouble !== undefined) return trouble;
  const word = error.reason ?? cognitoCallFailure(error)?.awsError ?? error.code;
  return failed(`Refused (${word}).`, (error.reason && ADVICE[error.reason]) ?? CHECK_SETTINGS);
}

/**
 * Goes through the life of a login with a test user: password, tokens, device, refresh, revocation. It ends at the first
 * step that fails; what was made is removed again in any case.
 */
export async function rehearse(rehearsal: Rehearsal): Promise<readonly CheckRow[]> {
  const rows: CheckRow[] = [];
  try {
    for (const { name, applies, run } of STEPS) {
      if (!applies(rehearsal)) continue;
      const finding = await run(rehearsal).catch((error: unknown) => {
        if (error instanceof ProviderError) return rehearsalRefused(error, rehearsal.subject.endpoint);
        if (error instanceof SrpError) return failed(`The answer cannot be reckoned with (${error.code}).`, NO_COGNITO);
        throw error;
      });
      rows.push({ check: name, ...finding });
      if (finding.result === 'fault') break;
    }
  } finally {
    rows.push(...(await cleanUp(rehearsal)));
  }
  return rows;
}
