import { setImmediate as nextTurn } from 'node:timers/promises';

/** Whether this instance was told to stop. From then on it is not ready, and each answer ends its connection. */
export interface ShutdownState {
  readonly isStopping: boolean;
  begin(): void;
}

/** Of an instance that runs. */
export function createShutdownState(): ShutdownState {
  let isStopping = false;
  return {
    get isStopping() {
      return isStopping;
    },
    begin() {
      isStopping = true;
    },
  };
}

/** One of them may have been half over when it was waited for. */
const QUIET_TURNS = 3;
/** After so many turns of the event loop the end does not wait any longer for quiet ones. */
const MOST_TURNS = 1_000;

/**
 * Resolves right after turns of the event loop in which nothing happened: what has arrived by then was read, and closing
 * a connection or the listening socket resets nothing that waits behind it. Where they never come, it does not wait for ever.
 * @param happened a number that grows with every connection and request
 */
export async function waitForQuietTurns(happened: () => number): Promise<void> {
  let before = happened();
  for (let turn = 0, quiet = 0; turn < MOST_TURNS && quiet < QUIET_TURNS; turn += 1) {
    await nextTurn();
    const now = happened();
    quiet = now === before ? quiet + 1 : 0;
    before = now;
  }
}
