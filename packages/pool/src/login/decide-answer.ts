import type { ProviderError } from '@poolgate/provider';
import { incorrectPasswordError } from '../identity/login-errors.ts';
import { lockUserByName, readUserByName } from '../identity/user-records.ts';
import type { StorePort, Transaction } from '../kernel/ports.ts';
import { hidesUserExistence } from '../kernel/user-existence.ts';
import {
  acceptRightGuess,
  countGuess,
  countWrongGuess,
  forgetWrongGuesses,
  type Guess,
  type GuessCount,
  holdGuessLocks,
  type LockoutTarget,
  lockAfterTooManyGuesses,
  lockedError,
  PASSWORD_GUESS_COUNTER,
} from '../proofs/lockouts/lockout.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import { readExcessLogins } from '../tokens/login-tokens.ts';
import type { AnswerStep, AnswerVerdict, CurrentUser, PoolChallengeName } from './challenges/challenge.ts';
import { type DecisionInput, type LoginAttempt, readDecisionInput, readLoginAttempt } from './login-attempt.ts';
import type {
  EvaluatedAnswer,
  LoginDecision,
  PendingSession,
  RefusedDecision,
  UndecidedAnswer,
} from './login-decision.ts';
import { toLoginRefusalError } from './login-refusal.ts';
import { decideNextStep, type NextStep } from './next-step.ts';
import { prepareNextChallenge, prepareNextStep } from './prepare-next-step.ts';
import { readLevelStep } from './read-level-step.ts';
import { recordLoginDecision } from './record-decision.ts';
import { reservePendingSession, unspendPendingSession } from './spend-session.ts';
import type { LevelStep } from './target-level.ts';

/**
 * Decides on an answer in one write, and reveals its verdict only if that write succeeds. It reserves and spends the session, counts the
 * guess or clears the counter, and reads user, device and factors again. It also consumes and sends codes, writes the effects and opens the
 * login. All of this happens or nothing.
 */
export function decideAnswer(
  ports: StorePort,
  { factor, readEvaluator, owner, ...given }: UndecidedAnswer,
): Promise<LoginDecision> {
  return ports.store.write(async (transaction) => {
    // Issued together, with the reservation first, on which parallel answers wait.
    const [reservation, evaluateAnswer, attempt] = await Promise.all([
      reservePendingSession(transaction, given.pending),
      readEvaluator(transaction),
      readLoginAttempt(transaction, owner, factor, given.pending?.session),
    ]);
    if (reservation.refusal !== undefined) return refuseAndSpend(reservation.refusal);
    const { pending } = reservation;
    const evaluation = await evaluateAnswer?.();
    const decision =
      evaluation === undefined
        ? refuseKeepingSession(toInvalidSessionError(pending))
        : await decideAndRecord(transaction, { ...evaluation, factor, pending }, attempt);
    if (decision.kind === 'refused' && decision.keepsSession) await unspendPendingSession(transaction, pending);
    return decision;
  });
}

async function decideAndRecord(
  transaction: PoolTransaction,
  evaluatedAnswer: EvaluatedAnswer,
  attempt: LoginAttempt,
): Promise<LoginDecision> {
  const { verdict } = evaluatedAnswer;
  if (verdict.outcome === 'declined') return refuseKeepingSession(verdict.error);
  const decision = await decideOnVerdict(transaction, evaluatedAnswer, verdict, attempt);
  await recordLoginDecision(transaction, evaluatedAnswer, decision);
  return decision;
}

function decideOnVerdict(
  transaction: PoolTransaction,
  evaluatedAnswer: EvaluatedAnswer,
  verdict: Exclude<AnswerVerdict, { outcome: 'declined' }>,
  attempt: LoginAttempt,
): Promise<LoginDecision> {
  if (verdict.outcome === 'disproven') return refuseWrongAnswer(transaction, evaluatedAnswer, attempt, verdict.error);
  if (isHiddenUnconfirmed(evaluatedAnswer))
    return refuseWrongAnswer(transaction, evaluatedAnswer, attempt, incorrectPasswordError());
  if (verdict.outcome === 'refused') return refuseRightAnswer(transaction, attempt, verdict.error);
  if (verdict.outcome === 'continues') return continueWithoutProof(transaction, evaluatedAnswer, attempt, verdict.to);
  return acceptProof(transaction, evaluatedAnswer, attempt, verdict);
}

/** While the user is locked, the answer counts for nothing and spends nothing. */
async function refuseWrongAnswer(
  transaction: PoolTransaction,
  { step, factor }: EvaluatedAnswer,
  { guess }: LoginAttempt,
  error: ProviderError,
): Promise<LoginDecision> {
  if (guess && !(await countWrongGuess(step.ports, transaction, guess, toLockoutTarget(step)))) {
    return refuseKeepingSession(await lockedError(transaction, guess));
  }
  return factor.spentBy === 'success' ? refuseKeepingSession(error) : refuseAndSpend(error);
}

/**
 * Whether an unconfirmed user's password counts as wrong. On the routes, the correct password of a new registration must not differ from
 * that of a registration whose name was taken, not even in what is counted.
 */
function isHiddenUnconfirmed({ step, factor }: EvaluatedAnswer): boolean {
  const isPassword = factor.counter === PASSWORD_GUESS_COUNTER;
  return isPassword && hidesUserExistence(step.ports.call) && step.candidate.found?.user.status === 'UNCONFIRMED';
}

async function refuseRightAnswer(
  transaction: Transaction<'lockouts'>,
  { guess }: LoginAttempt,
  error: ProviderError,
): Promise<LoginDecision> {
  if (guess && !(await acceptRightGuess(transaction, guess))) {
    return refuseKeepingSession(await lockedError(transaction, guess));
  }
  return refuseAndSpend(error);
}

