import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSrpStart } from '../../support/routes/route-srp.ts';
import { answerChain, predictAnswer } from '../answering.ts';
import { MANNERS } from '../answers.ts';
import { type Expected, type Run, summarize } from '../run.ts';
import type { ModelUser, Progress } from '../state.ts';
import type { Asked, LoginState } from '../transitions.ts';
import { ASKED_FIRST, askedAfter, assertAsked, findRefusingTrigger } from '../trigger-checks.ts';
import { act, pick } from './act.ts';

const number = fc.nat(1000);

/** Which device a login names. */
export const device = fc.constantFrom('none', 'none', 'own', 'own', 'foreign', 'invented');
type DeviceChoice = 'none' | 'own' | 'foreign' | 'invented';

/** Other spellings of a name: upper case, spaces and so on. */
const SPELLINGS: readonly ((email: string) => string)[] = [
  (email) => email,
  (email) => email.toUpperCase(),
  (email) => email.replace('@example', '@EXAMPLE'),
];

/** The key of the named device. */
export function findDeviceKey(run: Run, user: ModelUser, choice: DeviceChoice, at: number): string | undefined {
  if (choice === 'none') return undefined;
  if (choice === 'invented') return 'us-east-1_00000000-0000-4000-8000-000000000000';
  const owner = choice === 'own' ? user : run.users.find((other) => other !== user);
  return pick([...(owner?.devices.keys() ?? [])], at);
}

/** A login before anything is known of it. */
export function fresh(run: Run, user: ModelUser, deviceKey: string | undefined): Progress {
  const isTracked = run.modelled.setting.rules.devices !== 'off';
  return {
    user,
    proofs: [],
    deviceKey: isTracked ? deviceKey : undefined,
    isBoundToDevice: false,
    isOfAttacker: false,
    passwordVersion: user.passwordVersion,
  };
}

/** The first factor was right: what follows, and what it costs. Undefined if too many codes were sent. */
function pass(run: Run, progress: Progress): LoginState | undefined {
  const next = run.next(progress, 'none', 'POST /login');
  return run.sends(progress, next) ? next : undefined;
}

/** Checks whether a login is refused before anything else, without being counted. Undefined if it is not. */
export async function refusedStart(
  run: Run,
  progress: Progress,
  path: string,
  body: unknown,
): Promise<true | undefined> {
  if (findRefusingTrigger(run, progress.user) !== 'PreAuthentication') return undefined;
  const about = `POST ${path}, which a trigger refuses`;
  const answer = await run.modelled.service.post(path, body);
  await run.checkAnswer(answer, { kind: 'refused', why: 'trigger' }, progress, about);
  assertAsked(run, progress.user, [ASKED_FIRST], about);
  return true;
}

/** POST /login. */
export const logIn = act({
  weight: 6,
  args: fc.record({ who: number, isRight: fc.boolean(), device, at: number, spelling: number }),
  async perform(run, { who, isRight, device: choice, at, spelling }) {
    const user = pick(run.users, who) as ModelUser;
    const key = findDeviceKey(run, user, choice, at);
    const progress = { ...fresh(run, user, key), proofs: ['password'] as const };
    const counter = run.counterOf(progress, 'password');
    const isTrusted = run.deviceOf(user, progress.deviceKey)?.state === 'remembered';
    const whose = isTrusted ? `${user.username} ${key}` : user.username;
    const username = pick(SPELLINGS, spelling)?.(user.email);
    const password = isRight ? user.password : 'Wrong-Horse1!';
    const body = { username, password, ...(key === undefined ? {} : { device_key: key }) };
    const about = `POST /login of ${username}, ${isRight ? 'right' : 'wrong'} password, device ${choice}`;
    if (await refusedStart(run, progress, '/login', body)) return;
    const asked = [ASKED_FIRST];
    const check = async (expected: Expected) => {
      await run.checkAnswer(await run.modelled.service.post('/login', body), expected, progress, about);
      assertAsked(run, user, asked, about);
    };
    if (counter.isLocked(run.nowMs)) return check({ kind: 'refused', why: 'locked' });
    if (!isRight) {
      counter.count(run.nowMs, true);
      run.ledger.guessed(whose, 'password', run.nowMs);
      return check({ kind: 'refused', why: 'credentials' });
    }
    const next = pass(run, progress);
    if (next === undefined) return check({ kind: 'refused', why: 'locked' });
    counter.clear();
    run.ledger.known(whose, 'password');
    asked.push(...askedAfter(run, progress, next));
    return check(predictAnswer(next));
  },
});

