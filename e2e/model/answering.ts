import assert from 'node:assert/strict';
import type { Exchange } from '../support/requests/exchange.ts';
import { ANSWERS, type Manner, type ModelAnswer } from './answers.ts';
import { GUESS_LIMITS, type GuessKind } from './policy.ts';
import type { Expected, Run, Why } from './run.ts';
import type { Chain, Progress } from './state.ts';
import type { Asked, LoginState } from './transitions.ts';
import { askedAfter, assertAsked, definedNext } from './trigger-checks.ts';

const MAX_ANSWERS = 20;
const ANSWER_PATHS = ['/login/auth-challenge', '/challenge', '/login/challenge', '/api/cognito/challenge'] as const;

/** Answers a pending challenge, `copies` times in parallel. */
export async function answerChain(
  run: Run,
  chain: Chain,
  manner: Manner,
  pathIndex: number,
  copies: number,
): Promise<void> {
  const path = ANSWER_PATHS[pathIndex % ANSWER_PATHS.length] ?? ANSWER_PATHS[0];
  if (manner === 'under a foreign name' || manner === 'as another challenge') return misplace(run, chain, manner, path);
  const answer = await ANSWERS[chain.asked](run, chain, manner);
  if (answer === undefined) return;
  const body = createAnswerBody(chain, answer.value);
  const about = `${chain.asked} answered ${manner} by ${path}${copies > 1 ? `, ${copies} times at once` : ''}`;
  const progress = { ...chain, proofs: [...chain.proofs] };
  const predictions = Array.from({ length: copies }, () => predict(run, chain, answer));
  const answers = await Promise.all(predictions.map(() => run.modelled.service.post(path, body)));
  await assertMatches(run, chain, answer, predictions, answers, about, progress);
  const asked = predictions.flatMap((prediction) => prediction.asked ?? []);
  assertAsked(run, chain.user, asked, about);
  if (predictions.some(({ expected }) => expected.kind !== 'refused')) run.transcripts.push({ path, body });
}

/** The service decides which of many copies it accepts, but not how many. */
async function assertMatches(
  run: Run,
  chain: Chain,
  { start }: ModelAnswer,
  predictions: readonly Prediction[],
  answers: readonly Exchange[],
  about: string,
  before: Progress,
): Promise<void> {
  const ranked = [...predictions].sort((left, right) => rank(left) - rank(right));
  const arrived = [...answers].sort((left, right) => left.status - right.status);
  for (const [index, { expected, after = before, isDecoy = false }] of ranked.entries()) {
    const answer = arrived[index];
    assert.ok(answer);
    const extra = { isDecoy, ...(start === undefined ? {} : { start }) };
    await run.checkAnswer(answer, expected, after, `${about} (${chain.user.email})`, extra);
  }
}

const ORDER: Readonly<Record<Why, number>> = {
  code: 400,
  mismatch: 400,
  parameter: 400,
  session: 401,
  credentials: 401,
  grant: 401,
  token: 401,
  trigger: 403,
  locked: 429,
};

function rank({ expected }: Prediction): number {
  return expected.kind === 'refused' ? ORDER[expected.why] : 200;
}

function createAnswerBody({ asked, session, user }: Chain, value: unknown) {
  return {
    challenge_name: asked,
    session,
    username: user.email,
    ...(value === undefined ? {} : { challenge_value: value }),
  };
}

/** The result of an answer, and the progress of the login afterwards. */
interface Prediction {
  readonly expected: Expected;
  readonly after?: Progress;
  readonly isDecoy?: boolean;
  /** The triggers that are called meanwhile, in this order. */
  readonly asked?: readonly string[];
}

const refused = (why: Why): Prediction => ({ expected: { kind: 'refused', why } });

/** Applies the rules to an answer, and records what it changes. */
function predict(run: Run, chain: Chain, answer: ModelAnswer): Prediction {
  const { user } = chain;
  if (run.nowMs >= chain.expiresAtMs) return refused('session');
  const isOutdated = chain.passwordVersion !== user.passwordVersion;
  if (isOutdated && chain.proofs.length > 0) return refused('session');
  if (answer.isHarmless && !answer.isRight) return harmless(chain);
  chain.answers += 1;
  if (chain.isSpent || chain.answers > MAX_ANSWERS) return refused('session');
  if (answer.question !== undefined) return judged(run, chain, answer.question, answer.isRight);
  if (!answer.isRight) return wrong(run, chain, answer);
  return answer.leadsTo === undefined ? proven(run, chain, answer, isOutdated) : leadingTo(run, chain, answer.leadsTo);
}

/** Refused before the session was checked, or after it was counted as answered. In both cases nothing was proven. */
function harmless(chain: Chain): Prediction {
  if (chain.asked === 'NEW_PASSWORD_REQUIRED') return refused('parameter');
  if (chain.asked !== 'MFA_SETUP') return refused('credentials');
  chain.answers += 1;
  return refused(chain.isSpent || chain.answers > MAX_ANSWERS ? 'session' : 'parameter');
}

function wrong(run: Run, chain: Chain, { guess, isSpentByFailure }: ModelAnswer): Prediction {
  if (guess === undefined) return refused('parameter');
  const counter = run.counterOf(chain, guess);
  if (!counter.count(run.nowMs, true)) return refused('locked');
  run.ledger.guessed(guessedUser(run, chain, guess), guess, run.nowMs);
  if (isSpentByFailure) chain.isSpent = true;
  return refused(guess === 'password' ? 'credentials' : 'code');
}

