import type { NotMeLinkRecord, NotMeLinkRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../placeholder.ts';
import { Repository } from '../repository.ts';
import { statement } from '../statement.ts';

const insertLink = statement((db, p: Placeholders<NotMeLinkRecord>) =>
  db
    .insertInto('not_me_links')
    .values({ pool_id: p.poolId, username: p.username, digest_hex: p.digestHex, expires_at_ms: p.expiresAtMs }),
);

const deleteLink = statement((db, p: Placeholders<{ digestHex: string; nowMs: number }>) =>
  db
    .deleteFrom('not_me_links')
    .where('digest_hex', '=', p.digestHex)
    .where('expires_at_ms', '>', p.nowMs)
    .returning(['pool_id as poolId', 'username', 'digest_hex as digestHex', 'expires_at_ms as expiresAtMs']),
);

type Place = Pick<NotMeLinkRecord, 'poolId' | 'username' | 'expiresAtMs'>;

const deleteLaterLinks = statement((db, p: Placeholders<Place>) =>
  db
    .deleteFrom('not_me_links')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('expires_at_ms', '>', p.expiresAtMs),
);

/** Writes "this was not me" links that were sent. */
export class DatabaseNotMeLinks extends Repository implements NotMeLinkRepository {
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
