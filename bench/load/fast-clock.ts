/** Of the real one. A code of an authenticator is good for one login; so each of its 30 seconds takes half a second. */
const SPEED = 60;

/** Any moment will do that server and load agree on without a word. */
const SINCE_MS = Date.UTC(2026, 0, 1);

/** The time on a clock that runs fast, the same in every process. Milliseconds since the epoch. */
export function readFastClock(): number {
  return SINCE_MS + (Date.now() - SINCE_MS) * SPEED;
}
