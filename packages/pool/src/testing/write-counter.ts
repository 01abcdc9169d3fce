import { setImmediate as nextTurn } from 'node:timers/promises';
import { replaceWrite } from './crashing-store.ts';
import type { TestEnvironment } from './test-environment.ts';

/** Writes that are watched. */
interface WriteCounter {
  readonly opened: TestEnvironment;
  /** How many have begun and not ended. */
  underWay(): number;
  /** How many there were at once, since this was asked last. */
  mostAtOnce(): number;
}

/** Counts the writes that have begun and not ended. Everything works as before, but each takes a turn of the event loop longer. */
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
