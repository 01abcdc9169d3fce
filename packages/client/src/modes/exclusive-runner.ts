/** Runs a piece of work while no other runs under the same name. */
export type ExclusiveRunner = <T>(work: () => Promise<T>) => Promise<T>;

/** One at a time over all tabs of the origin (Web Locks), or in this program where there are none. */
export function createTabExclusiveRunner(name: string): ExclusiveRunner {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks;
  return locks === undefined ? createLocalExclusiveRunner() : (work) => locks.request(name, work);
}

function createLocalExclusiveRunner(): ExclusiveRunner {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
