import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TestContext } from './context.ts';
import { withWrite } from './crash.ts';

/** Writes that are watched. */
interface CountedWrites {
  readonly opened: TestContext;
  /** How many have begun and not ended. */
  underWay(): number;
  /** How many there were at once, since this was asked last. */
  mostAtOnce(): number;
}

/** Counts the writes that have begun and not ended. Everything works as before, but each takes a turn of the event loop longer. */
export function countingWrites(opened: TestContext): CountedWrites {
  let underWay = 0;
  let most = 0;
  const { store } = opened.options;
  const counting = withWrite(store, async (work) => {
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
