/** Computes a value once; after a failure, again. */
export function memoizeAsync<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** There are as many keys as files, so the cache does not grow. */
export function memoizeByKey<Key, T>(make: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const made = new Map<Key, () => Promise<T>>();
  return (key) => {
    const found = made.get(key) ?? memoizeAsync(() => make(key));
    made.set(key, found);
    return found();
  };
}
