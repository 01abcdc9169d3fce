/** Not yet in TypeScript's library. */
interface Scheduling {
  readonly scheduler?: { yield?(): Promise<void> };
}

/** Ends a task, so that the browser can handle input first. */
export const yieldToBrowser = (): Promise<void> =>
  (globalThis as Scheduling).scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
