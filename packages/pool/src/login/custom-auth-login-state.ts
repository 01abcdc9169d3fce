import type { CustomAuthStepResult } from '../triggers/custom-auth-triggers.ts';
import type { LoginStep, ProofName } from './challenges/challenge.ts';

/** A login whose order the triggers decide, between two steps: nothing is pending, and its last session is spent. */
export interface CustomAuthLogin {
  readonly step: LoginStep & { readonly custom: readonly CustomAuthStepResult[] };
  readonly proofs: readonly ProofName[];
  readonly deviceKey: string | null;
  readonly isBoundToDevice: boolean;
}
