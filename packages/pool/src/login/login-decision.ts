import type { ProviderError } from '@poolgate/provider';
import type { DeviceMetadata } from '../proofs/devices/device-registration.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { LoginRecord, UserWithCredential } from '../store/records.ts';
import type { ChallengeSession } from './challenge-session.ts';
import type {
  AnswerStep,
  AnswerVerdict,
  Factor,
  MessageChallengeContent,
  PoolChallengeName,
  ProofName,
  UserFactors,
} from './challenges/challenge.ts';
import type { CustomAuthLogin } from './custom-auth-login-state.ts';
import type { LevelChoices } from './next-step.ts';
import type { SessionCarrier } from './session-carrier.ts';

/** The session of an answer. */
export interface PendingSession {
  readonly session: ChallengeSession;
  readonly carrier: SessionCarrier;
  /**
   * When the session was already spent for this answer: before the answer was verified, or in the deciding write, which may still restore
   * it.
   */
  readonly spent?: 'before-verification' | 'in-write';
}

/** The verdict on an answer, and its user. */
export interface AnswerEvaluation {
  readonly step: AnswerStep;
  readonly verdict: AnswerVerdict;
}

/** Verifies an answer. */
export type EvaluateAnswer = () => Promise<AnswerEvaluation>;

/** Whose attempt an answer is, as far as this is known before any read. */
export interface AttemptOwner extends Pick<AnswerStep, 'nowMs' | 'pool' | 'ports' | 'sent'> {
  readonly userId: string;
}

/** An answer to decide on. */
export interface UndecidedAnswer {
  readonly factor: Factor;
  /** Undefined if the answer came with the first request. */
  readonly pending: PendingSession | undefined;
  readonly owner: AttemptOwner;
  /**
   * Reads what verifies the answer, in the deciding write. The result verifies the answer once the session is reserved, or returns the
   * earlier verdict; undefined if the user was deleted.
   */
  readonly readEvaluator: (transaction: PoolTransaction) => Promise<EvaluateAnswer | undefined>;
}

/** An answer with its verdict, before it is accepted or refused. */
export interface EvaluatedAnswer extends AnswerEvaluation {
  readonly factor: Factor;
  readonly pending: PendingSession | undefined;
}

/** The next challenge, and the facts known so far. */
export interface ChallengeDecision {
  readonly kind: 'challenge';
  readonly name: PoolChallengeName;
  readonly step: AnswerStep;
  readonly proofs: readonly ProofName[];
  readonly userFactors: UserFactors;
  readonly isBoundToDevice: boolean;
  /** The factors to which a choice is limited. */
  readonly limits: LevelChoices;
  /** Already present if the challenge sends a message. */
  readonly sent: MessageChallengeContent | undefined;
}

/** An error, and whether the session can be used again. */
export interface RefusedDecision {
  readonly kind: 'refused';
  readonly error: ProviderError;
  readonly keepsSession: boolean;
}

/** After the write, the triggers decide the next step. */
export interface TriggerDecision {
  readonly kind: 'define';
  readonly login: CustomAuthLogin;
}

/** The decision about an answer. */
export type LoginDecision =
  | RefusedDecision
  | ChallengeDecision
  | TriggerDecision
  | {
      readonly kind: 'tokens';
      readonly step: AnswerStep;
      readonly proofs: readonly ProofName[];
      readonly user: UserWithCredential;
      readonly login: LoginRecord;
      /** The names of a new device. */
      readonly newDevice: DeviceMetadata | undefined;
    };

/** Lists what an accepted answer proves, in this order. */
export function listProofs({ factor, verdict, pending }: EvaluatedAnswer): readonly ProofName[] {
  const before = pending?.session.proofs ?? [];
  return verdict.outcome === 'proven' ? [...before, verdict.proof ?? factor.name] : before;
}
