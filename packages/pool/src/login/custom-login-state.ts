import type { CustomStepResult } from '../triggers/custom-auth.ts';
import type { LoginStepContext, ProofName } from './challenges/challenge.ts';

/** A login whose order triggers decide on, between two steps: nothing is pending, and its last session is spent. */
export interface CustomLogin {
  readonly step: LoginStepContext & { readonly custom: readonly CustomStepResult[] };
  readonly proofs: readonly ProofName[];
  readonly deviceKey: string | null;
  readonly isBoundToDevice: boolean;
}
