import type { LoginCandidate } from '../identity/login-candidate.ts';
import type { Transaction } from '../kernel/ports.ts';
import { readUserByName } from '../users/users.ts';
import type { AnswerStep, Factor, LoginStepContext } from './challenges/challenge.ts';
import { customAuth, defineNext, goodLogin } from './custom-login.ts';
import type { CustomLogin } from './custom-login-state.ts';
import { decideAnswer } from './decide.ts';
import type { Judgement, PendingSession, UndecidedAnswer } from './decision.ts';
import { migrateUser } from './migrate-user.ts';
import { currentCandidate, rebuildCandidate } from './pending-session.ts';
import { type AuthResponse, issueCustomChallenge, respond } from './respond.ts';
import { spendBeforeJudging } from './spend-session.ts';

/** A step of a login before it is known who is logging in. */
export type LoginRequest = Omit<LoginStepContext, 'candidate'>;

/** Whose answer it is: somebody's who was looked up already, or that of the user whom the pending session is about, as that one is now. */
export type Answerer =
  | { readonly candidate: LoginCandidate; readonly pending?: PendingSession }
  | { readonly candidate?: undefined; readonly pending: PendingSession };

const NO_STATE = new Uint8Array();

/** Takes an answer through judgement and decision to what follows. Rejects where it is refused. */
export async function answerFactor(request: LoginRequest, factor: Factor, from: Answerer): Promise<AuthResponse> {
  const undecided = factor.judgedInWrite
    ? judgeInWrite(request, factor, from)
    : await judgeBeforeWrite(request, factor, from);
  const decision = await decideAnswer(request.ports, undecided);
  return decision.kind === 'define' ? continueCustomLogin(decision.login) : respond(decision);
}

/**
 * Goes on as the triggers say. Where they find the login good, another write decides on that: user, device and factors as they are by
 * then, and whatever the pool asks for beside.
 */
export async function continueCustomLogin(login: CustomLogin): Promise<AuthResponse> {
  const next = await defineNext(login);
  if (next !== 'tokens') return issueCustomChallenge(login, next);
  const { candidate: _, ...request } = login.step;
  return answerFactor(request, customAuth, { pending: goodLogin(login) });
}

/** Whatever takes time, or may end with a user of an older system being taken over, is not done in the deciding write. */
async function judgeBeforeWrite(request: LoginRequest, factor: Factor, from: Answerer): Promise<UndecidedAnswer> {
  const { ports } = request;
  const candidate = from.candidate ?? (await rebuildCandidate(ports, request, from.pending));
  const pending = factor.spentBy === 'attempt' ? await spendBeforeJudging(ports, from.pending) : from.pending;
  const judgement = await judgeOrMigrate(answerStep(request, candidate, pending), factor);
  return { factor, pending, judge: async () => judgement };
}

/** A wrong answer locks nobody: the deciding write locks the user only for a right one. */
function judgeInWrite(request: LoginRequest, factor: Factor, from: Answerer): UndecidedAnswer {
  const { pending } = from;
  return {
    factor,
    pending,
    async judge(transaction) {
      const candidate = from.candidate ?? (await readCandidate(transaction, request, from.pending));
      if (candidate === undefined) return undefined;
      const step = answerStep(request, candidate, pending);
      return { step, verdict: await factor.judge(step) };
    },
  };
}

/** As {@link rebuildCandidate} in a write; undefined where it refuses. */
async function readCandidate(
  transaction: Transaction<'users'>,
  request: LoginRequest,
  pending: PendingSession,
): Promise<LoginCandidate | undefined> {
  const named = await readUserByName(transaction, request.pool, pending.session.userId);
  return currentCandidate(request.ports, request, pending, named);
}

function answerStep(request: LoginRequest, candidate: LoginCandidate, pending: PendingSession | undefined): AnswerStep {
  return { ...request, candidate, state: pending?.session.state ?? NO_STATE };
}

/** A wrong password may be right for a user of an older system: then it is judged again, as that user's. */
async function judgeOrMigrate(step: AnswerStep, factor: Factor): Promise<Judgement> {
  const verdict = await factor.judge(step);
  if (verdict.outcome !== 'disproven' || factor.allowsMigration !== true) return { step, verdict };
  const candidate = await migrateUser(step, step.sent.PASSWORD ?? '');
  if (candidate === undefined) return { step, verdict };
  const migrated = { ...step, candidate };
  return { step: migrated, verdict: await factor.judge(migrated) };
}
