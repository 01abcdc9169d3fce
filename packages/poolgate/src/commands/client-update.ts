import { type ClientChanges, presentClient, updateAppClient } from '@poolgate/gateway';
import type { CallContext, IdentityProvider } from '@poolgate/provider';
import type { Invocation, RunCommand } from '../command-line/command.ts';
import { UsageError } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { parseClientOptions } from './client-options.ts';
import { printClient } from './print-client.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

interface ClientIds {
  readonly UserPoolId: string;
  readonly ClientId: string;
}

/** Changes an app client's settings and secrets. A new secret is printed only once. */
export const runClientUpdate: RunCommand = async (invocation, terminal) => {
  const [ClientId = ''] = invocation.operands;
  const changes = parseChanges(invocation);
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const ids = { UserPoolId, ClientId };
    const work = updateClient(provider, ids, changes, invocation, OPERATOR_CALL_CONTEXT);
    const { client, secret } = await translateProviderErrors(work);
    printClient(client, secret, invocation, terminal);
    return 0;
  });
};

function parseChanges(invocation: Invocation): ClientChanges {
  const [client_name] = invocation.values('name');
  const extensions = parseExtensions(invocation);
  const more = { ...(client_name !== undefined && { client_name }), ...(extensions && { extensions }) };
  const changes = parseClientOptions<ClientChanges>('changed', invocation, more);
  const hasSecretChange = invocation.has('add-secret') || invocation.has('remove-secret');
  if (Object.keys(changes).length === 0 && !hasSecretChange) {
    throw new UsageError('name a setting to change; see poolgate client update --help');
  }
  return changes;
}

/** The settings of `--set`; undefined for none. */
function parseExtensions(invocation: Invocation): Readonly<Record<string, unknown>> | undefined {
  const pairs = invocation.values('set').map((text) => {
    const [, name, value = ''] = /^(\w+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined)
      throw new UsageError('--set must be a setting and its value, e.g. --set jwks_uri=https://…');
    return [name, parseJsonOrText(value)] as const;
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The old secret is removed first, so that a client with two secrets can replace one in a single step. */
async function updateClient(
  provider: IdentityProvider,
  ids: ClientIds,
  changes: ClientChanges,
  invocation: Invocation,
  call: CallContext,
) {
  const { operations } = provider;
  const { UserPoolClient: before = {} } = await operations.describeUserPoolClient(ids, call);
  if (Object.keys(changes).length > 0) await updateAppClient(provider, { ...before, ...ids }, changes, call);
  for (const ClientSecretId of invocation.values('remove-secret')) {
    await operations.deleteUserPoolClientSecret({ ...ids, ClientSecretId }, call);
  }
  const added = invocation.has('add-secret') ? await operations.addUserPoolClientSecret(ids, call) : undefined;
  const { UserPoolClient: after } = await operations.describeUserPoolClient(ids, call);
  return {
    client: await presentClient(provider, after, call),
    secret: added?.ClientSecretDescriptor?.ClientSecretValue,
  };
}
