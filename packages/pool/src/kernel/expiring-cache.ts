import type { Clock } from './clock.ts';

/** The capacity of most caches of an instance. */
export const CACHE_CAPACITY = 1_000;

/**
 * Caches values that may be a few seconds old. It saves reading settings and decrypting in every call. Other replicas see a change when an
 * entry expires; this one sees it at once if the change calls {@link ExpiringCache.delete} after its commit.
 */
export class ExpiringCache<Value> {
  readonly #clock: Clock;
  readonly #lifeMs: number;
  readonly #capacity: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly untilMs: number }>();
  #deletions = 0;

  constructor(clock: Clock, lifeMs: number, capacity: number) {
    this.#clock = clock;
    this.#lifeMs = lifeMs;
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const leftMs = entry.untilMs - this.#clock.now();
    // More than a whole lifetime is left if the clock was set back.
    if (leftMs > 0 && leftMs <= this.#lifeMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size >= this.#capacity && !oldest.done) this.#entries.delete(oldest.value);
    this.#entries.set(key, { value, untilMs: this.#clock.now() + this.#lifeMs });
  }

  delete(key: string): void {
    this.#deletions += 1;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#deletions += 1;
    this.#entries.clear();
  }

  /** Returns the cached value, or loads it. Missing values are not cached, because they may be created at any time. */
  async getOrLoad(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const deletions = this.#deletions;
    const loaded = await load();
    // What was read before a deletion may be older than the change that caused it.
    if (loaded !== undefined && deletions === this.#deletions) this.set(key, loaded);
    return loaded;
  }

  /** Like {@link ExpiringCache.getOrLoad}, for values that are created synchronously. */
  getOrCreate(key: string, make: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }
}
