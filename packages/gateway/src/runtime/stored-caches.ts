/** What an instance has in memory of the store's content, to be forgotten when that content is replaced. */
export interface StoredCaches {
  /** Adds a function that empties some of them. */
  add(clear: () => void): void;
  clear(): void;
}

/** The caches of one instance. */
export function createStoredCaches(): StoredCaches {
  const clears: (() => void)[] = [];
  return {
    add: (clear) => void clears.push(clear),
    clear() {
      for (const clear of clears) clear();
    },
  };
}
