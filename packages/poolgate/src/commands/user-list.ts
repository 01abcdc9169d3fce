import type { IdentityProvider, Output } from '@poolgate/provider';
import type { Run } from './command.ts';
import { printList } from './listing.ts';
import { OPERATOR_CALL } from './operator-call.ts';
import { withReadableErrors } from './provider-errors.ts';
import { withContainer } from './with-container.ts';

/** The most that Cognito gives in one page. */
const PAGE = 60;

type ListedUser = NonNullable<Output<'ListUsers'>['Users']>[number];

async function* allUsers({ operations }: IdentityProvider, userPoolId: string): AsyncGenerator<ListedUser> {
  let place: string | undefined;
  do {
    const next = place === undefined ? {} : { PaginationToken: place };
    const page = await withReadableErrors(
      operations.listUsers({ UserPoolId: userPoolId, Limit: PAGE, ...next }, OPERATOR_CALL),
    );
    yield* page.Users ?? [];
    place = page.PaginationToken;
  } while (place !== undefined);
}

function facts({ Username, Attributes = [], UserStatus, Enabled, UserCreateDate }: ListedUser) {
  const { sub, ...attributes }: Record<string, string> = Object.fromEntries(
    Attributes.map(({ Name, Value = '' }) => [Name, Value]),
  );
  const createdAt = UserCreateDate === undefined ? null : new Date(UserCreateDate * 1000).toISOString();
  return { username: Username, sub, status: UserStatus, enabled: Enabled, attributes, created_at: createdAt };
}

function cells(user: ListedUser): readonly (string | undefined)[] {
  const { username, status, enabled, attributes } = facts(user);
  return [username, attributes.email ?? '-', status, enabled ? 'enabled' : 'disabled'];
}

const COLUMNS = ['USERNAME', 'EMAIL', 'STATUS', 'ENABLED'] as const;

/** Prints one user a line, or one JSON object a line. */
export const userList: Run = async (invocation, terminal) =>
  withContainer(terminal, async ({ provider, userPoolId }) => {
    const rows = allUsers(provider, userPoolId);
    await printList({ columns: COLUMNS, empty: 'There are no users.', rows, cells, facts }, invocation, terminal);
    return 0;
  });
