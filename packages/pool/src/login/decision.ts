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
import type { CustomLogin } from './custom-login-state.ts';
import type { SessionCarrier } from './session-carrier.ts';

/** The session that an answer is for. */
export interface PendingSession {
  readonly session: ChallengeSession;
  readonly carrier: SessionCarrier;
  /** Where it is spent for this answer already: before the answer was judged, or in the deciding write, which may yet give it back. */
  readonly spent?: 'before-judging' | 'in-write';
}

/** What an answer is worth, and for whom. */
export interface Judgement {
  readonly step: AnswerStep;
  readonly verdict: Verdict;
}

/** An answer to decide on. */
export interface UndecidedAnswer {
  readonly factor: Factor;
  /** Undefined where the answer came with the first request. */
  readonly pending: PendingSession | undefined;
  /** Judges the answer in the deciding write, or gives what it was judged before; undefined where there is nobody left to judge it for. */
  readonly judge: (transaction: PoolTransaction) => Promise<Judgement | undefined>;
}

/** An answer that has been judged, but not yet accepted. */
export interface JudgedAnswer extends Judgement {
  readonly factor: Factor;
  readonly pending: PendingSession | undefined;
}

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

/** What follows is for triggers to say, once the write has ended. */
export interface TriggersDecide {
  readonly kind: 'define';
  readonly login: CustomLogin;
}

/** What became of an answer. */
export type Decision =
  | RefusedDecision
  | NextChallenge
  | TriggersDecide
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
export function proofsAfter({ factor, verdict, pending }: JudgedAnswer): readonly ProofName[] {
  const before = pending?.session.proofs ?? [];
  return verdict.outcome === 'proven' ? [...before, verdict.proof ?? factor.name] : before;
}
