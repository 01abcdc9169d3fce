/** What the library of TypeScript does not know yet. */
interface Scheduling {
  readonly scheduler?: { yield?(): Promise<void> };
}

/** Ends a task, so that the browser gets to what is pressed before it goes on. */
export const yieldToBrowser = (): Promise<void> =>
  (globalThis as Scheduling).scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
