import type { LoginStep } from '@poolgate/client';

/** The sign-in whose steps a history keeps. */
export interface StepHistoryHost {
  readonly username: string;
  readonly staySignedIn: boolean;
  showStep(step: LoginStep): void;
  showStart(): void;
  /** Nothing is left to ask. */
  finish(): void;
}

/** Has Back, Forward and a reload lead to the steps of a sign-in. */
export interface StepHistory {
  /** A step is shown. */
  enter(step: LoginStep, host: StepHistoryHost): void;
  /** The sign-in starts again. */
  restart(): void;
  /** The user is signed in: no step can be returned to. */
  finish(): Promise<void>;
}

let load: (() => Promise<StepHistory>) | undefined;
let resumedStep: LoginStep | undefined;

/** Makes sign-ins keep their steps. Only the pages of the service do, because an application manages its own history. */
export function useStepHistory(loadHistory: () => Promise<StepHistory>): void {
  load = loadHistory;
}

/** The next sign-in begins with this step. */
export function setResumedStep(step: LoginStep): void {
  resumedStep = step;
}

/** The step that a sign-in begins with; undefined: with its first form. */
export function takeResumedStep(): LoginStep | undefined {
  const step = resumedStep;
  resumedStep = undefined;
  return step;
}

/** Connects a sign-in to the history, which is loaded with the first step that follows the first form. */
export class StepKeeper {
  private readonly host: StepHistoryHost;
  /** Resolves to undefined where it cannot be loaded: the sign-in works without it. */
  private history: Promise<StepHistory | undefined> | undefined;

  constructor(host: StepHistoryHost) {
    this.host = host;
  }

  /** Loads the history while the service answers. */
  prepare(): void {
    this.history ??= load?.().catch(() => undefined);
  }

  enter(step: LoginStep): void {
    this.prepare();
    void this.history?.then((history) => history?.enter(step, this.host));
  }

  restart(): void {
    void this.history?.then((history) => history?.restart());
  }

  /** @param leave called once the history is back at its first entry */
  finish(leave: () => void): void {
    if (this.history === undefined) leave();
    else void this.history.then((history) => history?.finish()).then(leave);
  }
}
