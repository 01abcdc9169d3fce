import type { LoginCandidate } from '../identity/login-candidate.ts';
import { readUserByName, userNotFoundError } from '../identity/user-records.ts';
import type { Transaction } from '../kernel/ports.ts';
import { hidesUsers } from '../kernel/user-existence.ts';
import { type AuthResponse, createAuthResponse, issueCustomChallenge } from './auth-response.ts';
import type { AnswerStep, Factor, LoginStep, VerificationKeys } from './challenges/challenge.ts';
import { registrationPasswordFactor } from './challenges/registration-verifier-challenge.ts';
import { createCustomAuthSession, customAuthFactor, defineNextChallenge } from './custom-auth-login.ts';
import type { CustomAuthLogin } from './custom-auth-login-state.ts';
import { decideAnswer } from './decide-answer.ts';
import type { AnswerEvaluation, PendingSession, UndecidedAnswer } from './login-decision.ts';
import { migrateUser } from './migrate-user.ts';
import { findCurrentCandidate, requireCurrentCandidate } from './pending-session.ts';
import { spendSessionBeforeVerification } from './spend-session.ts';

/** A step of a login whose user is not known yet. */
export type LoginRequest = Omit<LoginStep, 'candidate'>;

/** The owner of an answer: a user who was already looked up, or the current user of the pending session. */
export type AnswerOwner =
  | { readonly candidate: LoginCandidate; readonly pending?: PendingSession }
  | { readonly candidate?: undefined; readonly pending: PendingSession };

const NO_STATE = new Uint8Array();

/** Evaluates an answer, decides on it and returns the next step. Rejects if the answer is refused. */
export async function answerFactor(request: LoginRequest, factor: Factor, from: AnswerOwner): Promise<AuthResponse> {
  const undecided = factor.verifiesInWrite
    ? evaluateInWrite(request, factor, from)
    : await evaluateBeforeWrite(request, factor, from);
  const decision = await decideAnswer(request.ports, undecided);
  return decision.kind === 'define' ? continueCustomAuth(decision.login) : createAuthResponse(decision);
}

/**
 * Continues as the triggers decide. If they accept the login, another write decides with the current user, device and factors, and with the
 * pool's further requirements.
 */
export async function continueCustomAuth(login: CustomAuthLogin): Promise<AuthResponse> {
  const next = await defineNextChallenge(login);
  if (next !== 'tokens') return issueCustomChallenge(login, next);
  const { candidate: _, ...request } = login.step;
  return answerFactor(request, customAuthFactor, { pending: createCustomAuthSession(login) });
}

/** Evaluates answers that take time, or that may migrate a user, before the deciding write. */
async function evaluateBeforeWrite(request: LoginRequest, factor: Factor, from: AnswerOwner): Promise<UndecidedAnswer> {
  const { candidate, pending, keys } =
    factor.spentBy === 'attempt' && from.candidate === undefined
      ? await spendAndReadOwner(request, factor, from.pending)
      : await readOwner(request, from);
  const verified = await verifyOrMigrate(toAnswerStep(request, candidate, pending, keys), factor);
  const evaluation = tellUnknownName(verified, factor);
  const owner = { ...evaluation.step, userId: evaluation.step.candidate.userId };
  return { factor, pending, owner, readEvaluator: async () => async () => evaluation };
}

/** The current owner of an answer, and the keys that verify it. */
interface CurrentOwner {
  readonly candidate: LoginCandidate;
  readonly pending: PendingSession | undefined;
  readonly keys: VerificationKeys;
}

async function readOwner(request: LoginRequest, { candidate, pending }: AnswerOwner): Promise<CurrentOwner> {
  if (candidate !== undefined) return { candidate, pending, keys: {} };
  return { candidate: await requireCurrentCandidate(request.ports, request, pending), pending, keys: {} };
}

/** The same for an answer that spends its session before it is checked, in one round trip. */
async function spendAndReadOwner(request: LoginRequest, factor: Factor, before: PendingSession): Promise<CurrentOwner> {
  const { session } = before;
  const { pending, found } = await spendSessionBeforeVerification(request.ports, before, (transaction) =>
    Promise.all([
      readCandidate(transaction, request, before),
      factor.readKeys?.(transaction, { ...request, userId: session.userId, state: session.state }),
    ]),
  );
  const [candidate, keys = {}] = found;
  if (candidate === undefined) throw pending.carrier.invalid();
  return { candidate, pending, keys };
}

/** A wrong answer locks no user. The deciding write locks the user only for a correct one. */
function evaluateInWrite(request: LoginRequest, factor: Factor, from: AnswerOwner): UndecidedAnswer {
  const { pending } = from;
  const userId = from.candidate === undefined ? from.pending.session.userId : from.candidate.userId;
  return {
    factor,
    pending,
    owner: { ...request, userId },
    async readEvaluator(transaction) {
      const [candidate, keys = {}] = await Promise.all([
        from.candidate ?? readCandidate(transaction, request, from.pending),
        factor.readKeys?.(transaction, { ...request, userId, state: pending?.session.state ?? NO_STATE }),
      ]);
      if (candidate === undefined) return undefined;
      const step = toAnswerStep(request, candidate, pending, keys);
      return async () => ({ step, verdict: await factor.verifyAnswer(step) });
    },
  };
}

/** Like {@link requireCurrentCandidate} in a write; undefined if that would throw. */
async function readCandidate(
  transaction: Transaction<'users'>,
  request: LoginRequest,
  pending: PendingSession,
): Promise<LoginCandidate | undefined> {
  const named = await readUserByName(transaction, request.pool, pending.session.userId);
  return findCurrentCandidate(request.ports, request, pending, named);
}

function toAnswerStep(
  request: LoginRequest,
  candidate: LoginCandidate,
  pending: PendingSession | undefined,
  keys: VerificationKeys,
): AnswerStep {
  return { ...request, candidate, state: pending?.session.state ?? NO_STATE, keys };
}

/**
 * If the client does not hide users, an unknown name gets a clear error. Only the way to the password continues, because it can still
 * migrate the user. The candidate of a registration has no user either, but gets the same response for every name.
 */
function tellUnknownName(evaluation: AnswerEvaluation, factor: Factor): AnswerEvaluation {
  const { step, verdict } = evaluation;
  const isTold = step.candidate.found === undefined && !hidesUsers(step.ports, step.client);
  if (!isTold || factor === registrationPasswordFactor) return evaluation;
  if (verdict.outcome === 'disproven') {
    return { step, verdict: { ...verdict, error: userNotFoundError('invalid_credentials') } };
  }
  const leadsElsewhere = verdict.outcome === 'continues' && verdict.to !== 'PASSWORD';
  if (!leadsElsewhere) return evaluation;
  return { step, verdict: { outcome: 'declined', error: userNotFoundError('invalid_credentials') } };
}

/** A wrong password may be correct for a user of an older system. It is then verified again as that user's. */
async function verifyOrMigrate(step: AnswerStep, factor: Factor): Promise<AnswerEvaluation> {
  const verdict = await factor.verifyAnswer(step);
  if (verdict.outcome !== 'disproven' || factor.allowsMigration !== true) return { step, verdict };
  const candidate = await migrateUser(step, step.sent.PASSWORD ?? '');
  if (candidate === undefined) return { step, verdict };
  const migrated = { ...step, candidate };
  return { step: migrated, verdict: await factor.verifyAnswer(migrated) };
}