function guessedUser(run: Run, { user, deviceKey, isOfAttacker }: Chain, guess: GuessKind): string {
  if (isOfAttacker) return `${user.username} as an attacker`;
  if (GUESS_LIMITS[guess].isBehindFirstFactor) return user.username;
  return run.deviceOf(user, deviceKey)?.state === 'remembered' ? `${user.username} ${deviceKey}` : user.username;
}

function proven(run: Run, chain: Chain, answer: ModelAnswer, isOutdated: boolean): Prediction {
  const { user } = chain;
  const { guess, proof, secret, effect, isUsedUp } = answer;
  const counter = guess === undefined ? undefined : run.counterOf(chain, guess);
  if (counter?.isLocked(run.nowMs)) return refused('locked');
  if (isUsedUp || isOutdated) {
    counter?.count(run.nowMs, isUsedUp === true);
    return refused(isOutdated ? 'session' : 'code');
  }
  const progress: Progress = { ...chain, proofs: proof === undefined ? chain.proofs : [...chain.proofs, proof] };
  const next = run.next(progress, chain.asked, 'answer');
  if (!run.sends(progress, next)) return refused('locked');
  if (guess !== undefined) acceptGuess(run, chain, guess);
  chain.isSpent = true;
  if (next === 'refused') {
    // A code is consumed by showing it, whatever happens to the login.
    if (guess !== 'password') effect?.();
    return refused('session');
  }
  if (secret !== undefined) run.ledger.accept(secret);
  effect?.();
  const after = {
    ...progress,
    passwordVersion: proof === 'new password' ? user.passwordVersion : chain.passwordVersion,
  };
  const asked = [...askedToDefine(progress), ...askedAfter(run, progress, next)];
  return { expected: predictAnswer(next), after, asked };
}

function askedToDefine(progress: Progress): readonly string[] {
  return definedNext(progress) === undefined ? [] : ['DefineAuthChallenge_Authentication'];
}

/** Triggers check an answer once, right or wrong, and decide what follows. */
function judged(run: Run, chain: Chain, question: string, isRight: boolean): Prediction {
  const { user, custom, passwordVersion } = chain;
  assert.ok(custom, 'a challenge of triggers in a login that is not theirs');
  run.ledger.accept(`look at the answer to ${question}`);
  chain.isSpent = true;
  const told: Progress = { ...chain, custom: { ...custom, answers: [...custom.answers, { question, isRight }] } };
  const isGood = definedNext(told) === 'tokens';
  const asked = ['VerifyAuthChallengeResponse_Authentication', ...askedToDefine(told)];
  // If the password has changed since the start, a login ends when it is decided.
  if (isGood && passwordVersion !== user.passwordVersion) return { ...refused('session'), asked };
  const next = run.next(told, 'CUSTOM_CHALLENGE', 'answer');
  const after: Progress = isGood ? { ...told, proofs: [...told.proofs, 'triggers'] } : told;
  if (!run.sends(after, next)) return { ...refused('locked'), asked };
  return { expected: predictAnswer(next), after, asked: [...asked, ...askedAfter(run, after, next)] };
}

/** A right answer resets the count of wrong ones. */
function acceptGuess(run: Run, chain: Chain, guess: GuessKind): void {
  run.counterOf(chain, guess).clear();
  run.ledger.known(guessedUser(run, chain, guess), guess);
}

function leadingTo(run: Run, chain: Chain, chosen: Asked): Prediction {
  const { user } = chain;
  const next = run.next(chain, chain.asked, 'answer', chosen);
  // A login is bound to one password. With another one, nothing can be proven in it, so nothing is sent.
  const isOutdated = chain.passwordVersion !== user.passwordVersion;
  const after = { ...chain, isOfAttacker: chain.isOfAttacker || isOutdated };
  if (!run.sends(after, next)) return refused('locked');
  chain.isSpent = true;
  const isDecoy = chain.asked === 'SELECT_CHALLENGE' && (isOutdated || !run.canReceive(user, next));
  return { expected: predictAnswer(next), after, isDecoy };
}

/** Converts a result of the table to a response of the service. */
export function predictAnswer(state: LoginState): Expected {
  if (state === 'authenticated') return { kind: 'tokens' };
  if (state === 'refused by a trigger') return { kind: 'refused', why: 'trigger' };
  if (state === 'refused' || state === 'none') return { kind: 'refused', why: 'session' };
  return { kind: 'challenge', name: state };
}

/** A right answer under another user's name, or to a challenge that is not pending. */
async function misplace(run: Run, chain: Chain, manner: Manner, path: string): Promise<void> {
  const answer = await ANSWERS[chain.asked](run, chain, 'right');
  if (answer === undefined) return;
  const other = run.users.find((user) => user !== chain.user);
  const isForeign = manner === 'under a foreign name';
  if (!isForeign && (answer.guess === undefined || answer.guess === 'password')) return;
  const asked = chain.asked === 'SOFTWARE_TOKEN_MFA' ? 'SMS_MFA' : 'SOFTWARE_TOKEN_MFA';
  const change = isForeign ? { username: other?.email } : { challenge_name: asked };
  const refusal = await run.modelled.service.post(path, { ...createAnswerBody(chain, answer.value), ...change });
  const isLate = run.nowMs >= chain.expiresAtMs;
  const expected: Expected = { kind: 'refused', why: isForeign || isLate ? 'session' : 'mismatch' };
  await run.checkAnswer(refusal, expected, chain, `${chain.asked} answered ${manner}`);
}
