import { ProviderError } from '@poolgate/provider';
import { newDeviceMetadata } from '../devices/devices.ts';
import {
  acceptRightGuess,
  countGuess,
  countWrongGuess,
  type GuessingUser,
  lockedError,
  lockIfTooMany,
} from '../factors/lockout.ts';
import { requireSender } from '../messages/deliver.ts';
import { enqueueCode } from '../messages/queue.ts';
import { consumeSendAllowance, exceedsNumberLimits, type SendRequest } from '../messages/send-limit.ts';
import type { PoolRuntime } from '../runtime.ts';
import { incorrectPassword } from '../shared/login-errors.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { UserWithCredential } from '../store/records.ts';
import { startTokenFamily } from '../tokens/login.ts';
import { loginCandidate } from '../users/login-candidate.ts';
import { isProvenDestination } from '../users/verified-contact.ts';
import {
  type AttemptContext,
  type DecisionContext,
  readAttemptContext,
  readDecisionContext,
} from './attempt-context.ts';
import { MAX_ANSWERS } from './challenge-session.ts';
import type { AnswerStep, CurrentUser, IssuedWithMessage, PoolChallengeName, Verdict } from './challenges/challenge.ts';
import { POOL_CHALLENGES } from './challenges/index.ts';
import type { Decision, JudgeAnswer, JudgedAnswer, PendingSession, RefusedDecision } from './decision.ts';
import { toProviderError } from './login-refusal.ts';
import { type LoginRefusal, type NextStep, nextStep } from './next-step.ts';
import { recordDecision } from './record-decision.ts';

/**
 * Decides on an answer in one write. Whatever the answer was worth, nobody learns it unless this write took it:
 * the session is reserved and spent, the guess counted or the counter cleared, user, device and factors are read anew,
 * codes are used up and sent, the effects written and the login opened, all or nothing.
 */
export function decideAnswer(judgedAnswer: JudgedAnswer): Promise<Decision> {
  return judgedAnswer.step.context.store.write(async (transaction) => {
    const error = await reserveSessionOf(transaction, judgedAnswer.pending);
    return error === undefined ? decideAndRecord(transaction, judgedAnswer) : refuseAndSpend(error);
  });
}

/**
 * As {@link decideAnswer}, where the answer is judged in the write too. Nearly all of these spend their session, right or wrong: so it is
 * spent with the reservation, and given back where the answer counted for nothing.
 */
