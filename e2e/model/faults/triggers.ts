import type { TriggerEvent, TriggerOutcome } from '@poolgate/pool';
import type { Challenge, ChallengeContent, LoginStep } from '../../../packages/pool/src/login/challenges/challenge.ts';
import { TRIGGER_DEFINITIONS, type TriggerKind } from '../../../packages/pool/src/triggers/trigger-definitions.ts';
import type { Parts } from '../assembly.ts';
import { type Fault, miswriting, reordered, replaced } from './plant.ts';
import { answer, enrolled, logIn, refuse, registered, startCustom, wait } from './scripts.ts';

type Invoke = (event: TriggerEvent) => Promise<TriggerOutcome>;

/** Something between the pool and its functions that is not true to them. */
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

/** An answer is kept, and given again to the next call that looks alike. */
function remembering(keyOf: (event: TriggerEvent) => string | undefined): Partial<Parts> {
  const kept = new Map<string, TriggerOutcome>();
  return between(async (invoke, event) => {
    const key = keyOf(event);
    const outcome = (key && kept.get(key)) || (await invoke(event));
    if (key !== undefined) kept.set(key, outcome);
    return outcome;
  });
}

/** What a kind of trigger says is read otherwise. */
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

/** Who logs in by the word of triggers gets no further question, where this is so. */
function lettingIn(isLetIn: (facts: { readonly device: string }) => boolean): () => () => void {
  return reordered((rows) => [
    { applies: (facts) => facts.proofs.includes('CUSTOM_AUTH') && isLetIn(facts), step: { kind: 'tokens' } },
    ...rows,
  ]);
}

/** Some refusal of a trigger is taken for a good answer. */
function ignoringRefusals(source: string): Partial<Parts> {
  return between(async (invoke, event) => {
    const outcome = await invoke(event);
    const isIgnored = event.triggerSource === source && outcome.kind === 'refused';
    return isIgnored ? { kind: 'answered', answer: event } : outcome;
  });
}

/** The questions of all sessions have one answer: that of the first. */
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

/** The row that refuses to have a temporary password changed by who did not show it. */
const WITHOUT_PASSWORD = 4;

/** Mistakes in what triggers are told, and in what their word is worth. */
export const TRIGGER_FAULTS: readonly Fault[] = [
  {
    name: 'the trigger that decides on the order is not asked after the password',
    hasTriggers: true,
    plant: reordered((rows) => rows.filter(({ step }) => step.kind !== 'define')),
    script: [startCustom({ beginsWithPassword: true }), right],
  },
  {
    name: 'what that trigger said of another login is taken for its word',
    hasTriggers: true,
    parts: remembering(({ triggerSource, userName, request }) =>
      triggerSource.startsWith('Define') ? `${userName} ${(request.session as unknown[]).length}` : undefined,
    ),
    script: [startCustom(), right, startCustom(), wrong, wrong],
  },
  {
    name: 'that trigger is told about the latest answer only',
    hasTriggers: true,
    parts: between((invoke, event) => {
      const session = (event.request.session as unknown[] | undefined)?.slice(-1);
      return invoke(session === undefined ? event : { ...event, request: { ...event.request, session } });
    }),
    script: [startCustom(), right, right],
  },
  {
    name: 'an answer to a trigger is taken twice',
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
    name: 'tokens are given though the trigger ends the login',
    hasTriggers: true,
    plant: reread('DefineAuthChallenge', (verdict) => ({ ...verdict, failAuthentication: false })),
    script: [startCustom(), right, wrong, wrong],
  },
  {
    name: 'an answer is held against the question of another session',
    hasTriggers: true,
    plant: forgettingSessions(),
    script: [startCustom(), startCustom(), right, right],
  },
  {
    name: 'what is private to triggers goes to the client',
    hasTriggers: true,
    plant: reread('CreateAuthChallenge', (created) => ({
      ...created,
      publicParameters: { ...created.publicParameters, ...created.privateParameters },
    })),
    script: [startCustom()],
  },
  {
    name: 'tokens say what a trigger said of another user',
    hasTriggers: true,
    parts: remembering(({ triggerSource }) => (triggerSource.startsWith('TokenGeneration') ? 'tokens' : undefined)),
    script: [logIn({ who: 0 }), logIn({ who: 1 })],
  },
  {
    name: 'who must not begin to log in may',
    hasTriggers: true,
    parts: ignoringRefusals('PreAuthentication_Authentication'),
    script: [refuse('PreAuthentication'), logIn()],
  },
  {
    name: 'who must not get tokens gets some',
    hasTriggers: true,
    parts: ignoringRefusals('TokenGeneration_Authentication'),
    script: [refuse('PreTokenGeneration'), logIn()],
  },
  {
    name: 'tokens are refreshed though a trigger refuses',
    hasTriggers: true,
    parts: ignoringRefusals('TokenGeneration_RefreshTokens'),
    script: [logIn(), refuse('PreTokenGeneration'), ['refresh', { at: 0, isNamed: true }]],
  },
  {
    name: 'the word of triggers stands in for the second factor',
    hasTriggers: true,
    plant: lettingIn(({ device }) => device === 'none'),
    script: [...enrolled, wait(31), startCustom(), right, right],
  },
  {
    name: 'the word of triggers stands in for the proof of a remembered device',
    hasTriggers: true,
    plant: lettingIn(({ device }) => device === 'remembered'),
    script: [...registered(true), startCustom({ device: 'own' }), right, right],
  },
  {
    name: 'the word of triggers is as good as a temporary password',
    hasTriggers: true,
    plant: reordered((rows) => [...rows.slice(0, WITHOUT_PASSWORD), ...rows.slice(WITHOUT_PASSWORD + 1)]),
    script: [['setPassword', { who: 0, isPermanent: false }], startCustom(), right, right],
  },
];
