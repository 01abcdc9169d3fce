import { setImmediate as nextTurn } from 'node:timers/promises';
import { replaceWrite } from './crashing-store.ts';
import type { TestEnvironment } from './test-environment.ts';

/** Counts writes. */
interface WriteCounter {
  readonly opened: TestEnvironment;
  /** How many have started and not ended. */
  underWay(): number;
  /** The maximum number of simultaneous writes since the last call. */
  mostAtOnce(): number;
}

/** Counts the writes that have started and not ended. Everything works as before, but each write takes one more turn of the event loop. */
export function countWrites(opened: TestEnvironment): WriteCounter {
  let underWay = 0;
  let most = 0;
  const { store } = opened.options;
  const counting = replaceWrite(store, async (work) => {
    underWay += 1;
    most = Math.max(most, underWay);
    try {
      await nextTurn();
      return await store.write(work);
    } finally {
      underWay -= 1;
    }
  });
  return {
    opened: { ...opened, options: { ...opened.options, store: counting } },
    underWay: () => underWay,
    mostAtOnce() {
      const before = most;
      most = underWay;
      return before;
    },
  };
}
