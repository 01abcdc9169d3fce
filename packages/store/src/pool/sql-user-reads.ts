import type { DueDeletion, Page, UserReads, UserRecord, UserSearch, UserWithCredential } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { toPage, toRowLimit } from '../sql/row-pages.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';
import { findUserByName } from './find-user-by-name.ts';
import { selectNearestKey } from './nearest-key.ts';
import { searchUsers } from './search-users.ts';
import { IS_FOUND_BY_NAME } from './sql-registration-repository.ts';
import { selectUserColumns, toUser } from './user-rows.ts';

// For an unknown name, another user is read and discarded, so that it takes as long.
const selectUser = defineStatement((db, p: Placeholders<{ poolId: string; username: string }>, phrases) =>
  db
    .selectFrom('users')
    .select(selectUserColumns(phrases))
    .where('pool_id', '=', p.poolId)
    .where(
      'username',
      '=',
      selectNearestKey({ table: 'users', column: 'username' }, { poolId: p.poolId, key: p.username }),
    ),
);

const selectUsers = defineStatement((db, p: Placeholders<{ poolId: string; after: string; limit: number }>, phrases) =>
  db
    .selectFrom('users')
    .select(selectUserColumns(phrases))
    .where('pool_id', '=', p.poolId)
    .where('username', '>', p.after)
    .where(IS_FOUND_BY_NAME)
    .orderBy('username')
    .limit(p.limit),
);

const countUsers = defineStatement((db, p: Placeholders<{ poolId: string }>) =>
  db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pool_id', '=', p.poolId)
    .where(IS_FOUND_BY_NAME),
);

type DeletionPosition = Omit<DueDeletion, 'sub'>;

const selectDueDeletions = defineStatement((db, p: Placeholders<DeletionPosition & { nowMs: number; limit: number }>) =>
  db
    .selectFrom('users')
    .select(['pool_id as poolId', 'username', 'sub', 'deletion_at_ms as deletionAtMs'])
    .$narrowType<{ deletionAtMs: number }>()
    .where('deletion_at_ms', '<=', p.nowMs)
    .where((eb) =>
      eb(eb.refTuple('deletion_at_ms', 'pool_id', 'username'), '>', eb.tuple(p.deletionAtMs, p.poolId, p.username)),
    )
    .orderBy('deletion_at_ms')
    .orderBy('pool_id')
    .orderBy('username')
    .limit(p.limit),
);

/** Sorts before every deletion. */
const BEFORE_ALL: DeletionPosition = { deletionAtMs: 0, poolId: '', username: '' };

/** Reads users and the names that identify them. */
export class SqlUserReads extends SqlRepository implements UserReads {
  byName(poolId: string, name: string): Promise<UserWithCredential | undefined> {
    return findUserByName(this.executor, poolId, name);
  }

  async byUsername(poolId: string, username: string): Promise<UserRecord | undefined> {
    const [row] = (await this.executor.run(selectUser, { poolId, username })).rows;
    const nearest = row && toUser(row);
    return nearest?.username === username ? nearest : undefined;
  }

  async list(poolId: string, limit: number, cursor: string | undefined): Promise<Page<UserRecord>> {
    // No username sorts before the empty text.
    const { rows } = await this.executor.run(selectUsers, { poolId, after: cursor ?? '', limit: toRowLimit(limit) });
    return toPage(rows.map(toUser), limit, (user) => user.username);
  }

  async listDueDeletions(
    nowMs: number,
    limit: number,
    { deletionAtMs, poolId, username }: DeletionPosition = BEFORE_ALL,
  ): Promise<readonly DueDeletion[]> {
    const position = { deletionAtMs, poolId, username };
    return (await this.executor.run(selectDueDeletions, { ...position, nowMs, limit })).rows;
  }

  async count(poolId: string): Promise<number> {
    return this.readCount(countUsers, { poolId });
  }

  search(poolId: string, search: UserSearch, limit: number, cursor: string | undefined): Promise<Page<UserRecord>> {
    return searchUsers(this.executor, poolId, search, limit, cursor);
  }
}
