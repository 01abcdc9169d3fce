import type { StepKind } from '@poolgate/client';

const KEY = 'poolgate-step';

/** The part of a sign-in that a tab remembers: the step and the username, but no secrets. */
interface SavedStep {
  readonly step: StepKind;
  readonly username: string;
}

/** Where a tab remembers its step, so that a reload shows it again. */
export interface SavedStepStorage {
  read(): SavedStep | undefined;
  /** Undefined forgets the step. */
  save(saved: SavedStep | undefined): void;
}

/** The storage of this tab. In a browser without storage, a reload restarts the sign-in. */
export const savedStep: SavedStepStorage = {
  read() {
    try {
      const saved: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
      // Opening the page again starts a new sign-in. Only a reload or a restored tab keeps the history entry.
      if (isEntryOfStep() && isSavedStep(saved)) return saved;
      sessionStorage.removeItem(KEY);
      return undefined;
    } catch {
      return undefined;
    }
  },
  save(saved) {
    try {
      if (saved === undefined) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, JSON.stringify(saved));
    } catch {
      // Only a reload needs it.
    }
  },
};

const isEntryOfStep = (): boolean => Object.hasOwn(Object(history.state), 'poolgateStep');

function isSavedStep(saved: unknown): saved is SavedStep {
  const { step, username } = Object(saved) as Partial<SavedStep>;
  return typeof step === 'string' && typeof username === 'string';
}
