import type { PasskeyCeremonyRecord, PasskeyCeremonyRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

const upsertCeremony = defineStatement((db, p: Placeholders<PasskeyCeremonyRecord>) =>
  db
    .insertInto('passkey_ceremonies')
    .values({
      pool_id: p.poolId,
      username: p.username,
      client_id: p.clientId,
      challenge_digest_hex: p.challengeDigestHex,
      expires_at_ms: p.expiresAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'username', 'client_id']).doUpdateSet((eb) => ({
        challenge_digest_hex: eb.ref('excluded.challenge_digest_hex'),
        expires_at_ms: eb.ref('excluded.expires_at_ms'),
      })),
    ),
);

const deleteCeremony = defineStatement(
  (db, p: Placeholders<{ poolId: string; username: string; challengeDigestHex: string; nowMs: number }>) =>
    db
      .deleteFrom('passkey_ceremonies')
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('challenge_digest_hex', '=', p.challengeDigestHex)
      .where('expires_at_ms', '>', p.nowMs)
      .returning([
        'pool_id as poolId',
        'username',
        'client_id as clientId',
        'challenge_digest_hex as challengeDigestHex',
        'expires_at_ms as expiresAtMs',
      ]),
);

/** Stores pending passkey registrations, one for each user and client. */
export class SqlPasskeyCeremonyRepository extends SqlRepository implements PasskeyCeremonyRepository {
  async put(ceremony: PasskeyCeremonyRecord): Promise<void> {
    await this.executor.run(upsertCeremony, ceremony);
  }

  async take(
    poolId: string,
    username: string,
    challengeDigestHex: string,
    nowMs: number,
  ): Promise<PasskeyCeremonyRecord | undefined> {
    return (await this.executor.run(deleteCeremony, { poolId, username, challengeDigestHex, nowMs })).rows[0];
  }
}
