import type { IdentityProvider, Output } from '@poolgate/provider';
import type { RunCommand } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { printList } from './print-list.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

/** Cognito's maximum page size. */
const PAGE = 60;

type ListedUser = NonNullable<Output<'ListUsers'>['Users']>[number];

async function* listAllUsers({ operations }: IdentityProvider, userPoolId: string): AsyncGenerator<ListedUser> {
  let place: string | undefined;
  do {
    const next = place === undefined ? {} : { PaginationToken: place };
    const page = await translateProviderErrors(
      operations.listUsers({ UserPoolId: userPoolId, Limit: PAGE, ...next }, OPERATOR_CALL_CONTEXT),
    );
    yield* page.Users ?? [];
    place = page.PaginationToken;
  } while (place !== undefined);
}

function toJsonFields({ Username, Attributes = [], UserStatus, Enabled, UserCreateDate }: ListedUser) {
  const { sub, ...attributes }: Record<string, string> = Object.fromEntries(
    Attributes.map(({ Name, Value = '' }) => [Name, Value]),
  );
  const createdAt = UserCreateDate === undefined ? null : new Date(UserCreateDate * 1000).toISOString();
  return { username: Username, sub, status: UserStatus, enabled: Enabled, attributes, created_at: createdAt };
}

function toTableCells(user: ListedUser): readonly (string | undefined)[] {
  const { username, status, enabled, attributes } = toJsonFields(user);
  return [username, attributes.email ?? '-', status, enabled ? 'enabled' : 'disabled'];
}

const COLUMNS = ['USERNAME', 'EMAIL', 'STATUS', 'ENABLED'] as const;

/** Prints one user a line, or one JSON object a line. */
export const runUserList: RunCommand = async (invocation, terminal) =>
  withPool(invocation, terminal, async ({ provider, userPoolId }) => {
    const rows = listAllUsers(provider, userPoolId);
    await printList(
      { columns: COLUMNS, empty: 'There are no users.', rows, cells: toTableCells, facts: toJsonFields },
      invocation,
      terminal,
    );
    return 0;
  });
