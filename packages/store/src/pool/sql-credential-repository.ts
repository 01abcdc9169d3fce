import type { CredentialRecord, CredentialRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

const upsertCredential = defineStatement((db, p: Placeholders<CredentialRecord>) =>
  db
    .insertInto('credentials')
    .values({
      pool_id: p.poolId,
      username: p.username,
      salt_hex: p.saltHex,
      verifier_sealed: p.verifierEncrypted,
      temporary_until_ms: p.temporaryUntilMs,
      set_at_ms: p.setAtMs,
      version: p.version,
    })
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'username']).doUpdateSet((eb) => ({
        salt_hex: eb.ref('excluded.salt_hex'),
        verifier_sealed: eb.ref('excluded.verifier_sealed'),
        temporary_until_ms: eb.ref('excluded.temporary_until_ms'),
        set_at_ms: eb.ref('excluded.set_at_ms'),
        version: eb.ref('excluded.version'),
      })),
    ),
);

/** Writes users' passwords as encrypted verifiers. They are read together with their users. */
export class SqlCredentialRepository extends SqlRepository implements CredentialRepository {
  async put(credential: CredentialRecord): Promise<void> {
    await this.executor.run(upsertCredential, credential);
  }
}
