import type { ProviderError } from '@poolgate/provider';
import type { DeviceMetadata } from '../devices/devices.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { LoginRecord, UserWithCredential } from '../store/records.ts';
import type { ChallengeSession } from './challenge-session.ts';
import type {
  AnswerStep,
  Factor,
  IssuedWithMessage,
  PoolChallengeName,
  ProofName,
  UserFactors,
  Verdict,
} from './challenges/challenge.ts';
import type { SessionCarrier } from './session-carrier.ts';

/** The session that an answer is for. */
export interface PendingSession {
  readonly session: ChallengeSession;
  readonly carrier: SessionCarrier;
  /** Whether it was spent before the answer was judged. */
  readonly isSpent?: true;
}

/** An answer that has been judged, but not yet accepted. */
export interface JudgedAnswer {
  readonly step: AnswerStep;
  readonly factor: Factor;
  readonly verdict: Verdict;
  /** Undefined where the answer came with the first request. */
  readonly pending: PendingSession | undefined;
  /** Whether the candidate was read in the deciding write: then it is not read anew. */
  readonly isRead?: true;
}

/** Judges an answer for the write that decides on it; gives the refusal where there is nobody left to judge it for. */
export type JudgeAnswer = (
  transaction: PoolTransaction,
  pending: PendingSession,
) => Promise<JudgedAnswer | ProviderError>;

/** A challenge that follows, and what is known by then. */
export interface NextChallenge {
  readonly kind: 'challenge';
  readonly name: PoolChallengeName;
  readonly step: AnswerStep;
  readonly proofs: readonly ProofName[];
  readonly userFactors: UserFactors;
  readonly isBoundToDevice: boolean;
  /** There already, where the challenge goes with a message. */
  readonly sent: IssuedWithMessage | undefined;
}

/** A refusal, and whether the session can be answered again. */
export interface RefusedDecision {
  readonly kind: 'refused';
  readonly error: ProviderError;
  readonly keepsSession: boolean;
}

/** What became of an answer. */
export type Decision =
  | RefusedDecision
  | NextChallenge
  | {
      readonly kind: 'tokens';
      readonly step: AnswerStep;
      readonly user: UserWithCredential;
      readonly login: LoginRecord;
      /** The names of a device that was not known before. */
      readonly newDevice: DeviceMetadata | undefined;
    };

/** What is proven where an answer is accepted, in this order. */
export function proofsAfter({ factor, verdict, pending }: JudgedAnswer): readonly ProofName[] {
  const before = pending?.session.proofs ?? [];
  return verdict.outcome === 'proven' ? [...before, verdict.proof ?? factor.name] : before;
}
