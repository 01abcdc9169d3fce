/** A lock for one holder at a time, in the order of requests. */
export class FifoLock {
  #last: Promise<void> | undefined;

  /** Whether it is free. A caller that finds true and does not wait in between may proceed without {@link FifoLock.runExclusive}. */
  get isFree(): boolean {
    return this.#last === undefined;
  }

  /** Waits for all earlier callers. Returns a function that releases the lock. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return () => {
      if (this.#last === promise) this.#last = undefined;
      resolve();
    };
  }

  /** Holds the lock while the work runs. */
  async runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const end = await this.acquire();
    try {
      return await work();
    } finally {
      end();
    }
  }
}
