import type { ProviderErrorCode, RefusalReason } from '@poolgate/provider';
import type { FirstFactorChoice } from '../proofs/first-factors.ts';
import { determineSecondFactors, type SecondFactorRequirement } from '../settings/second-factors.ts';
import type { MfaMethod, PoolSettings } from '../store/pool-and-client-settings.ts';
import type { UserWithCredential } from '../store/records.ts';
import { MFA_CHALLENGES, type PoolChallengeName, type ProofName } from './challenges/challenge.ts';
import type { LevelStep } from './target-level.ts';

/**
 * The meaning of a login's `DEVICE_KEY`.
 *
 * - `none`: no key was sent, the pool does not track devices, or an earlier step sent an unknown key.
 * - `unknown`: this step sent it, and the user has no such device.
 * - `known`: a confirmed device of the user that is not remembered.
 * - `remembered`: a remembered device.
 */
export type DeviceTrust = 'none' | 'unknown' | 'known' | 'remembered';

/** Everything that the order of a login depends on, as read in the deciding write. */
export interface LoginFacts extends UserWithCredential {
  readonly settings: PoolSettings;
  /** The proofs of this login, in order. */
  readonly proofs: readonly ProofName[];
  readonly device: DeviceTrust;
  /** Whether this login's guesses were counted for that device alone. */
  readonly isBoundToDevice: boolean;
  readonly hasActiveTotp: boolean;
  /** Whether triggers decide the order of this login. */
  readonly isCustom?: boolean;
  /** The proofs that a requested level still needs; undefined if no level was requested. */
  readonly level?: LevelStep | undefined;
  readonly nowMs: number;
}

/** A refusal after a proven factor. */
export interface LoginRefusal {
  readonly kind: 'refusal';
  readonly code: ProviderErrorCode;
  readonly message: string;
  readonly reason?: RefusalReason;
  /** True if the same answer with other parameters may still succeed. The session is then not spent. */
  readonly keepsSession: boolean;
}

/** The factors to which a choice is limited, because only they lead to the requested level. */
export interface LevelChoices {
  readonly choices?: readonly FirstFactorChoice[];
  readonly mfaMethods?: readonly MfaMethod[];
}

/** The next step of a login. */
export type NextStep =
  | LoginRefusal
  | ({ readonly kind: 'challenge'; readonly name: PoolChallengeName } & LevelChoices)
  | { readonly kind: 'define' }
  | { readonly kind: 'tokens' };

/** A row of the order. The first one that applies is used. */
export interface NextStepRule {
  readonly applies: (facts: LoginFacts) => boolean;
  readonly step: NextStep;
}

/** Proofs of a contact, which also confirm the sign-up of a user with that contact. */
const CONFIRMING_PROOFS: ReadonlySet<ProofName> = new Set(['EMAIL_OTP', 'SMS_OTP']);

/** Proofs that identify the user without any earlier proof. */
const FIRST_FACTOR_PROOFS: ReadonlySet<ProofName> = new Set([
  'CUSTOM_AUTH',
  'EMAIL_OTP',
  'PASSWORD',
  'PASSWORD_RESET',
  'PASSWORD_VERIFIER',
  'ROAMING_WEB_AUTHN',
  'ROAMING_WEB_AUTHN_VERIFIED',
  'SIGN_UP',
  'SMS_OTP',
  'WEB_AUTHN',
  'WEB_AUTHN_VERIFIED',
]);

/** Proofs of a passkey whose authenticator verified the user. */
const VERIFIED_PASSKEY_PROOFS: ReadonlySet<ProofName> = new Set(['ROAMING_WEB_AUTHN_VERIFIED', 'WEB_AUTHN_VERIFIED']);

/** Proofs of a passkey. */
const PASSKEY_PROOFS: ReadonlySet<ProofName> = new Set(['ROAMING_WEB_AUTHN', 'WEB_AUTHN', ...VERIFIED_PASSKEY_PROOFS]);

/** Proofs that make a second factor unnecessary. */
const SECOND_FACTOR_PROOFS: ReadonlySet<ProofName> = new Set([
  'EMAIL_MFA',
  'EMAIL_SETUP',
  'MFA_SETUP',
  'SMS_MFA',
  'SOFTWARE_TOKEN_MFA',
]);

/**
 * Cognito's order after a proven factor. Only rows that require an earlier first factor end in tokens, and cases without a row are refused.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow.html
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-device-tracking.html
 */
