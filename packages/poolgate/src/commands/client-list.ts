import type { IdentityProvider, Output } from '@poolgate/provider';
import type { RunCommand } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { printList } from './print-list.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

/** Cognito's maximum page size. */
const PAGE = 60;

type ListedClient = NonNullable<Output<'ListUserPoolClients'>['UserPoolClients']>[number];

async function* listAllClients({ operations }: IdentityProvider, userPoolId: string): AsyncGenerator<ListedClient> {
  let place: string | undefined;
  do {
    const next = place === undefined ? {} : { NextToken: place };
    const page = await translateProviderErrors(
      operations.listUserPoolClients({ UserPoolId: userPoolId, MaxResults: PAGE, ...next }, OPERATOR_CALL_CONTEXT),
    );
    yield* page.UserPoolClients ?? [];
    place = page.NextToken;
  } while (place !== undefined);
}

/** Prints one app client a line, or one JSON object a line. */
export const runClientList: RunCommand = async (invocation, terminal) =>
  withPool(invocation, terminal, async ({ provider, userPoolId }) => {
    const list = {
      columns: ['CLIENT ID', 'NAME'],
      empty: 'The pool has no app clients. Create one: poolgate client create <name> --callback <url>',
      rows: listAllClients(provider, userPoolId),
      cells: ({ ClientId, ClientName }: ListedClient) => [ClientId, ClientName],
      facts: ({ ClientId, ClientName }: ListedClient) => ({ client_id: ClientId, client_name: ClientName }),
    };
    await printList(list, invocation, terminal);
    return 0;
  });
