import type { RevocationRepository } from '@poolgate/pool/store';
import { recordRevocation } from '../gateway/revocations.ts';
import { Repository } from '../repository.ts';

type Revocation = Parameters<RevocationRepository['record']>[0];

/** Writes the rows by which access tokens are refused, in a write of the pool. */
export class DatabaseRevocations extends Repository implements RevocationRepository {
  record(revocation: Revocation): Promise<void> {
    return recordRevocation(this.executor, revocation);
  }
}