export const NEXT_STEPS: readonly NextStepRule[] = [
  {
    applies: ({ user }) => !user.enabled,
    step: createLoginRefusal('NotAuthorizedException', 'User is disabled.', 'user_disabled'),
  },
  {
    applies: ({ user, proofs }) => user.status === 'UNCONFIRMED' && !hasProof(proofs, CONFIRMING_PROOFS),
    step: createLoginRefusal('UserNotConfirmedException', 'User is not confirmed.'),
  },
  {
    // Another identity provider signs this user in; no factor here does.
    applies: ({ user }) => user.status === 'EXTERNAL_PROVIDER',
    step: createLoginRefusal('NotAuthorizedException', 'Incorrect username or password.', 'invalid_credentials'),
  },
  {
    applies: ({ user }) => user.status === 'RESET_REQUIRED',
    step: createLoginRefusal('PasswordResetRequiredException', 'Password reset required for the user'),
  },
  {
    // Only someone who knows a temporary password can change it.
    applies: (facts) => mustChangePassword(facts) && isLoginWithoutPassword(facts),
    step: createLoginRefusal('NotAuthorizedException', 'Incorrect username or password.', 'invalid_credentials'),
  },
  {
    applies: (facts) => mustChangePassword(facts) && isTemporaryPasswordTooOld(facts),
    step: createLoginRefusal(
      'NotAuthorizedException',
      'Temporary password has expired and must be reset by an administrator.',
      'temporary_password_expired',
    ),
  },
  { applies: mustChangePassword, step: { kind: 'challenge', name: 'NEW_PASSWORD_REQUIRED' } },
  // Triggers weigh the proofs so far. Second factors and devices come after their decision, whatever it is.
  { applies: ({ isCustom, proofs }) => isCustom === true && !proofs.includes('CUSTOM_AUTH'), step: { kind: 'define' } },
  {
    applies: ({ proofs }) => !hasProof(proofs, FIRST_FACTOR_PROOFS),
    step: createLoginRefusal('NotAuthorizedException', 'Incorrect username or password.', 'invalid_credentials'),
  },
  {
    applies: ({ device }) => device === 'unknown',
    step: {
      kind: 'refusal',
      code: 'ResourceNotFoundException',
      message: 'Device does not exist.',
      reason: 'device_not_found',
      keepsSession: true,
    },
  },
  {
    applies: (facts) => facts.isBoundToDevice && !isTrustedDevice(facts),
    step: createLoginRefusal('NotAuthorizedException', 'Incorrect username or password.', 'invalid_session'),
  },
  {
    applies: ({ level }) => level?.kind === 'unreachable',
    step: createLoginRefusal('InvalidParameterException', 'The user has no factor for any of the requested levels.'),
  },
  {
    applies: (facts) => replacesSecondFactor(facts) && !isDeviceProven(facts),
    step: { kind: 'challenge', name: 'DEVICE_SRP_AUTH' },
  },
  ...(['EMAIL_OTP', 'SMS_MFA', 'SOFTWARE_TOKEN_MFA'] as const).map(
    (method): NextStepRule => ({
      applies: (facts) => {
        const wanted = findMissingSecondFactor(facts);
        return wanted.kind === 'one' && wanted.method === method;
      },
      step: { kind: 'challenge', name: MFA_CHALLENGES[method] },
    }),
  ),
  {
    applies: (facts) => findMissingSecondFactor(facts).kind === 'choose',
    step: { kind: 'challenge', name: 'SELECT_MFA_TYPE' },
  },
  {
    applies: (facts) => findMissingSecondFactor(facts).kind === 'setup',
    step: { kind: 'challenge', name: 'MFA_SETUP' },
  },
  {
    applies: (facts) => findMissingSecondFactor(facts).kind === 'impossible',
    step: createLoginRefusal('MFAMethodNotFoundException', 'No second factor of the user can be used.'),
  },
  {
    applies: (facts) => isTrustedDevice(facts) && !isDeviceProven(facts),
    step: { kind: 'challenge', name: 'DEVICE_SRP_AUTH' },
  },
  ...(['EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'] as const).map(
    (name): NextStepRule => ({
      applies: ({ level }) => level?.kind === 'first' && level.choices.every((choice) => choice === name),
      step: { kind: 'challenge', name },
    }),
  ),
  { applies: ({ level }) => level?.kind === 'first', step: { kind: 'challenge', name: 'SELECT_CHALLENGE' } },
  {
    // Tokens that prove nothing new would be a second refresh.
    applies: ({ proofs }) => proofs.at(-1) === 'STEP_UP',
    step: createLoginRefusal('NotAuthorizedException', 'The access token already has the requested level.'),
  },
  {
    // Last, so that only the owner learns that the account waits for deletion.
    applies: ({ user, proofs }) => user.deletionAtMs !== null && !proofs.includes('KEEP_ACCOUNT'),
    step: { kind: 'challenge', name: 'KEEP_ACCOUNT' },
  },
  { applies: ({ proofs }) => hasProof(proofs, FIRST_FACTOR_PROOFS), step: { kind: 'tokens' } },
];

