/** Calls back when this turn of the event loop has run to its end, with every promise that settles in it. */
export function callAtTurnEnd(call: () => void): void {
  // Node runs ticks before promises where a turn begins, and after them from here on.
  queueMicrotask(() => process.nextTick(call));
}
