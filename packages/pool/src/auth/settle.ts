import { ProviderError } from '@poolgate/provider';
import type { AnswerStep, Current, PoolChallengeName, Sent, Verdict } from '../challenges/challenge.ts';
import { POOL_CHALLENGES } from '../challenges/index.ts';
import { newDeviceMetadata } from '../domain/devices.ts';
import {
  acceptRightGuess,
  countGuess,
  countWrongGuess,
  type Guesser,
  lockAfter,
  lockedRefusal,
} from '../domain/lockout.ts';
import { candidateOf } from '../domain/masking.ts';
import { isProvenDestination } from '../domain/proven-contact.ts';
import { incorrectPassword } from '../domain/refusals.ts';
import { requireSender } from '../messages/deliver.ts';
import { enqueueCode } from '../messages/queue.ts';
import { admitSend, isOverNumbers, type Send } from '../messages/send-limit.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { UserWithCredential } from '../store/records.ts';
import { openLogin } from '../tokens/login.ts';
import { type Attempt, readAttempt, readSituation, type Situation } from './attempt.ts';
import type { Decision, Judge, Judged, Pending, Refused } from './decision.ts';
import { nextStep, type Refusal, type Step } from './next-step.ts';
import { refusalOf } from './refusal.ts';
import { MOST_ANSWERS } from './session.ts';
import { tellDecision } from './tell.ts';

/**
 * Decides on an answer in one write. Whatever the answer was worth, nobody learns it unless this write took it:
 * the session is reserved and spent, the guess counted or the counter cleared, user, device and factors are read anew,
 * codes are used up and sent, the effects written and the login opened, all or nothing.
 */
export function settle(judged: Judged): Promise<Decision> {
  return judged.step.context.store.write(async (transaction) => {
    const error = await reserve(transaction, judged.pending);
    return error === undefined ? conclude(transaction, judged) : refused(error);
  });
}

/**
 * As {@link settle}, where the answer is judged in the write too. Nearly all of these spend their session, right or wrong: so it is
 * spent with the reservation, and given back where the answer counted for nothing.
 */
export function settleJudging(context: PoolRuntime, pending: Pending, judge: Judge): Promise<Decision> {
  const { session } = pending;
  return context.store.write(async (transaction) => {
    const error = taken(pending, await transaction.takeSession(session.id, session.expiresAtMs));
    if (error !== undefined) return refused(error);
    const judged = await judge(transaction, { ...pending, isSpent: true });
    const decision = judged instanceof ProviderError ? kept(judged) : await conclude(transaction, judged);
    if (decision.kind === 'refused' && decision.keepsSession) await transaction.giveBackSession(session.id);
    return decision;
  });
}

async function conclude(transaction: PoolTransaction, judged: Judged): Promise<Decision> {
  const { step, factor, verdict, pending } = judged;
  if (verdict.outcome === 'declined') return kept(verdict.error);
  const attempt = await readAttempt(transaction, step, factor, pending?.session);
  const decision = await decide(transaction, judged, verdict, attempt);
  await tellDecision(transaction, judged, decision);
  return decision;
}

function decide(
  transaction: PoolTransaction,
  judged: Judged,
  verdict: Exclude<Verdict, { outcome: 'declined' }>,
  attempt: Attempt,
): Promise<Decision> {
  if (verdict.outcome === 'disproven') return disproven(transaction, judged, attempt, verdict.error);
  if (verdict.outcome === 'leading') return lead(transaction, judged, attempt, verdict.to);
  return goOn(transaction, judged, attempt, verdict);
}

/**
 * Spends a session before its answer is looked at: of several, one is judged.
 * @throws {ProviderError} `NotAuthorizedException`: it is spent
 */
export async function spendFirst(context: PoolRuntime, pending: Pending): Promise<Pending> {
  const { id, expiresAtMs } = pending.session;
  const error = taken(pending, await context.store.write((transaction) => transaction.takeSession(id, expiresAtMs)));
  if (error !== undefined) throw error;
  return { ...pending, isSpent: true };
}

