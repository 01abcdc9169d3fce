import type { LocalUserRepository } from '@poolgate/pool/store';
import { deleteLocalFactors, deleteLocalUser } from '../gateway/local-user-records.ts';
import { SqlRepository } from '../sql/sql-repository.ts';

/** Writes the gateway's data about users, within a write of the pool. */
export class SqlLocalUserRepository extends SqlRepository implements LocalUserRepository {
  clear(poolId: string, sub: string, nowMs: number): Promise<void> {
    return deleteLocalFactors(this.executor, poolId, sub, nowMs);
  }

  delete(poolId: string, sub: string): Promise<void> {
    return deleteLocalUser(this.executor, poolId, sub);
  }
}