export function decideInWrite(context: PoolRuntime, pending: PendingSession, judge: JudgeAnswer): Promise<Decision> {
  const { session } = pending;
  return context.store.write(async (transaction) => {
    const error = usedSessionError(pending, await transaction.reserveAndSpendSession(session.id, session.expiresAtMs));
    if (error !== undefined) return refuseAndSpend(error);
    const judgedAnswer = await judge(transaction, { ...pending, isSpent: true });
    const decision =
      judgedAnswer instanceof ProviderError
        ? refuseKeepingSession(judgedAnswer)
        : await decideAndRecord(transaction, judgedAnswer);
    if (decision.kind === 'refused' && decision.keepsSession) await transaction.unspendSession(session.id);
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
  if (verdict.outcome === 'continues') return continueUnproven(transaction, judgedAnswer, attempt, verdict.to);
  return acceptProof(transaction, judgedAnswer, attempt, verdict);
}

/**
 * Spends a session before its answer is looked at: of several, one is judged.
 * @throws {ProviderError} `NotAuthorizedException`: it is spent
 */
export async function spendBeforeJudging(context: PoolRuntime, pending: PendingSession): Promise<PendingSession> {
  const { id, expiresAtMs } = pending.session;
  const error = usedSessionError(
    pending,
    await context.store.write((transaction) => transaction.reserveAndSpendSession(id, expiresAtMs)),
  );
  if (error !== undefined) throw error;
  return { ...pending, isSpent: true };
}

/** First of all, so that parallel answers to one session wait for each other. */
async function reserveSessionOf(
  transaction: PoolTransaction,
  pending: PendingSession | undefined,
): Promise<ProviderError | undefined> {
  if (pending === undefined || pending.isSpent) return undefined;
  const { id, expiresAtMs } = pending.session;
  return usedSessionError(pending, await transaction.reserveSession(id, expiresAtMs));
}

/** @param answers how many there were, this one included */
function usedSessionError({ carrier }: PendingSession, answers: number | undefined): ProviderError | undefined {
  return answers === undefined || answers > MAX_ANSWERS ? carrier.spent() : undefined;
}

/** While the user is locked the answer counts for nothing and spends nothing. */
async function refuseDisproven(
  transaction: PoolTransaction,
  { step, factor, pending }: JudgedAnswer,
  { guess }: AttemptContext,
  error: ProviderError,
): Promise<Decision> {
  if (guess && !(await countWrongGuess(step.context, transaction, guess, guessingUser(step)))) {
    return refuseKeepingSession(await lockedError(transaction, guess));
  }
  if (factor.spentBy === 'success') return refuseKeepingSession(error);
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
  const decisionContext = await readDecisionContext(transaction, judgedAnswer, attempt);
  const hasProven = (pending?.session.proofs.length ?? 0) > 0;
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
  const tries = await countClaimedGuess(transaction, attempt, finalCheck !== undefined);
  if (tries instanceof ProviderError) return refuseKeepingSession(tries);
  const decisionContext = await readDecisionContext(transaction, judgedAnswer, attempt);
  const { current } = decisionContext;
  if (current === undefined) return refuseKeepingSession(invalidSessionError(pending));
  const next = nextStepAfter(decisionContext, current);
  const wrong =
    next.kind === 'refusal' && next.keepsSession ? toProviderError(next) : await finalCheck?.(transaction, current);
  if (wrong !== undefined) return refuseFailedCheck(transaction, step, attempt, tries, wrong);
  // The guess that the claim was counted as is forgotten.
  if (finalCheck !== undefined && attempt.guess !== undefined) await acceptRightGuess(transaction, attempt.guess);
  if (!(await spendPending(transaction, pending))) return refuseAndSpend(spentSessionError(pending));
  if (next.kind === 'refusal') return refuseAndSpend(toProviderError(next));
  return challengeOrTokens(
    transaction,
    decisionContext,
    next,
    effect === undefined ? current : await effect(transaction, current),
  );
}

/**
 * An answer with a claim is right only if the claim agrees: it counts as a guess beforehand, so that a hundred at a time
 * are no better than one after the other. Gives how many guesses there are then, or the refusal where there must be none.
 */
async function countClaimedGuess(
  transaction: PoolTransaction,
  { guess }: AttemptContext,
  isClaimed: boolean,
): Promise<number | ProviderError> {
  if (guess === undefined) return 0;
  if (isClaimed) return (await countGuess(transaction, guess)) ?? lockedError(transaction, guess);
  return (await acceptRightGuess(transaction, guess)) ? 0 : lockedError(transaction, guess);
}

/** The guess stays counted, and locks where it was one too many. */
async function refuseFailedCheck(
  transaction: PoolTransaction,
  step: AnswerStep,
  { guess }: AttemptContext,
  tries: number,
  error: ProviderError,
): Promise<Decision> {
  if (guess !== undefined) await lockIfTooMany(step.context, transaction, guess, tries, guessingUser(step));
  return refuseKeepingSession(error);
}

function guessingUser({ pool, candidate }: AnswerStep): GuessingUser {
  return { pool, user: candidate.found?.user };
}

function nextStepAfter(decisionContext: DecisionContext, current: CurrentUser): NextStep {
  const { deviceTrust: device, isBoundToDevice, userFactors, proofs, step } = decisionContext;
  const { settings } = step.pool;
  const hasActiveTotp = userFactors.totp !== undefined;
  return nextStep({ ...current, settings, proofs, device, isBoundToDevice, hasActiveTotp, nowMs: step.nowMs });
}

/** True for the one answer that may go on; an answer without a session, or to one that is spent for it, has nothing to spend. */
async function spendPending(transaction: PoolTransaction, pending: PendingSession | undefined): Promise<boolean> {
  return pending === undefined || pending.isSpent === true || transaction.spendSession(pending.session.id);
}

async function challengeOrTokens(
  transaction: PoolTransaction,
  decisionContext: DecisionContext,
  next: Exclude<NextStep, LoginRefusal>,
  user: UserWithCredential,
): Promise<Decision> {
  if (next.kind === 'challenge') return nextChallenge(transaction, decisionContext, next.name, user);
  const { step, userFactors } = decisionContext;
  const { context, pool, client } = step;
  const isTracking = pool.settings.deviceTracking !== null;
  const newDevice =
    isTracking && userFactors.device === undefined ? newDeviceMetadata(context, pool, user.user.username) : undefined;
  const deviceKey = userFactors.device?.key ?? newDevice?.DeviceKey ?? null;
  const login = await startTokenFamily(context, transaction, { pool, client, user: user.user }, { deviceKey });
  return { kind: 'tokens', step, user, login, newDevice };
}

/** What goes with a message is issued here, so that code and session come together or not at all. */
async function nextChallenge(
  transaction: PoolTransaction,
  decisionContext: DecisionContext,
  name: PoolChallengeName,
  user: UserWithCredential | undefined,
): Promise<Decision> {
  const { userFactors, isBoundToDevice, proofs } = decisionContext;
  const { context, pool, candidate } = decisionContext.step;
  const step = { ...decisionContext.step, candidate: loginCandidate(context, pool, candidate.typedName, user) };
  const row = POOL_CHALLENGES[name];
  if (row.sends === undefined)
    return { kind: 'challenge', name, step, proofs, userFactors, isBoundToDevice, sent: undefined };
  const sent = row.issue(step, userFactors);
  const deviceKey = userFactors.device?.remembered ? userFactors.device.key : undefined;
  await sendChallengeMessage(transaction, step, sent, { purpose: row.name, deviceKey });
  return { kind: 'challenge', name, step, proofs, userFactors, isBoundToDevice, sent };
}

/** Throws where too much was sent: then nothing has happened, and the session can be answered again later. */
async function sendChallengeMessage(
  transaction: PoolTransaction,
  step: AnswerStep,
  { order }: IssuedWithMessage,
  about: Pick<SendRequest, 'deviceKey' | 'purpose'>,
): Promise<void> {
  const { context, pool, candidate, nowMs } = step;
  const username = candidate.userId;
  const { channel, destination } = order.contact;
  requireSender(context, channel);
  const isProven = isProvenDestination(candidate.found?.user.attributes ?? {}, order.contact);
  const asked = { ...about, pool, username, destination, isProven, isDecoy: order.discard, nowMs };
  const refusal = await consumeSendAllowance(context, transaction, asked);
  if (refusal !== undefined) throw refusal;
  const discard = (await exceedsNumberLimits(context, transaction, asked)) || order.discard === true;
  await enqueueCode(context, transaction, pool, { ...order, discard });
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