/** First of all, so that parallel answers to one session take turns. */
async function reserve(transaction: PoolTransaction, pending: Pending | undefined): Promise<ProviderError | undefined> {
  if (pending === undefined || pending.isSpent) return undefined;
  const { id, expiresAtMs } = pending.session;
  return taken(pending, await transaction.reserveSession(id, expiresAtMs));
}

/** @param answers how many there were, this one included */
function taken({ carrier }: Pending, answers: number | undefined): ProviderError | undefined {
  return answers === undefined || answers > MOST_ANSWERS ? carrier.spent() : undefined;
}

/** While the user is locked the answer counts for nothing and spends nothing. */
async function disproven(
  transaction: PoolTransaction,
  { step, factor, pending }: Judged,
  { guess }: Attempt,
  error: ProviderError,
): Promise<Decision> {
  if (guess && !(await countWrongGuess(step.context, transaction, guess, guesserOf(step)))) {
    return kept(await lockedRefusal(transaction, guess));
  }
  if (factor.spentBy === 'success') return kept(error);
  await spend(transaction, pending);
  return refused(error);
}

/** Nothing was proven, so before the first proof even a name that nobody has is led on. */
async function lead(
  transaction: PoolTransaction,
  judged: Judged,
  attempt: Attempt,
  to: PoolChallengeName,
): Promise<Decision> {
  const { pending } = judged;
  const situation = await readSituation(transaction, judged, attempt);
  const hasProven = (pending?.session.proofs.length ?? 0) > 0;
  if (hasProven && situation.current === undefined) return kept(foreign(pending));
  if (!(await spend(transaction, pending))) return refused(spentError(pending));
  return challenge(transaction, situation, to, situation.current);
}

type Proven = Extract<Verdict, { outcome: 'proven' }>;

async function goOn(
  transaction: PoolTransaction,
  judged: Judged,
  attempt: Attempt,
  { claim, effect }: Proven,
): Promise<Decision> {
  const { step, pending } = judged;
  const tries = await countTry(transaction, attempt, claim !== undefined);
  if (tries instanceof ProviderError) return kept(tries);
  const situation = await readSituation(transaction, judged, attempt);
  const { current } = situation;
  if (current === undefined) return kept(foreign(pending));
  const next = stepAfter(situation, current);
  const wrong = next.kind === 'refusal' && next.keepsSession ? refusalOf(next) : await claim?.(transaction, current);
  if (wrong !== undefined) return failClaim(transaction, step, attempt, tries, wrong);
  // The guess that the claim was counted as is forgotten.
  if (claim !== undefined && attempt.guess !== undefined) await acceptRightGuess(transaction, attempt.guess);
  if (!(await spend(transaction, pending))) return refused(spentError(pending));
  if (next.kind === 'refusal') return refused(refusalOf(next));
  return finish(transaction, situation, next, effect === undefined ? current : await effect(transaction, current));
}

/**
 * An answer with a claim is right only if the claim agrees: it counts as a guess beforehand, so that a hundred at a time
 * are no better than one after the other. Gives how many guesses there are then, or the refusal where there must be none.
 */
async function countTry(
  transaction: PoolTransaction,
  { guess }: Attempt,
  isClaimed: boolean,
): Promise<number | ProviderError> {
  if (guess === undefined) return 0;
  if (isClaimed) return (await countGuess(transaction, guess)) ?? lockedRefusal(transaction, guess);
  return (await acceptRightGuess(transaction, guess)) ? 0 : lockedRefusal(transaction, guess);
}

/** The guess stays counted, and locks where it was one too many. */
async function failClaim(
  transaction: PoolTransaction,
  step: AnswerStep,
  { guess }: Attempt,
  tries: number,
  error: ProviderError,
): Promise<Decision> {
  if (guess !== undefined) await lockAfter(step.context, transaction, guess, tries, guesserOf(step));
  return kept(error);
}

