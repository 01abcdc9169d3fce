/** The caches of an instance that hold content of the store. They are cleared when that content is replaced. */
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