/** Returns the step that follows from the facts. It is pure, so the whole order can be tested as a table. */
export function decideNextStep(facts: LoginFacts, rows: readonly NextStepRule[] = NEXT_STEPS): NextStep {
  const step = rows.find((row) => row.applies(facts))?.step ?? UNEXPECTED_STATE;
  return step.kind === 'challenge' ? { ...step, ...limitChoices(facts, step.name) } : step;
}

function limitChoices({ level }: LoginFacts, name: PoolChallengeName): LevelChoices {
  if (level?.kind === 'first' && name === 'SELECT_CHALLENGE') return { choices: level.choices };
  const isChoice = level?.kind === 'second' && level.requirement.kind === 'choose' && name === 'SELECT_MFA_TYPE';
  return isChoice && level.requirement.kind === 'choose' ? { mfaMethods: level.requirement.methods } : {};
}

const UNEXPECTED_STATE: LoginRefusal = createLoginRefusal(
  'NotAuthorizedException',
  'Incorrect username or password.',
  'invalid_credentials',
);

function hasProof(proofs: readonly ProofName[], wanted: ReadonlySet<ProofName>): boolean {
  return proofs.some((proof) => wanted.has(proof));
}

function mustChangePassword({ user, proofs }: LoginFacts): boolean {
  return user.status === 'FORCE_CHANGE_PASSWORD' && !proofs.includes('NEW_PASSWORD_REQUIRED');
}

function isLoginWithoutPassword({ proofs }: LoginFacts): boolean {
  return hasProof(proofs, PASSKEY_PROOFS) || (proofs.includes('CUSTOM_AUTH') && !proofs.includes('PASSWORD_VERIFIER'));
}

function isTemporaryPasswordTooOld({ credential, nowMs }: LoginFacts): boolean {
  const untilMs = credential?.temporaryUntilMs ?? null;
  return untilMs !== null && nowMs >= untilMs;
}

/** A device is remembered because of a password, so a new password ends that. */
function isTrustedDevice({ device, proofs }: LoginFacts): boolean {
  return device === 'remembered' && !proofs.includes('NEW_PASSWORD_REQUIRED');
}

function isDeviceProven({ proofs }: LoginFacts): boolean {
  return proofs.includes('DEVICE_PASSWORD_VERIFIER');
}

function replacesSecondFactor(facts: LoginFacts): boolean {
  return isTrustedDevice(facts) && facts.settings.deviceTracking?.challengeRequiredOnNewDevice === true;
}

const NO_SECOND_FACTOR: SecondFactorRequirement = { kind: 'none' };

/** A requested level needs its own factor, whatever else would be enough. */
function findMissingSecondFactor(facts: LoginFacts): SecondFactorRequirement {
  if (facts.level?.kind === 'second') return facts.level.requirement;
  const isProven = hasProof(facts.proofs, SECOND_FACTOR_PROOFS) || isProvenByPasskey(facts);
  if (isProven || replacesSecondFactor(facts)) return NO_SECOND_FACTOR;
  return determineSecondFactors(facts.settings, facts.user, facts.hasActiveTotp);
}

/** A passkey is something that the user has. With user verification it is also something that the user knows or is. */
function isProvenByPasskey({ proofs, settings }: LoginFacts): boolean {
  const isBoth = settings.webAuthn?.factorConfiguration === 'MULTI_FACTOR_WITH_USER_VERIFICATION';
  return isBoth && hasProof(proofs, VERIFIED_PASSKEY_PROOFS);
}

function createLoginRefusal(code: ProviderErrorCode, message: string, reason?: RefusalReason): LoginRefusal {
  return { kind: 'refusal', code, message, keepsSession: false, ...(reason === undefined ? {} : { reason }) };
}
