/** Ends a task, so that the browser gets to what is pressed before the next one. */
export const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
