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
import type { SessionCarrier } from './session-carrier.ts';

/** The session that an answer is for. */
export interface PendingSession {
  readonly session: ChallengeSession;
  readonly carrier: SessionCarrier;
  /** Where it is spent for this answer already: before the answer was verified, or in the deciding write, which may yet give it back. */
  readonly spent?: 'before-verification' | 'in-write';
}

/** What an answer is worth, and for whom. */
export interface AnswerEvaluation {
  readonly step: AnswerStep;
  readonly verdict: AnswerVerdict;
}

/** Verifies an answer. */
export type EvaluateAnswer = () => Promise<AnswerEvaluation>;

/** Whose attempt an answer is, as far as that is known before anything is read. */
export interface AttemptOwner extends Pick<AnswerStep, 'nowMs' | 'pool' | 'ports' | 'sent'> {
  readonly userId: string;
}

/** An answer to decide on. */
export interface UndecidedAnswer {
  readonly factor: Factor;
  /** Undefined where the answer came with the first request. */
  readonly pending: PendingSession | undefined;
  readonly owner: AttemptOwner;
  /**
   * Reads in the deciding write what the answer is verified by. What it gives verifies the answer once the session is reserved, or returns
   * the earlier verdict; undefined where the user is gone.
   */
  readonly readEvaluator: (transaction: PoolTransaction) => Promise<EvaluateAnswer | undefined>;
}

/** An answer with its verdict, before it is accepted or refused. */
export interface EvaluatedAnswer extends AnswerEvaluation {
  readonly factor: Factor;
  readonly pending: PendingSession | undefined;
}

/** A challenge that follows, and what is known by then. */
export interface ChallengeDecision {
  readonly kind: 'challenge';
  readonly name: PoolChallengeName;
  readonly step: AnswerStep;
  readonly proofs: readonly ProofName[];
  readonly userFactors: UserFactors;
  readonly isBoundToDevice: boolean;
  /** There already, where the challenge goes with a message. */
  readonly sent: MessageChallengeContent | undefined;
}

/** A refusal, and whether the session can be answered again. */
export interface RefusedDecision {
  readonly kind: 'refused';
  readonly error: ProviderError;
  readonly keepsSession: boolean;
}

/** What follows is for triggers to say, once the write has ended. */
export interface TriggerDecision {
  readonly kind: 'define';
  readonly login: CustomAuthLogin;
}

/** What became of an answer. */
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
      /** The names of a device that was not known before. */
      readonly newDevice: DeviceMetadata | undefined;
    };

/** What is proven where an answer is accepted, in this order. */
export function listProofs({ factor, verdict, pending }: EvaluatedAnswer): readonly ProofName[] {
  const before = pending?.session.proofs ?? [];
  return verdict.outcome === 'proven' ? [...before, verdict.proof ?? factor.name] : before;
}