/** POST /login/srp. The proof is a separate act. */
export const startSrp = act({
  weight: 4,
  args: fc.record({ who: number, device, at: number }),
  async perform(run, { who, device: choice, at }) {
    const user = pick(run.users, who) as ModelUser;
    const key = findDeviceKey(run, user, choice, at);
    const start = createSrpStart();
    const body = { username: user.email, srp_a: start.srpAHex, ...(key === undefined ? {} : { device_key: key }) };
    const progress = fresh(run, user, key);
    if (await refusedStart(run, progress, '/login/srp', body)) return;
    const answer = await run.modelled.service.post('/login/srp', body);
    const next = run.next(progress, 'none', 'POST /login/srp');
    const about = `POST /login/srp with device ${choice}`;
    await run.checkAnswer(answer, predictAnswer(next), progress, about, { start });
    assertAsked(run, user, [ASKED_FIRST], about);
  },
});

const ROUTE = '/login/passkey/challenge';

/** GET /login/passkey/challenge, with and without a name. */
export const chooseFirstFactor = act({
  weight: 3,
  args: fc.record({ who: number, name: fc.constantFrom(undefined, 'EMAIL_OTP' as const, 'SMS_OTP' as const) }),
  async perform(run, { who, name }) {
    if (!run.modelled.setting.offersCodes) return;
    const user = pick(run.users, who) as ModelUser;
    const progress = fresh(run, user, undefined);
    const body = { username: user.email };
    if (name === undefined) {
      const answer = await run.modelled.service.ask('GET', ROUTE, { body });
      await run.checkAnswer(
        answer,
        predictAnswer(run.next(progress, 'none', `GET ${ROUTE}`)),
        progress,
        `GET ${ROUTE}`,
      );
      const offered = (['EMAIL_OTP', 'SMS_OTP'] as const).filter((each) => run.canReceive(user, each));
      assert.deepEqual(answer.body.AvailableChallenges, offered);
      return;
    }
    await chooseByName(run, progress, name);
  },
});

async function chooseByName(run: Run, progress: Progress, name: Asked): Promise<void> {
  const { user } = progress;
  const next = run.next(progress, 'none', `GET ${ROUTE}/<challenge_name>`, name);
  const isTooMany = !run.sends(progress, next);
  const path = `${ROUTE}/${name.toLowerCase()}`;
  const answer = await run.modelled.service.ask('GET', path, { body: { username: user.email } });
  const expected = isTooMany ? ({ kind: 'refused', why: 'locked' } as const) : predictAnswer(next);
  await run.checkAnswer(answer, expected, progress, `GET ${path}`, { isDecoy: !run.canReceive(user, name) });
}

/** An answer to one of the latest challenges. */
export const answer = act({
  weight: 14,
  args: fc.record({
    at: fc.constantFrom<number>(0, 0, 0, 1, 2),
    manner: fc.oneof(
      { weight: 5, arbitrary: fc.constant('right' as const) },
      { weight: 3, arbitrary: fc.constantFrom(...MANNERS) },
    ),
    entryPoint: number,
    copies: fc.constantFrom<number>(1, 1, 1, 3),
  }),
  async perform(run, { at, manner, entryPoint, copies }) {
    const chain = pick(run.chains.slice(-3).reverse(), at);
    if (chain !== undefined) await answerChain(run, chain, manner, entryPoint, copies);
  },
});

/** Repeats a request that already succeeded once. */
export const replay = act({
  weight: 2,
  args: fc.record({ at: number }),
  async perform(run, { at }) {
    const transcript = pick(run.transcripts.slice(-4), at);
    if (transcript === undefined) return;
    const again = await run.modelled.service.post(transcript.path, transcript.body);
    assert.ok([401, 422].includes(again.status), `a transcript was good twice: ${summarize(again)}`);
  },
});

/** Many parallel wrong guesses at all entry points. */
export const burst = act({
  weight: 1,
  args: fc.record({ at: number, size: fc.integer({ min: 4, max: 14 }) }),
  async perform(run, { at, size }) {
    const pending = run.chains.filter(({ isSpent, expiresAtMs }) => !isSpent && run.nowMs < expiresAtMs);
    const chain = pick(pending.slice(-3), at);
    if (chain !== undefined && chain.asked !== 'MFA_SETUP') await answerChain(run, chain, 'wrong', at, size);
  },
});
