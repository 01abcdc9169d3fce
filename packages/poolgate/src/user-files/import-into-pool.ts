import { findDeletedUsers } from '@poolgate/gateway';
import type { EmbeddedPool, ImportOutcome } from '@poolgate/pool';

const DELETED: ImportOutcome = {
  ok: false,
  code: 'deleted',
  text: 'A user with this sub was deleted, so it cannot be used again. Leave it out to get a new one.',
};

/**
 * Imports all users into the pool except those that were deleted here. The tombstone of a deleted user makes the routes reject every token
 * of its sub.
 */
export function importIntoPool(
  pool: EmbeddedPool,
  container: Parameters<typeof findDeletedUsers>[0],
): EmbeddedPool['importUsers'] {
  return async (userPoolId, users) => {
    const deleted = await findDeletedUsers(
      container,
      users.flatMap(({ sub }) => (sub === undefined ? [] : [sub])),
    );
    const kept = users.filter(({ sub }) => sub === undefined || !deleted.has(sub));
    const outcomes = await pool.importUsers(userPoolId, kept);
    const outcomesByUser = new Map(kept.map((user, index) => [user, outcomes[index]]));
    return users.map((user) => outcomesByUser.get(user) ?? DELETED);
  };
}
