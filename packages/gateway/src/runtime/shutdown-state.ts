import { setImmediate as nextTurn } from 'node:timers/promises';

/** Whether this instance is shutting down. From then on it is not ready, and each response closes its connection. */
export interface ShutdownState {
  readonly isStopping: boolean;
  begin(): void;
}

/** The state of a running instance. */
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

/** One of them may already have been half over. */
const QUIET_TURNS = 3;
/** After this many turns of the event loop, the shutdown no longer waits for quiet ones. */
const MOST_TURNS = 1_000;

/**
 * Resolves right after some turns of the event loop in which nothing happened. Everything that has arrived was then read, so closing a
 * connection or the listening socket resets nothing. The wait is limited.
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
