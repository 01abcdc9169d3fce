/**
 * A rehearsal on the running service with a test user: password, tokens, device, refresh and revocation. It stops at the first failing step
 * and removes what it created.
 */
import { ProviderError, type RefusalReason } from '@poolgate/provider';
import { cognitoCallFailure } from '@poolgate/provider-cognito';
import { SrpError } from '@poolgate/srp';
import { findConnectionProblem } from '../findings/connection-problem.ts';
import { type CheckRow, createFault, type Finding } from '../findings/finding.ts';
import { cleanUpRehearsal } from './clean-up-rehearsal.ts';
import type { Rehearsal } from './rehearsal-state.ts';
import { REHEARSAL_STEPS } from './rehearsal-steps.ts';

/** What an error means to the person who set up the test user. */
const ADVICE: Partial<Readonly<Record<RefusalReason, string>>> = {
  invalid_credentials: 'Check --test-user and the password. The user must be confirmed and enabled.',
  locked: 'Too many wrong passwords. Try again later.',
  user_disabled: 'Enable the test user.',
  temporary_password_expired: 'Give the test user a permanent password.',
};

const NO_COGNITO = 'The service at IDP_ENDPOINT does not compute SRP as Cognito does.';
const CHECK_SETTINGS = 'See the finding about the pool settings.';

function toRefusalFinding(error: ProviderError, endpoint: string | undefined): Finding {
  const trouble = endpoint === undefined ? undefined : findConnectionProblem(error, endpoint);
  if (trouble !== undefined) return trouble;
  const word = error.reason ?? cognitoCallFailure(error)?.awsError ?? error.code;
  return createFault(`Refused (${word}).`, (error.reason && ADVICE[error.reason]) ?? CHECK_SETTINGS);
}

/**
 * Goes through the life of a test user's login: password, tokens, device, refresh, revocation. It stops at the first failing step, and
 * always removes what it created.
 */
export async function runRehearsal(rehearsal: Rehearsal): Promise<readonly CheckRow[]> {
  const rows: CheckRow[] = [];
  try {
    for (const { name, applies, run } of REHEARSAL_STEPS) {
      if (!applies(rehearsal)) continue;
      const finding = await run(rehearsal).catch((error: unknown) => {
        if (error instanceof ProviderError) return toRefusalFinding(error, rehearsal.subject.endpoint);
        if (error instanceof SrpError) return createFault(`The SRP response is invalid (${error.code}).`, NO_COGNITO);
        throw error;
      });
      rows.push({ check: name, ...finding });
      if (finding.result === 'fault') break;
    }
  } finally {
    rows.push(...(await cleanUpRehearsal(rehearsal)));
  }
  return rows;
}