/** Nothing was proven, so before the first proof even an unknown name gets the next challenge. */
async function continueWithoutProof(
  transaction: PoolTransaction,
  evaluatedAnswer: EvaluatedAnswer,
  attempt: LoginAttempt,
  to: PoolChallengeName,
): Promise<LoginDecision> {
  const { pending } = evaluatedAnswer;
  const hasProven = (pending?.session.proofs.length ?? 0) > 0;
  const readUser = hasProven ? lockUserByName : readUserByName;
  const decisionInput = await readDecisionInput(transaction, evaluatedAnswer, attempt, readUser);
  if (hasProven && decisionInput.current === undefined) return refuseKeepingSession(toInvalidSessionError(pending));
  return prepareNextChallenge(transaction, decisionInput, { name: to }, decisionInput.current);
}

type ProvenVerdict = Extract<AnswerVerdict, { outcome: 'proven' }>;

async function acceptProof(
  transaction: PoolTransaction,
  evaluatedAnswer: EvaluatedAnswer,
  attempt: LoginAttempt,
  { finalCheck, rereadKeys, effect }: ProvenVerdict,
): Promise<LoginDecision> {
  const { step, pending } = evaluatedAnswer;
  // Issued together, the counters first, because all writes must lock a counter before the user.
  const [admission, decisionInput, excess, keys = {}] = await Promise.all([
    admitProof(transaction, attempt, finalCheck !== undefined),
    readDecisionInput(transaction, evaluatedAnswer, attempt, lockUserByName),
    readExcessLogins(transaction, step.pool, step.candidate.userId, step.nowMs),
    rereadKeys?.(transaction),
  ]);
  if (admission.refusal !== undefined) return refuseKeepingSession(await admission.refusal());
  const { current } = decisionInput;
  if (current === undefined) return refuseKeepingSession(toInvalidSessionError(pending));
  const level = step.target && (await readLevelStep(transaction, decisionInput, { ...step, target: step.target }));
  if (level === 'credit_ended') return refuseAndSpend(toInvalidSessionError(pending));
  const next = decideStepAfterProof(decisionInput, current, level);
  const wrong =
    next.kind === 'refusal' && next.keepsSession
      ? toLoginRefusalError(next)
      : await finalCheck?.(transaction, { ...current, keys });
  if (wrong !== undefined) return refuseFailedCheck(transaction, step, admission, wrong);
  await admission.forget?.();
  if (next.kind === 'refusal') return refuseAndSpend(toLoginRefusalError(next));
  const user = effect === undefined ? current : await effect(transaction, current);
  return prepareNextStep(transaction, decisionInput, next, user, excess);
}

/** Whether a proof may count. */
interface ProofAdmission {
  /** Undefined if it may; otherwise returns the error while guesses are locked. */
  readonly refusal?: () => Promise<ProviderError>;
  /** A guess that was counted before its result is known, and the resulting number of guesses. */
  readonly counted?: { readonly guess: Guess; readonly count: GuessCount };
  /** Forgets the wrong guesses before the proof, and the one that was counted for it. */
  readonly forget?: () => Promise<void>;
}

/**
 * An answer with a claim is correct only if the claim agrees. It is counted as a guess beforehand, so that parallel attempts have no
 * advantage.
 */
async function admitProof(
  transaction: Transaction<'lockouts'>,
  { guess }: LoginAttempt,
  isClaimed: boolean,
): Promise<ProofAdmission> {
  if (guess === undefined) return {};
  const refusal = () => lockedError(transaction, guess);
  if (!isClaimed) {
    const locks = await holdGuessLocks(transaction, guess);
    return locks.isLocked ? { refusal } : { forget: () => forgetWrongGuesses(transaction, locks) };
  }
  const count = await countGuess(transaction, guess);
  // Since it counted the guess, this write holds the row.
  const forget = () => transaction.lockouts.unlock(guess.poolId, guess.subject);
  return count === undefined ? { refusal } : { counted: { guess, count }, forget };
}

/** The guess stays counted, and locks the user if it exceeded the limit. */
async function refuseFailedCheck(
  transaction: PoolTransaction,
  step: AnswerStep,
  { counted }: ProofAdmission,
  error: ProviderError,
): Promise<LoginDecision> {
  if (counted !== undefined) {
    await lockAfterTooManyGuesses(step.ports, transaction, counted.guess, counted.count, toLockoutTarget(step));
  }
  return refuseKeepingSession(error);
}

function toLockoutTarget({ pool, candidate }: AnswerStep): LockoutTarget {
  return { pool, user: candidate.found?.user };
}

function decideStepAfterProof(
  decisionInput: DecisionInput,
  current: CurrentUser,
  level: LevelStep | undefined,
): NextStep {
  const { deviceTrust: device, isBoundToDevice, userFactors, proofs, step } = decisionInput;
  const { settings } = step.pool;
  const hasActiveTotp = userFactors.totp !== undefined;
  const isCustom = step.custom !== undefined;
  return decideNextStep({
    ...current,
    settings,
    proofs,
    device,
    isBoundToDevice,
    hasActiveTotp,
    isCustom,
    level,
    nowMs: step.nowMs,
  });
}

function toInvalidSessionError(pending: PendingSession | undefined): ProviderError {
  return pending?.carrier.invalid() ?? incorrectPasswordError();
}

function refuseAndSpend(error: ProviderError): RefusedDecision {
  return { kind: 'refused', error, keepsSession: false };
}

/** An error that leaves the session unchanged. */
function refuseKeepingSession(error: ProviderError): RefusedDecision {
  return { kind: 'refused', error, keepsSession: true };
}
