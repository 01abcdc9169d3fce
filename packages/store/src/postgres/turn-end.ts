/** Calls back at the end of this turn of the event loop, after all promises that settle in it. */
export function callAtTurnEnd(call: () => void): void {
  // Node runs ticks before promises at the start of a turn, and after them from here on.
  queueMicrotask(() => process.nextTick(call));
}
