import type { EmbeddedPool } from '@poolgate/pool';
import type { Run } from './command.ts';
import { withHouse } from './with-house.ts';

const PAGE = 60;

type UserRow = Awaited<ReturnType<EmbeddedPool['listUsers']>>['rows'][number];

async function* allUsers(pool: EmbeddedPool, userPoolId: string): AsyncGenerator<UserRow> {
  let cursor: string | undefined;
  do {
    const page = await pool.listUsers(userPoolId, PAGE, cursor);
    yield* page.rows;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

const asText = ({ username, status, enabled, attributes }: UserRow): string =>
  [username, attributes.email ?? '-', status, enabled ? 'enabled' : 'disabled'].join('\t');

const asJson = ({ username, sub, status, enabled, attributes, createdAtMs }: UserRow): string =>
  JSON.stringify({ username, sub, status, enabled, attributes, created_at: new Date(createdAtMs).toISOString() });

/** Prints one user a line: user name, e-mail, status, enabled; or one JSON object a line. */
export const userList: Run = async (invocation, terminal) => {
  const line = invocation.has('json') ? asJson : asText;
  return withHouse(terminal, async ({ pool, userPoolId }) => {
    for await (const user of allUsers(pool, userPoolId)) terminal.out(line(user));
    return 0;
  });
};
