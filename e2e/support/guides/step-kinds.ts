import type { StepKind } from '@poolgate/client';

/** The compiler requires every one. */
const ALL: Readonly<Record<StepKind, true>> = {
  password: true,
  newPassword: true,
  selectFactor: true,
  selectMfa: true,
  totp: true,
  sentCode: true,
  recoveryCode: true,
  setUpAuthenticator: true,
  passkey: true,
  custom: true,
  keepAccount: true,
  done: true,
  refused: true,
};

/** Every kind of step that a login has. */
export const STEP_KINDS: readonly string[] = Object.keys(ALL);
