import type { IdentityProvider, Output } from '@poolgate/provider';
import type { Invocation, RunCommand } from '../command-line/command.ts';
import { UsageError } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { printList } from './print-list.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

/** Cognito's maximum page size. */
const PAGE = 50;

type ResourceServer = Output<'ListResourceServers'>['ResourceServers'][number];
type Scope = NonNullable<ResourceServer['Scopes']>[number];

function parseScope(text: string): Scope {
  const [, ScopeName, ScopeDescription = ScopeName] = /^([^=/\s]+)(?:=(.+))?$/.exec(text) ?? [];
  if (ScopeName === undefined || ScopeDescription === undefined) {
    throw new UsageError('--scope must have the form name or name=description, without a slash in the name');
  }
  return { ScopeName, ScopeDescription };
}

/** No scope if the only one is empty. */
function parseScopes(invocation: Invocation): readonly Scope[] {
  return invocation
    .values('scope')
    .filter((text) => text !== '')
    .map(parseScope);
}

/** Creates a resource server. */
export const runResourceServerCreate: RunCommand = async (invocation, terminal) => {
  const [Identifier = ''] = invocation.operands;
  const [Name = Identifier.replace(/[^\w\s+=,.@-]/g, '-')] = invocation.values('name');
  const Scopes = parseScopes(invocation);
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const input = { UserPoolId, Identifier, Name, Scopes };
    await translateProviderErrors(provider.operations.createResourceServer(input, OPERATOR_CALL_CONTEXT));
    terminal.out(`created ${Identifier}`);
    for (const { ScopeName } of Scopes) terminal.out(`scope: ${Identifier}/${ScopeName}`);
    return 0;
  });
};

/** Changes a resource server. Omitted settings stay unchanged. */
export const runResourceServerUpdate: RunCommand = async (invocation, terminal) => {
  const [Identifier = ''] = invocation.operands;
  const [name] = invocation.values('name');
  const scopes = invocation.has('scope') ? parseScopes(invocation) : undefined;
  if (name === undefined && scopes === undefined) throw new UsageError('name --name or --scope');
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const ids = { UserPoolId, Identifier };
    const { ResourceServer: before } = await translateProviderErrors(
      provider.operations.describeResourceServer(ids, OPERATOR_CALL_CONTEXT),
    );
    const input = { ...ids, Name: name ?? before.Name ?? '', Scopes: scopes ?? before.Scopes ?? [] };
    await translateProviderErrors(provider.operations.updateResourceServer(input, OPERATOR_CALL_CONTEXT));
    terminal.out(`changed ${Identifier}`);
    return 0;
  });
};

/** Deletes a resource server. */
export const runResourceServerDelete: RunCommand = async (invocation, terminal) => {
  const [Identifier = ''] = invocation.operands;
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    await translateProviderErrors(
      provider.operations.deleteResourceServer({ UserPoolId, Identifier }, OPERATOR_CALL_CONTEXT),
    );
    terminal.out(`deleted ${Identifier}`);
    return 0;
  });
};

async function* listAllServers({ operations }: IdentityProvider, UserPoolId: string): AsyncGenerator<ResourceServer> {
  let place: string | undefined;
  do {
    const next = place === undefined ? {} : { NextToken: place };
    const page = await translateProviderErrors(
      operations.listResourceServers({ UserPoolId, MaxResults: PAGE, ...next }, OPERATOR_CALL_CONTEXT),
    );
    yield* page.ResourceServers;
    place = page.NextToken;
  } while (place !== undefined);
}

function toJsonFields({ Identifier, Name, Scopes = [] }: ResourceServer) {
  const scopes = Scopes.map(({ ScopeName, ScopeDescription }) => ({
    scope_name: ScopeName,
    description: ScopeDescription,
  }));
  return { identifier: Identifier, name: Name, scopes };
}

/** Prints one resource server a line, or one JSON object a line. */
export const runResourceServerList: RunCommand = async (invocation, terminal) =>
  withPool(invocation, terminal, async ({ provider, userPoolId }) => {
    const list = {
      columns: ['IDENTIFIER', 'NAME', 'SCOPES'],
      empty: 'The pool has no resource servers. Create one: poolgate resource-server create <identifier>',
      rows: listAllServers(provider, userPoolId),
      cells: ({ Identifier, Name, Scopes = [] }: ResourceServer) => [
        Identifier,
        Name,
        Scopes.map(({ ScopeName }) => ScopeName).join(' ') || '-',
      ],
      facts: toJsonFields,
    };
    await printList(list, invocation, terminal);
    return 0;
  });
