import type { TriggerEvent, TriggerOutcome } from '@poolgate/pool';
import type { Challenge, ChallengeContent, LoginStep } from '../../../packages/pool/src/login/challenges/challenge.ts';
import { TRIGGER_DEFINITIONS, type TriggerKind } from '../../../packages/pool/src/triggers/trigger-definitions.ts';
import type { Parts } from '../assembly.ts';
import { type Fault, miswriting, reordered, replaced } from './plant.ts';
import { answer, enrolled, logIn, refuse, registered, startCustom, wait } from './scripts.ts';

type Invoke = (event: TriggerEvent) => Promise<TriggerOutcome>;

/** A faulty connection between the pool and its functions. */
function between(change: (invoke: Invoke, event: TriggerEvent) => Promise<TriggerOutcome>): Partial<Parts> {
  return {
    triggers: (real) => ({
      targetOf(arn) {
        const target = real.targetOf(arn);
        return (
          target && {
            invoke: (event, signal, id) => change((asked) => target.invoke(asked, signal, id), event),
          }
        );
      },
    }),
  };
}

/** Caches a response and returns it for the next similar call. */
function remembering(keyOf: (event: TriggerEvent) => string | undefined): Partial<Parts> {
  const kept = new Map<string, TriggerOutcome>();
  return between(async (invoke, event) => {
    const key = keyOf(event);
    const outcome = (key && kept.get(key)) || (await invoke(event));
    if (key !== undefined) kept.set(key, outcome);
    return outcome;
  });
}

/** Misreads the response of a kind of trigger. */
function reread<Kind extends TriggerKind>(
  kind: Kind,
  change: (verdict: ReturnType<(typeof TRIGGER_DEFINITIONS)[Kind]['read']>) => object | boolean,
): () => () => void {
  return () => {
    const row = TRIGGER_DEFINITIONS[kind] as { read: (response: never) => unknown };
    const { read } = row;
    row.read = (response) => change(read(response) as ReturnType<(typeof TRIGGER_DEFINITIONS)[Kind]['read']>);
    return () => {
      row.read = read;
    };
  };
}

/** Skips further challenges for a user whom triggers let in, if this applies. */
function lettingIn(isLetIn: (facts: { readonly device: string }) => boolean): () => () => void {
  return reordered((rows) => [
    { applies: (facts) => facts.proofs.includes('CUSTOM_AUTH') && isLetIn(facts), step: { kind: 'tokens' } },
    ...rows,
  ]);
}

/** Treats a refusal of a trigger as acceptance. */
function ignoringRefusals(source: string): Partial<Parts> {
  return between(async (invoke, event) => {
    const outcome = await invoke(event);
    const isIgnored = event.triggerSource === source && outcome.kind === 'refused';
    return isIgnored ? { kind: 'answered', answer: event } : outcome;
  });
}

/** Gives the challenges of all sessions the answer of the first. */
function forgettingSessions(): () => () => void {
  let first: Uint8Array | undefined;
  return replaced('CUSTOM_CHALLENGE', (real) => {
    const ask: (step: LoginStep, shown: never) => ChallengeContent | Promise<ChallengeContent> = real.issue;
    const issue = async (step: LoginStep, shown: never): Promise<ChallengeContent> => {
      const issued = await ask(step, shown);
      first ??= issued.state;
      return { ...issued, state: first };
    };
    return { issue } as Partial<Challenge>;
  });
}

const right = answer('right');
const wrong = answer('wrong');

/** The row that refuses to change a temporary password for a caller who did not show it. */
const WITHOUT_PASSWORD = 4;

/** Mistakes in what triggers receive, and in the effect of their responses. */
export const TRIGGER_FAULTS: readonly Fault[] = [
  {
    name: 'the trigger that decides the order is not called after the password',
    hasTriggers: true,
    plant: reordered((rows) => rows.filter(({ step }) => step.kind !== 'define')),
    script: [startCustom({ beginsWithPassword: true }), right],
  },
  {
    name: "that trigger's response for another login is used",
    hasTriggers: true,
    parts: remembering(({ triggerSource, userName, request }) =>
      triggerSource.startsWith('Define') ? `${userName} ${(request.session as unknown[]).length}` : undefined,
    ),
    script: [startCustom(), right, startCustom(), wrong, wrong],
  },
  {
    name: 'that trigger receives only the latest answer',
    hasTriggers: true,
    parts: between((invoke, event) => {
      const session = (event.request.session as unknown[] | undefined)?.slice(-1);
      return invoke(session === undefined ? event : { ...event, request: { ...event.request, session } });
    }),
    script: [startCustom(), right, right],
  },
  {
    name: 'an answer to a trigger is accepted twice',
    hasTriggers: true,
    parts: miswriting(() => ({ challengeSessions: { reserveAndSpend: async () => 1 } })),
    script: [startCustom(), answer('right', 3)],
  },
  {
    name: 'a failed answer counts as a right one',
    hasTriggers: true,
    plant: reread('VerifyAuthChallengeResponse', () => true),
    script: [startCustom(), right, wrong],
  },
  {
    name: 'tokens are issued although the trigger ends the login',
    hasTriggers: true,
    plant: reread('DefineAuthChallenge', (verdict) => ({ ...verdict, failAuthentication: false })),
    script: [startCustom(), right, wrong, wrong],
  },
  {
    name: 'an answer is compared with the challenge of another session',
    hasTriggers: true,
    plant: forgettingSessions(),
    script: [startCustom(), startCustom(), right, right],
  },
  {
    name: 'private parameters of triggers reach the client',
    hasTriggers: true,
    plant: reread('CreateAuthChallenge', (created) => ({
      ...created,
      publicParameters: { ...created.publicParameters, ...created.privateParameters },
    })),
    script: [startCustom()],
  },
  {
    name: 'tokens contain what a trigger said of another user',
    hasTriggers: true,
    parts: remembering(({ triggerSource }) => (triggerSource.startsWith('TokenGeneration') ? 'tokens' : undefined)),
    script: [logIn({ who: 0 }), logIn({ who: 1 })],
  },
  {
    name: 'a refused user can start a login',
    hasTriggers: true,
    parts: ignoringRefusals('PreAuthentication_Authentication'),
    script: [refuse('PreAuthentication'), logIn()],
  },
  {
    name: 'a refused user gets tokens',
    hasTriggers: true,
    parts: ignoringRefusals('TokenGeneration_Authentication'),
    script: [refuse('PreTokenGeneration'), logIn()],
  },
  {
    name: 'tokens are refreshed although a trigger refuses',
    hasTriggers: true,
    parts: ignoringRefusals('TokenGeneration_RefreshTokens'),
    script: [logIn(), refuse('PreTokenGeneration'), ['refresh', { at: 0, isNamed: true }]],
  },
  {
    name: 'the triggers replace the second factor',
    hasTriggers: true,
    plant: lettingIn(({ device }) => device === 'none'),
    script: [...enrolled, wait(31), startCustom(), right, right],
  },
  {
    name: 'the triggers replace the proof of a remembered device',
    hasTriggers: true,
    plant: lettingIn(({ device }) => device === 'remembered'),
    script: [...registered(true), startCustom({ device: 'own' }), right, right],
  },
  {
    name: 'the triggers replace a temporary password',
    hasTriggers: true,
    plant: reordered((rows) => [...rows.slice(0, WITHOUT_PASSWORD), ...rows.slice(WITHOUT_PASSWORD + 1)]),
    script: [['setPassword', { who: 0, isPermanent: false }], startCustom(), right, right],
  },
];
