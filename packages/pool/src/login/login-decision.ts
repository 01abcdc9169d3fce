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

/** An answer to decide on. */
export interface UndecidedAnswer {
  readonly factor: Factor;
  /** Undefined where the answer came with the first request. */
  readonly pending: PendingSession | undefined;
  /** Verifies the answer in the deciding write, or returns the earlier verdict; undefined where its user is gone. */
  readonly evaluateAnswer: (transaction: PoolTransaction) => Promise<AnswerEvaluation | undefined>;
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
