import { ProviderError } from '@poolgate/provider';
import {
  acceptRightGuess,
  countGuess,
  countWrongGuess,
  type Guess,
  type GuessCount,
  type GuessingUser,
  lockedError,
  lockIfTooMany,
  PASSWORD_GUESSES,
} from '../factors/lockout.ts';
import type { StorePort, Transaction } from '../kernel/ports.ts';
import { hidesUsers } from '../shared/entry-point.ts';
import { incorrectPassword } from '../shared/login-errors.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import { lockUserByName, readUserByName } from '../users/users.ts';
import {
  type AttemptContext,
  type DecisionContext,
  readAttemptContext,
  readDecisionContext,
} from './attempt-context.ts';
import type { AnswerStep, CurrentUser, PoolChallengeName, Verdict } from './challenges/challenge.ts';
import type { Decision, JudgedAnswer, PendingSession, RefusedDecision, UndecidedAnswer } from './decision.ts';
import { toProviderError } from './login-refusal.ts';
import { type NextStep, nextStep } from './next-step.ts';
import { nextChallenge, prepareNext } from './prepare-next.ts';
import { recordDecision } from './record-decision.ts';
import { keepPending, reservePending, spendPending } from './spend-session.ts';

/**
 * Decides on an answer in one write. Whatever the answer was worth, nobody learns it unless this write took it:
 * the session is reserved and spent, the guess counted or the counter cleared, user, device and factors are read anew,
 * codes are used up and sent, the effects written and the login opened, all or nothing.
 */
export function decideAnswer(ports: StorePort, { factor, judge, ...given }: UndecidedAnswer): Promise<Decision> {
  return ports.store.write(async (transaction) => {
    const reservation = await reservePending(transaction, factor, given.pending);
    if (reservation.refusal !== undefined) return refuseAndSpend(reservation.refusal);
    const { pending } = reservation;
    const judgement = await judge(transaction);
    const decision =
      judgement === undefined
        ? refuseKeepingSession(invalidSessionError(pending))
        : await decideAndRecord(transaction, { ...judgement, factor, pending });
    if (decision.kind === 'refused' && decision.keepsSession) await keepPending(transaction, pending);
    return decision;
  });
}

async function decideAndRecord(transaction: PoolTransaction, judgedAnswer: JudgedAnswer): Promise<Decision> {
  const { step, factor, verdict, pending } = judgedAnswer;
  if (verdict.outcome === 'declined') return refuseKeepingSession(verdict.error);
  const attempt = await readAttemptContext(transaction, step, factor, pending?.session);
  const decision = await decideByVerdict(transaction, judgedAnswer, verdict, attempt);
  await recordDecision(transaction, judgedAnswer, decision);
  return decision;
}

function decideByVerdict(
  transaction: PoolTransaction,
  judgedAnswer: JudgedAnswer,
  verdict: Exclude<Verdict, { outcome: 'declined' }>,
  attempt: AttemptContext,
): Promise<Decision> {
  if (verdict.outcome === 'disproven') return refuseDisproven(transaction, judgedAnswer, attempt, verdict.error);
  if (isHiddenUnconfirmed(judgedAnswer))
    return refuseDisproven(transaction, judgedAnswer, attempt, incorrectPassword());
  if (verdict.outcome === 'refused') return refuseRight(transaction, judgedAnswer, attempt, verdict.error);
  if (verdict.outcome === 'continues') return continueUnproven(transaction, judgedAnswer, attempt, verdict.to);
  return acceptProof(transaction, judgedAnswer, attempt, verdict);
}

/** While the user is locked the answer counts for nothing and spends nothing. */
async function refuseDisproven(
  transaction: PoolTransaction,
  { step, factor, pending }: JudgedAnswer,
  { guess }: AttemptContext,
  error: ProviderError,
): Promise<Decision> {
  if (guess && !(await countWrongGuess(step.ports, transaction, guess, guessingUser(step)))) {
    return refuseKeepingSession(await lockedError(transaction, guess));
  }
  if (factor.spentBy === 'success') return refuseKeepingSession(error);
  await spendPending(transaction, pending);
  return refuseAndSpend(error);
}

/**
 * Whether the password of an unconfirmed user counts as a wrong one: on the routes the right password of a new registration must not differ
 * from the password of a registration whose name was taken, nor in what is counted.
 */
function isHiddenUnconfirmed({ step, factor }: JudgedAnswer): boolean {
  const isPassword = factor.counter === PASSWORD_GUESSES;
  return isPassword && hidesUsers(step.ports.call) && step.candidate.found?.user.status === 'UNCONFIRMED';
}

async function refuseRight(
  transaction: Transaction<'challengeSessions' | 'lockouts'>,
  { pending }: JudgedAnswer,
  { guess }: AttemptContext,
  error: ProviderError,
): Promise<Decision> {
  if (guess && !(await acceptRightGuess(transaction, guess))) {
    return refuseKeepingSession(await lockedError(transaction, guess));
  }
  await spendPending(transaction, pending);
  return refuseAndSpend(error);
}