function guesserOf({ pool, candidate }: AnswerStep): Guesser {
  return { pool, user: candidate.found?.user };
}

function stepAfter(situation: Situation, current: Current): Step {
  const { standing: device, isBoundToDevice, holdings, proofs, step } = situation;
  const { settings } = step.pool;
  const hasActiveTotp = holdings.totp !== undefined;
  return nextStep({ ...current, settings, proofs, device, isBoundToDevice, hasActiveTotp, nowMs: step.nowMs });
}

/** True for the one answer that may go on; an answer without a session, or to one that is spent for it, has nothing to spend. */
async function spend(transaction: PoolTransaction, pending: Pending | undefined): Promise<boolean> {
  return pending === undefined || pending.isSpent === true || transaction.spendSession(pending.session.id);
}

async function finish(
  transaction: PoolTransaction,
  situation: Situation,
  next: Exclude<Step, Refusal>,
  user: UserWithCredential,
): Promise<Decision> {
  if (next.kind === 'challenge') return challenge(transaction, situation, next.name, user);
  const { step, holdings } = situation;
  const { context, pool, client } = step;
  const isTracking = pool.settings.deviceTracking !== null;
  const newDevice =
    isTracking && holdings.device === undefined ? newDeviceMetadata(context, pool, user.user.username) : undefined;
  const deviceKey = holdings.device?.key ?? newDevice?.DeviceKey ?? null;
  const login = await openLogin(context, transaction, { pool, client, user: user.user }, { deviceKey });
  return { kind: 'tokens', step, user, login, newDevice };
}

/** What goes with a message is issued here, so that code and session come together or not at all. */
async function challenge(
  transaction: PoolTransaction,
  situation: Situation,
  name: PoolChallengeName,
  user: UserWithCredential | undefined,
): Promise<Decision> {
  const { holdings, isBoundToDevice, proofs } = situation;
  const { context, pool, candidate } = situation.step;
  const step = { ...situation.step, candidate: candidateOf(context, pool, candidate.typedName, user) };
  const row = POOL_CHALLENGES[name];
  if (row.sends === undefined)
    return { kind: 'challenge', name, step, proofs, holdings, isBoundToDevice, sent: undefined };
  const sent = row.issue(step, holdings);
  const deviceKey = holdings.device?.remembered ? holdings.device.key : undefined;
  await send(transaction, step, sent, { purpose: row.name, deviceKey });
  return { kind: 'challenge', name, step, proofs, holdings, isBoundToDevice, sent };
}

/** Throws where too much was sent: then nothing has happened, and the session can be answered again later. */
async function send(
  transaction: PoolTransaction,
  step: AnswerStep,
  { order }: Sent,
  about: Pick<Send, 'deviceKey' | 'purpose'>,
): Promise<void> {
  const { context, pool, candidate, nowMs } = step;
  const username = candidate.userId;
  const { channel, destination } = order.contact;
  requireSender(context, channel);
  const isProven = isProvenDestination(candidate.found?.user.attributes ?? {}, order.contact);
  const asked = { ...about, pool, username, destination, isProven, isDecoy: order.discard, nowMs };
  const refusal = await admitSend(context, transaction, asked);
  if (refusal !== undefined) throw refusal;
  const discard = (await isOverNumbers(context, transaction, asked)) || order.discard === true;
  await enqueueCode(context, transaction, pool, { ...order, discard });
}

function foreign(pending: Pending | undefined): ProviderError {
  return pending?.carrier.foreign() ?? incorrectPassword();
}

function spentError(pending: Pending | undefined): ProviderError {
  return pending?.carrier.spent() ?? incorrectPassword();
}

function refused(error: ProviderError): Refused {
  return { kind: 'refused', error, keepsSession: false };
}

/** A refusal that leaves the session as it was. */
function kept(error: ProviderError): Refused {
  return { kind: 'refused', error, keepsSession: true };
}
