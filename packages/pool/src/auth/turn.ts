import type { Output } from '@poolgate/provider';
import type {
  AnswerStep,
  Factor,
  Holdings,
  Issued,
  LoginStep,
  PoolChallengeName,
  ProofName,
  Shown,
} from '../challenges/challenge.ts';
import { POOL_CHALLENGES } from '../challenges/index.ts';
import { isDeviceKey } from '../domain/devices.ts';
import { availableChoices } from '../domain/first-factors.ts';
import { usablePasskeys } from '../domain/passkeys.ts';
import { afterCommit } from '../messages/deliver.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { LoginRecord } from '../store/records.ts';
import { addedClaims } from '../tokens/added-claims.ts';
import { endLogin } from '../tokens/ending.ts';
import { signTokens } from '../tokens/login.ts';
import { namedDevice, readTotp } from './attempt.ts';
import { CARRIERS } from './carrier.ts';
import type { Decision, Judged, Pending } from './decision.ts';
import { newcomer } from './newcomer.ts';
import { candidateNow, reopenCandidate } from './pending.ts';
import { newSession, type SessionContent, sealSession } from './session.ts';
import { settle, settleJudging, spendFirst } from './settle.ts';

/** The answer to one request of a login: a challenge or tokens. */
export type AuthResponse = Output<'RespondToAuthChallenge'>;

/** The challenges that a login can begin with before anything is decided; those that send a message are decided on first. */
export type OpeningName = Extract<PoolChallengeName, 'PASSWORD_VERIFIER' | 'SELECT_CHALLENGE'>;

const NO_STATE = new Uint8Array();

/** Poses the first challenge of a login. */
export async function open(step: LoginStep, name: OpeningName): Promise<AuthResponse> {
  const { context, pool, candidate, sent } = step;
  const challenge = POOL_CHALLENGES[name];
  const { key } = namedDevice(pool, sent, undefined);
  const totp = challenge.namesChoices ? await readTotp(context.store, pool, candidate.userId) : undefined;
  const shown = await shownBy(name, step, { totp, device: undefined });
  const issued = await challenge.issue(step, shown);
  return pose({
    step,
    name,
    shown,
    issued,
    proofs: [],
    deviceKey: key !== null && isDeviceKey(key) ? key : null,
    isBoundToDevice: false,
  });
}

/** For an unknown name as much as for a user. */
async function shownBy(
  name: PoolChallengeName,
  { context, pool, candidate }: LoginStep,
  holdings: Holdings,
): Promise<Shown> {
  const { namesChoices } = POOL_CHALLENGES[name];
  return { ...holdings, passkeys: namesChoices ? await usablePasskeys(context.store, pool, candidate.userId) : [] };
}

interface Posing {
  readonly step: LoginStep;
  readonly name: PoolChallengeName;
  readonly shown: Shown;
  readonly issued: Issued;
  readonly proofs: readonly ProofName[];
  readonly deviceKey: string | null;
  readonly isBoundToDevice: boolean;
}

/** Seals what is known so far into the challenge. */
function pose({ step, name, shown, issued, ...carried }: Posing): AuthResponse {
  const { context, candidate } = step;
  const { wireName, carrier, namesChoices } = POOL_CHALLENGES[name];
  const { typedName, userId, saltHex } = candidate;
  const { parameters, state } = issued;
  const content: SessionContent = { ...carried, challenge: name, typedName, userId, saltHex, state };
  const session = newSession(context, step, content);
  const given = CARRIERS[carrier].give({
    full: () => sealSession(context, session),
    bare: () => sealSession(context, { ...session, state: NO_STATE }),
  });
  return {
    ChallengeName: wireName,
    ...(given.Session === undefined ? {} : { Session: given.Session }),
    ChallengeParameters: { ...parameters, ...given.parameters },
    ...(namesChoices ? { AvailableChallenges: availableChoices(step, havingOf(shown)) } : {}),
  };
}

function havingOf({ totp, passkeys }: Shown) {
  return { hasActiveTotp: totp !== undefined, hasPasskeys: passkeys.length > 0 };
}

/** Takes an answer through judgement and decision to what follows. Rejects where it is refused. */
export async function take(step: LoginStep, factor: Factor, given: Pending | undefined): Promise<AuthResponse> {
  const { context } = step;
  const pending = await spentWhereDue(context, factor, given);
  const answer = { ...step, state: pending?.session.state ?? NO_STATE };
  const judged = { factor, pending, ...(await answerBy(answer, factor)) };
  return follow(await settle(judged));
}

/** As {@link take}, for the user whom the pending session is about, as that one is now. */
export async function takeAgain(
  step: Omit<LoginStep, 'candidate'>,
  factor: Factor,
  pending: Pending,
): Promise<AuthResponse> {
  const { context } = step;
  if (!factor.judgedInWrite)
    return take({ ...step, candidate: await reopenCandidate(context, step, pending) }, factor, pending);
  const decision = await settleJudging(context, pending, async (transaction, taken) => {
    const candidate = await candidateNow(context, transaction, step, taken);
    if (candidate === undefined) return taken.carrier.foreign();
    const answer = { ...step, candidate, state: taken.session.state };
    return { step: answer, factor, pending: taken, verdict: await factor.answer(answer), isRead: true };
  });
  return follow(decision);
}

/** A wrong password may be right for a user of an older system: then it is judged again, as that user's. */
async function answerBy(step: AnswerStep, factor: Factor): Promise<Pick<Judged, 'step' | 'verdict'>> {
  const verdict = await factor.answer(step);
  if (verdict.outcome !== 'disproven' || factor.admitsNewcomers !== true) return { step, verdict };
  const candidate = await newcomer(step, step.sent.PASSWORD ?? '');
  if (candidate === undefined) return { step, verdict };
  const taken = { ...step, candidate };
  return { step: taken, verdict: await factor.answer(taken) };
}

async function spentWhereDue(
  context: PoolRuntime,
  { spentBy }: Factor,
  pending: Pending | undefined,
): Promise<Pending | undefined> {
  return spentBy !== 'attempt' || pending === undefined || pending.isSpent ? pending : spendFirst(context, pending);
}

/** Tokens are given here and nowhere else in a login. */
async function follow(decision: Decision): Promise<AuthResponse> {
  if (decision.kind === 'refused') throw decision.error;
  const { step } = decision;
  if (decision.kind === 'challenge') {
    const { name, proofs, holdings, isBoundToDevice, sent } = decision;
    if (sent !== undefined) await afterCommit(step.context);
    const shown = await shownBy(name, step, holdings);
    const issued = sent ?? (await POOL_CHALLENGES[name].issue(step, shown));
    return pose({
      step,
      name,
      shown,
      issued,
      proofs,
      deviceKey: holdings.device?.key ?? null,
      isBoundToDevice,
    });
  }
  const { login, newDevice } = decision;
  const { user } = decision.user;
  const added = await addedClaims(step.context, { ...step, user }).catch((cause) => abandon(step, login, cause));
  const tokens = await signTokens(step.context, { ...step, user, login, added });
  return {
    AuthenticationResult: { ...tokens, ...(newDevice === undefined ? {} : { NewDeviceMetadata: newDevice }) },
    ChallengeParameters: {},
  };
}

/** A login whose tokens cannot be made is none: nobody has anything of it. */
async function abandon({ context, pool }: LoginStep, login: LoginRecord, cause: unknown): Promise<never> {
  await context.store.write((transaction) => endLogin(context, transaction, pool, login));
  throw cause;
}
