import type { NotMeLinkRecord } from '@poolgate/pool/store';
import { type Executor, statement } from '../statement.ts';

const insertLink = statement((db, p: NotMeLinkRecord) =>
  db
    .insertInto('not_me_links')
    .values({ pool_id: p.poolId, username: p.username, digest_hex: p.digestHex, expires_at_ms: p.expiresAtMs }),
);

const deleteLink = statement((db, p: { digestHex: string; nowMs: number }) =>
  db
    .deleteFrom('not_me_links')
    .where('digest_hex', '=', p.digestHex)
    .where('expires_at_ms', '>', p.nowMs)
    .returning(['pool_id as poolId', 'username', 'digest_hex as digestHex', 'expires_at_ms as expiresAtMs']),
);

type LaterLinks = Pick<NotMeLinkRecord, 'poolId' | 'username' | 'expiresAtMs'>;

const deleteLaterLinks = statement((db, p: LaterLinks) =>
  db
    .deleteFrom('not_me_links')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('expires_at_ms', '>', p.expiresAtMs),
);

/** "This was not me" links that were sent. */
export const notMeLinks = {
  async insert(executor: Executor, link: NotMeLinkRecord): Promise<void> {
    await executor.run(insertLink, link);
  },

  async take(executor: Executor, digestHex: string, nowMs: number): Promise<NotMeLinkRecord | undefined> {
    return (await executor.run(deleteLink, { digestHex, nowMs })).rows[0];
  },

  async deleteAfter(executor: Executor, after: LaterLinks): Promise<void> {
    await executor.run(deleteLaterLinks, after);
  },
};
