import type { NotMeLinkRecord, NotMeLinkRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

const insertLink = defineStatement((db, p: Placeholders<NotMeLinkRecord>) =>
  db
    .insertInto('not_me_links')
    .values({ pool_id: p.poolId, username: p.username, digest_hex: p.digestHex, expires_at_ms: p.expiresAtMs }),
);

const deleteLink = defineStatement((db, p: Placeholders<{ digestHex: string; nowMs: number }>) =>
  db
    .deleteFrom('not_me_links')
    .where('digest_hex', '=', p.digestHex)
    .where('expires_at_ms', '>', p.nowMs)
    .returning(['pool_id as poolId', 'username', 'digest_hex as digestHex', 'expires_at_ms as expiresAtMs']),
);

type Place = Pick<NotMeLinkRecord, 'poolId' | 'username' | 'expiresAtMs'>;

const deleteLaterLinks = defineStatement((db, p: Placeholders<Place>) =>
  db
    .deleteFrom('not_me_links')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('expires_at_ms', '>', p.expiresAtMs),
);

/** Stores the "this wasn't me" links that were sent. */
export class SqlNotMeLinkRepository extends SqlRepository implements NotMeLinkRepository {
  async insert(link: NotMeLinkRecord): Promise<void> {
    await this.executor.run(insertLink, link);
  }

  async take(digestHex: string, nowMs: number): Promise<NotMeLinkRecord | undefined> {
    return (await this.executor.run(deleteLink, { digestHex, nowMs })).rows[0];
  }

  async deleteLater(poolId: string, username: string, expiresAtMs: number): Promise<void> {
    await this.executor.run(deleteLaterLinks, { poolId, username, expiresAtMs });
  }
}
