import type { ChallengeName, ProviderErrorCode, RefusalReason } from '@poolgate/provider';
import type { PoolChallengeName } from '../challenges/index.ts';
import type { PoolSettings } from '../settings.ts';
import type { UserWithCredential } from '../store/records.ts';

/** All that the order of a login depends on. */
export interface Facts extends UserWithCredential {
  readonly settings: PoolSettings;
  /** What was proven in this login, in this order. */
  readonly proofs: readonly ChallengeName[];
  readonly nowMs: number;
}

/** A refusal after a factor was proven. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly code: ProviderErrorCode;
  readonly message: string;
  readonly reason?: RefusalReason;
  /** True where the same answer, differently accompanied, may still lead on: then the session is not spent. */
  readonly keepsSession: boolean;
}

/** What follows. */
export type Step =
  | Refusal
  | { readonly kind: 'challenge'; readonly name: PoolChallengeName }
  | { readonly kind: 'tokens' };

/** One row of the order: the first one that applies is taken. */
export interface Row {
  readonly applies: (facts: Facts) => boolean;
  readonly step: Step;
}

/** Proofs that say who the user is, whatever was proven before. */
const FIRST_FACTORS: ReadonlySet<ChallengeName> = new Set(['PASSWORD', 'PASSWORD_VERIFIER']);

/**
 * Cognito's order after a proven factor. It ends in tokens only by a row that asks for a first factor,
 * and what no row foresees is refused.
 *
 * A `DEVICE_KEY` has no row, because the pool tracks no devices: Cognito then ignores it.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow.html
 */
export const NEXT_STEPS: readonly Row[] = [
  {
    applies: ({ user }) => !user.enabled,
    step: refusal('NotAuthorizedException', 'User is disabled.', 'user_disabled'),
  },
  {
    applies: ({ user }) => user.status === 'UNCONFIRMED',
    step: refusal('UserNotConfirmedException', 'User is not confirmed.'),
  },
  {
    applies: ({ user }) => user.status === 'RESET_REQUIRED',
    step: refusal('PasswordResetRequiredException', 'Password reset required for the user'),
  },
  {
    applies: (facts) => mustChangePassword(facts) && isTemporaryPasswordTooOld(facts),
    step: refusal(
      'NotAuthorizedException',
      'Temporary password has expired and must be reset by an administrator.',
      'temporary_password_expired',
    ),
  },
  { applies: mustChangePassword, step: { kind: 'challenge', name: 'NEW_PASSWORD_REQUIRED' } },
  { applies: ({ proofs }) => proofs.some((proof) => FIRST_FACTORS.has(proof)), step: { kind: 'tokens' } },
];

/** The step that follows from the facts: pure, so that the whole order can be tested as a table. */
export function nextStep(facts: Facts, rows: readonly Row[] = NEXT_STEPS): Step {
  return rows.find((row) => row.applies(facts))?.step ?? UNFORESEEN;
}

const UNFORESEEN: Refusal = refusal('NotAuthorizedException', 'Incorrect username or password.', 'invalid_credentials');

function mustChangePassword({ user, proofs }: Facts): boolean {
  return user.status === 'FORCE_CHANGE_PASSWORD' && !proofs.includes('NEW_PASSWORD_REQUIRED');
}

function isTemporaryPasswordTooOld({ credential, nowMs }: Facts): boolean {
  const untilMs = credential?.temporaryUntilMs ?? null;
  return untilMs !== null && nowMs >= untilMs;
}

function refusal(code: ProviderErrorCode, message: string, reason?: RefusalReason): Refusal {
  return { kind: 'refusal', code, message, keepsSession: false, ...(reason === undefined ? {} : { reason }) };
}
