/** Runs work exclusively: never at the same time as other work with the same name. */
export type ExclusiveRunner = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs one at a time across all tabs of the origin (Web Locks), or within this program if Web Locks are missing. */
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
