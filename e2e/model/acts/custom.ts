import fc from 'fast-check';
import { createSrpStart } from '../../support/routes/route-srp.ts';
import { predictAnswer } from '../answering.ts';
import type { RefusingTrigger } from '../model-triggers.ts';
import type { ModelUser, Progress } from '../state.ts';
import { ASKED_FIRST, askedAfter, assertAsked } from '../trigger-checks.ts';
import { act, pick } from './act.ts';
import { device, findDeviceKey, fresh, refusedStart } from './logins.ts';

const number = fc.nat(1000);
const DEFINE = 'DefineAuthChallenge_Authentication';

/** POST /login/custom, or /login/srp with `custom`: a login whose order triggers decide. */
export const startCustom = act({
  weight: 5,
  args: fc.record({ who: number, device, at: number, beginsWithPassword: fc.boolean() }),
  async perform(run, { who, device: choice, at, beginsWithPassword }) {
    if (run.modelled.triggers === undefined) return;
    const user = pick(run.users, who) as ModelUser;
    const key = findDeviceKey(run, user, choice, at);
    const progress: Progress = { ...fresh(run, user, key), custom: { beginsWithPassword, answers: [] } };
    const path = beginsWithPassword ? '/login/srp' : '/login/custom';
    const start = beginsWithPassword ? createSrpStart() : undefined;
    const begun = start === undefined ? {} : { srp_a: start.srpAHex, custom: true };
    const body = { username: user.email, ...begun, ...(key === undefined ? {} : { device_key: key }) };
    if (await refusedStart(run, progress, path, body)) return;
    const next = run.next(progress, 'none', beginsWithPassword ? 'POST /login/srp' : 'POST /login/custom');
    const about = `POST ${path} for triggers, with device ${choice}`;
    const answer = await run.modelled.service.post(path, body);
    await run.checkAnswer(answer, predictAnswer(next), progress, about, start === undefined ? {} : { start });
    assertAsked(run, user, [ASKED_FIRST, DEFINE, ...askedAfter(run, progress, next)], about);
  },
});

const TRIGGERS: readonly (RefusingTrigger | undefined)[] = [
  undefined,
  undefined,
  'PreAuthentication',
  'PostAuthentication',
  'PreTokenGeneration',
];

/** From now on, a trigger refuses a user, or none does. */
export const refuseByTrigger = act({
  weight: 2,
  args: fc.record({ who: number, trigger: fc.constantFrom(...TRIGGERS) }),
  perform(run, { who, trigger }) {
    const { username } = pick(run.users, who) as ModelUser;
    const refusals = run.modelled.triggers?.refusals;
    if (trigger === undefined) refusals?.delete(username);
    else refusals?.set(username, trigger);
    return Promise.resolve();
  },
});
