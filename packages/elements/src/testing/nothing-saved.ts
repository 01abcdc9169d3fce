import type { SavedStepStorage } from '../pages/saved-step.ts';

/** A tab that stores no step. */
export const NOTHING_SAVED: SavedStepStorage = { read: () => undefined, save: () => undefined };