/** Nothing was proven, so before the first proof even a name that nobody has gets the next challenge. */
async function continueUnproven(
  transaction: PoolTransaction,
  judgedAnswer: JudgedAnswer,
  attempt: AttemptContext,
  to: PoolChallengeName,
): Promise<Decision> {
  const { pending } = judgedAnswer;
  const hasProven = (pending?.session.proofs.length ?? 0) > 0;
  const readUser = hasProven ? lockUserByName : readUserByName;
  const decisionContext = await readDecisionContext(transaction, judgedAnswer, attempt, readUser);
  if (hasProven && decisionContext.current === undefined) return refuseKeepingSession(invalidSessionError(pending));
  if (!(await spendPending(transaction, pending))) return refuseAndSpend(spentSessionError(pending));
  return nextChallenge(transaction, decisionContext, to, decisionContext.current);
}

type Proven = Extract<Verdict, { outcome: 'proven' }>;

async function acceptProof(
  transaction: PoolTransaction,
  judgedAnswer: JudgedAnswer,
  attempt: AttemptContext,
  { finalCheck, effect }: Proven,
): Promise<Decision> {
  const { step, pending } = judgedAnswer;
  const counted = await countClaimedGuess(transaction, attempt, finalCheck !== undefined);
  if (counted instanceof ProviderError) return refuseKeepingSession(counted);
  const decisionContext = await readDecisionContext(transaction, judgedAnswer, attempt, lockUserByName);
  const { current } = decisionContext;
  if (current === undefined) return refuseKeepingSession(invalidSessionError(pending));
  const next = nextStepAfter(decisionContext, current);
  const wrong =
    next.kind === 'refusal' && next.keepsSession ? toProviderError(next) : await finalCheck?.(transaction, current);
  if (wrong !== undefined) return refuseFailedCheck(transaction, step, counted, wrong);
  // The guess that the claim was counted as is forgotten.
  if (counted !== undefined) await acceptRightGuess(transaction, counted.guess);
  if (!(await spendPending(transaction, pending))) return refuseAndSpend(spentSessionError(pending));
  if (next.kind === 'refusal') return refuseAndSpend(toProviderError(next));
  return prepareNext(
    transaction,
    decisionContext,
    next,
    effect === undefined ? current : await effect(transaction, current),
  );
}

/** A guess that was counted before it is known to be one, and how many there are with it. */
interface CountedGuess {
  readonly guess: Guess;
  readonly count: GuessCount;
}

/**
 * An answer with a claim is right only if the claim agrees: it counts as a guess beforehand, so that a hundred at a time
 * are no better than one after the other. Gives the refusal where there must be none.
 */
async function countClaimedGuess(
  transaction: Transaction<'lockouts'>,
  { guess }: AttemptContext,
  isClaimed: boolean,
): Promise<CountedGuess | ProviderError | undefined> {
  if (guess === undefined) return undefined;
  if (!isClaimed) return (await acceptRightGuess(transaction, guess)) ? undefined : lockedError(transaction, guess);
  const count = await countGuess(transaction, guess);
  return count === undefined ? lockedError(transaction, guess) : { guess, count };
}

/** The guess stays counted, and locks where it was one too many. */
async function refuseFailedCheck(
  transaction: PoolTransaction,
  step: AnswerStep,
  counted: CountedGuess | undefined,
  error: ProviderError,
): Promise<Decision> {
  if (counted !== undefined) {
    await lockIfTooMany(step.ports, transaction, counted.guess, counted.count, guessingUser(step));
  }
  return refuseKeepingSession(error);
}

function guessingUser({ pool, candidate }: AnswerStep): GuessingUser {
  return { pool, user: candidate.found?.user };
}

function nextStepAfter(decisionContext: DecisionContext, current: CurrentUser): NextStep {
  const { deviceTrust: device, isBoundToDevice, userFactors, proofs, step } = decisionContext;
  const { settings } = step.pool;
  const hasActiveTotp = userFactors.totp !== undefined;
  const isCustom = step.custom !== undefined;
  return nextStep({
    ...current,
    settings,
    proofs,
    device,
    isBoundToDevice,
    hasActiveTotp,
    isCustom,
    nowMs: step.nowMs,
  });
}

function invalidSessionError(pending: PendingSession | undefined): ProviderError {
  return pending?.carrier.invalid() ?? incorrectPassword();
}

function spentSessionError(pending: PendingSession | undefined): ProviderError {
  return pending?.carrier.spent() ?? incorrectPassword();
}

function refuseAndSpend(error: ProviderError): RefusedDecision {
  return { kind: 'refused', error, keepsSession: false };
}

/** A refusal that leaves the session as it was. */
function refuseKeepingSession(error: ProviderError): RefusedDecision {
  return { kind: 'refused', error, keepsSession: true };
}
