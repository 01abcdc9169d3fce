import type { TriggerEvent, TriggerInvoker, TriggerOutcome } from '@poolgate/pool';
import { formatTriggerArn } from '../support/triggers/triggered-service.ts';

/** The triggers that can refuse a login. */
export type RefusingTrigger = 'PostAuthentication' | 'PreAuthentication' | 'PreTokenGeneration';

/** A call of a function. */
interface Call {
  readonly source: string;
  readonly userName: string;
}

/** What the functions read from their events. */
interface DefineEvent {
  readonly request: {
    readonly session: readonly { readonly challengeName: string; readonly challengeResult: boolean }[];
  };
}

interface VerifyEvent {
  readonly userName: string;
  readonly request: {
    readonly privateChallengeParameters: { readonly question?: string; readonly answer?: string };
    readonly challengeAnswer: string;
  };
}

/** How many right answers a login needs, and how many wrong ones end it. */
export const ORDER = { rights: 2, wrongs: 2 } as const;

/** The prefix of what only the triggers know. No client may ever see it. */
export const PRIVATE = 'private answer';

/** The functions of a pool under the model: their responses, and the calls that they received. */
export class ModelTriggers {
  /** By username: the trigger that refuses this user. */
  readonly refusals = new Map<string, RefusingTrigger>();
  readonly #judged = new Map<string, { readonly userName: string; readonly isRight: boolean }[]>();
  #questions = 0;
  #tokens = 0;
  #calls: Call[] = [];

  /** What the settings of the pool name. */
  get lambdaConfig() {
    const { DefineAuthChallenge, CreateAuthChallenge, VerifyAuthChallengeResponse, ...others } = arns();
    const { PreTokenGeneration, ...plain } = others;
    const versioned = { LambdaVersion: 'V2_0', LambdaArn: PreTokenGeneration } as const;
    const custom = { DefineAuthChallenge, CreateAuthChallenge, VerifyAuthChallengeResponse };
    return { ...plain, ...custom, PreTokenGenerationConfig: versioned };
  }

  /** Calls the functions as Lambda would, with JSON in both directions. */
  get invoker(): TriggerInvoker {
    return {
      targetOf: (arn) => {
        const name = arn.split(':').at(-1) as TriggerName;
        return { invoke: async (event) => this.#invoke(name, event) };
      },
    };
  }

  /** The calls since the last time, oldest first. */
  takeCalls(): readonly Call[] {
    const taken = this.#calls;
    this.#calls = [];
    return taken;
  }

  /** The result of each check of an answer. */
  judgementsOf(question: string): readonly { readonly userName: string; readonly isRight: boolean }[] {
    return this.#judged.get(question) ?? [];
  }

  /** The answer to a challenge. */
  answerTo(question: string): string {
    return `${PRIVATE} to ${question}`;
  }

  #invoke(name: TriggerName, event: TriggerEvent): TriggerOutcome {
    this.#calls.push({ source: event.triggerSource, userName: event.userName });
    if (this.refusals.get(event.userName) === name) return { kind: 'refused', message: `${name} says no` };
    const copy = JSON.parse(JSON.stringify(event));
    const response = this.#functions[name](copy as never);
    return { kind: 'answered', answer: JSON.parse(JSON.stringify({ ...copy, response })) };
  }

  readonly #functions: Readonly<Record<TriggerName, (event: never) => object>> = {
    PreAuthentication: () => ({}),
    PostAuthentication: () => ({}),
    PreTokenGeneration: (event) => this.#addClaims(event),
    DefineAuthChallenge: defineNext,
    CreateAuthChallenge: () => this.#ask(),
    VerifyAuthChallengeResponse: (event) => this.#judge(event),
  };

  #addClaims({ userName }: TriggerEvent): object {
    this.#tokens += 1;
    const claimsToAddOrOverride = { for_user: userName, signed_as: this.#tokens };
    const generation = { claimsToAddOrOverride };
    return { claimsAndScopeOverrideDetails: { idTokenGeneration: generation, accessTokenGeneration: generation } };
  }

  #ask(): object {
    this.#questions += 1;
    const question = `question ${this.#questions}.`;
    return {
      publicChallengeParameters: { question },
      privateChallengeParameters: { question, answer: this.answerTo(question) },
      challengeMetadata: question,
    };
  }

  #judge({ userName, request }: VerifyEvent): object {
    const { question = '', answer } = request.privateChallengeParameters;
    const isRight = answer !== undefined && request.challengeAnswer === answer;
    this.#judged.set(question, [...this.judgementsOf(question), { userName, isRight }]);
    return { answerCorrect: isRight };
  }
}

const NAMES = [
  'PreAuthentication',
  'PostAuthentication',
  'PreTokenGeneration',
  'DefineAuthChallenge',
  'CreateAuthChallenge',
  'VerifyAuthChallengeResponse',
] as const;
type TriggerName = (typeof NAMES)[number];

function arns(): Readonly<Record<TriggerName, string>> {
  const entries = NAMES.map((name) => [name, formatTriggerArn(name)] as const);
  return Object.fromEntries(entries) as Readonly<Record<TriggerName, string>>;
}

/** Decides on the order from the history alone. When it ends a login, it also says that the login is good: the refusal must win. */
function defineNext({ request: { session } }: DefineEvent): object {
  const last = session.at(-1);
  if (last?.challengeName === 'SRP_A') return { challengeName: 'PASSWORD_VERIFIER' };
  const asked = session.filter(({ challengeName }) => challengeName === 'CUSTOM_CHALLENGE');
  const rights = asked.filter(({ challengeResult }) => challengeResult).length;
  if (asked.length - rights >= ORDER.wrongs) return { issueTokens: true, failAuthentication: true };
  return rights >= ORDER.rights ? { issueTokens: true } : { challengeName: 'CUSTOM_CHALLENGE' };
}
