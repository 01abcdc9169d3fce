import type { RevocationRepository } from '@poolgate/pool/store';
import { recordRevocation } from '../gateway/revocation-records.ts';
import { SqlRepository } from '../sql/sql-repository.ts';

type Revocation = Parameters<RevocationRepository['record']>[0];

/** Writes revocations of access tokens, within a write of the pool. */
export class SqlRevocationRepository extends SqlRepository implements RevocationRepository {
  record(revocation: Revocation): Promise<void> {
    return recordRevocation(this.executor, revocation);
  }
}
