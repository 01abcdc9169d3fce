/** Lets one user at a time have something, in the order of asking. */
export class FifoLock {
  #last: Promise<void> | undefined;

  /** Whether nobody has it: who finds this true, and does not wait in between, may use it without {@link FifoLock.runExclusive}. */
  get isFree(): boolean {
    return this.#last === undefined;
  }

  /** Waits for everyone before, and resolves to what ends the turn. */
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

  /** Has it for the time of some work. */
  async runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const end = await this.acquire();
    try {
      return await work();
    } finally {
      end();
    }
  }
}
