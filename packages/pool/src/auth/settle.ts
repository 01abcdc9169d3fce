import { ProviderError } from '@poolgate/provider';
import type { AnswerStep, Effect, Factor, Verdict } from '../challenges/challenge.ts';
import type { PoolChallengeName } from '../challenges/index.ts';
import { acceptRightGuess, countWrongGuess, type Guess, lockedRefusal } from '../domain/lockout.ts';
import { guessSubject } from '../domain/masking.ts';
import { incorrectPassword } from '../domain/refusals.ts';
import { findUser } from '../domain/users.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { LoginRecord, UserWithCredential } from '../store/records.ts';
import { openLogin } from '../tokens/login.ts';
import type { Carrier } from './carrier.ts';
import { nextStep, type Refusal, type Step } from './next-step.ts';
import { MOST_ANSWERS, type Session } from './session.ts';

/** The session that an answer is for. */
export interface Pending {
  readonly session: Session;
  readonly carrier: Carrier;
}

/** An answer that has been judged, but not yet accepted. */
export interface Judged {
  readonly step: AnswerStep;
  readonly factor: Factor;
  readonly verdict: Verdict;
  /** Undefined where the answer came with the first request. */
  readonly pending: Pending | undefined;
}

/** What became of an answer. */
export type Decision =
  | { readonly kind: 'refused'; readonly error: ProviderError }
  | { readonly kind: 'challenge'; readonly name: PoolChallengeName; readonly user: UserWithCredential }
  | { readonly kind: 'tokens'; readonly user: UserWithCredential; readonly login: LoginRecord };

/**
 * Decides on an answer in one write. Whatever the answer was worth, nobody learns it unless this write took it:
 * the session is reserved and spent, the guess counted or the counter cleared, the user read anew,
 * the effects written and the login opened, all or nothing.
 */
export function settle(judged: Judged): Promise<Decision> {
  const guess = guessOf(judged);
  return judged.step.context.store.write(async (transaction) => {
    const error = await reserve(transaction, judged.pending);
    return error === undefined ? decide(transaction, judged, guess) : refused(error);
  });
}

function guessOf({ step, factor }: Judged): Guess | undefined {
  const { context, pool, candidate, nowMs } = step;
  const { counter } = factor;
  if (counter === undefined) return undefined;
  return { counter, poolId: pool.id, subject: guessSubject(context, pool, counter, candidate), nowMs };
}

/** First of all, so that parallel answers to one session take turns. */
async function reserve(transaction: PoolTransaction, pending: Pending | undefined): Promise<ProviderError | undefined> {
  if (pending === undefined) return undefined;
  const { session, carrier } = pending;
  const answers = await transaction.reserveSession(session.id, session.expiresAtMs);
  return answers === undefined || answers > MOST_ANSWERS ? carrier.spent() : undefined;
}

async function decide(transaction: PoolTransaction, judged: Judged, guess: Guess | undefined): Promise<Decision> {
  const { verdict } = judged;
  if (verdict.outcome === 'declined') return refused(verdict.error);
  const isRight = verdict.outcome === 'proven';
  const locked = guess && (await countGuess(transaction, guess, isRight));
  if (locked !== undefined) return refused(locked);
  if (isRight) return goOn(transaction, judged, verdict.effect);
  if (judged.factor.spentByFailure) await spend(transaction, judged.pending);
  return refused(verdict.error);
}

/** Gives the refusal while the user is locked: then the answer counts for nothing, right or wrong, and spends nothing. */
async function countGuess(
  transaction: PoolTransaction,
  guess: Guess,
  isRight: boolean,
): Promise<ProviderError | undefined> {
  const taken = await (isRight ? acceptRightGuess : countWrongGuess)(transaction, guess);
  return taken ? undefined : lockedRefusal(transaction, guess);
}

async function goOn(transaction: PoolTransaction, judged: Judged, effect: Effect | undefined): Promise<Decision> {
  const { step, pending } = judged;
  const current = await readAgain(transaction, step);
  if (current === undefined) return refused(pending?.carrier.foreign() ?? incorrectPassword());
  const next = stepAfter(judged, current);
  if (next.kind === 'refusal' && next.keepsSession) return refused(errorOf(next));
  if (!(await spend(transaction, pending))) return refused(pending?.carrier.spent() ?? incorrectPassword());
  if (next.kind === 'refusal') return refused(errorOf(next));
  return finish(transaction, step, next, await changed(transaction, current, effect));
}

/** The user as it is now, or undefined where it is gone or has another password than the one that was proven. */
async function readAgain(
  transaction: PoolTransaction,
  { pool, candidate }: AnswerStep,
): Promise<UserWithCredential | undefined> {
  const current = await findUser({ store: transaction }, pool, candidate.userId);
  const isSame =
    current?.user.username === candidate.userId && current.credential?.saltHex === candidate.found?.credential?.saltHex;
  return isSame ? current : undefined;
}

function stepAfter({ step, factor, pending }: Judged, current: UserWithCredential): Step {
  const proofs = [...(pending?.session.proofs ?? []), factor.name];
  return nextStep({ ...current, settings: step.pool.settings, proofs, nowMs: step.nowMs });
}

/** True for the one answer that may go on; an answer without a session has nothing to spend. */
async function spend(transaction: PoolTransaction, pending: Pending | undefined): Promise<boolean> {
  return pending === undefined || transaction.spendSession(pending.session.id);
}

async function changed(
  transaction: PoolTransaction,
  current: UserWithCredential,
  effect: Effect | undefined,
): Promise<UserWithCredential> {
  return effect === undefined ? current : effect(transaction, current);
}

async function finish(
  transaction: PoolTransaction,
  { context, pool, client }: AnswerStep,
  next: Exclude<Step, Refusal>,
  user: UserWithCredential,
): Promise<Decision> {
  if (next.kind === 'challenge') return { kind: 'challenge', name: next.name, user };
  const login = await openLogin(context, transaction, { pool, client, user: user.user });
  return { kind: 'tokens', user, login };
}

function errorOf({ code, message, reason }: Refusal): ProviderError {
  return new ProviderError(code, message, reason === undefined ? {} : { reason });
}

function refused(error: ProviderError): Decision {
  return { kind: 'refused', error };
}
