/** Takes locks that writes agree on by a name. */
export interface NamedLockRepository {
  /**
   * Locks a name: until the write ends, every other one that asks for the same name waits, over all replicas.
   * @param expiresAtMs when the row may be swept, a while after the end of any write
   */
  lock(name: string, expiresAtMs: number): Promise<void>;
}
