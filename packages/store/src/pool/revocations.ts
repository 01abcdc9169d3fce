import type { RevocationRepository } from '@poolgate/pool/store';
import { revocations } from '../gateway/revocations.ts';
import type { Executor } from '../statement.ts';

type Revocation = Parameters<RevocationRepository['record']>[0];

/** Writes the rows by which access tokens are refused, in a write of the pool. */
export class DatabaseRevocations implements RevocationRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  record(revocation: Revocation): Promise<void> {
    return revocations.record(this.#executor, revocation);
  }
}
