/** Takes named locks for writes. */
export interface NamedLockRepository {
  /**
   * Locks a name. Until this write ends, all other writes that lock the same name wait, on all replicas.
   * @param expiresAtMs when the row may be swept, some time after the end of any write
   */
  lock(name: string, expiresAtMs: number): Promise<void>;
}
