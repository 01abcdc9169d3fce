import type { ROUTES, Static } from '@poolgate/contract';
import type { CallContext, ClientExtensions, IdentityProvider, Output } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import {
  type ClientChanges,
  type ClientDescription,
  createClientInput,
  createClientUpdate,
  type NewClient,
} from './client-settings.ts';

/** App client settings that Cognito does not have, with the names of routes and commands. */
export type ClientExtensionsBody = NonNullable<Static<(typeof ROUTES)['adminClientUpdate']['body']>['extensions']>;

interface ClientIds {
  readonly UserPoolId: string;
  readonly ClientId: string;
}

/**
 * Creates an app client, including settings that Cognito does not have. A refused client is not created.
 * @throws {GatewayError} `feature_disabled`: the provider has none of these settings
 * @throws {ProviderError} the provider refuses a setting
 */
export async function createAppClient(
  { operations, extensions: { client_extensions } }: IdentityProvider,
  userPoolId: string,
  { extensions, ...given }: NewClient,
  call: CallContext,
): Promise<Output<'CreateUserPoolClient'>> {
  const input = createClientInput(userPoolId, given);
  if (extensions === undefined) return operations.createUserPoolClient(input, call);
  if (client_extensions === undefined) throw new GatewayError('feature_disabled');
  return client_extensions.create({ ...input, Change: renameKeys(extensions, toCamelCase) }, call);
}

const toCamelCase = (name: string) => name.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());

/**
 * Changes an app client, including settings that Cognito does not have. A refused change has no effect.
 * @param before the client as the provider describes it
 * @throws {GatewayError} `feature_disabled`: the provider has none of these settings
 * @throws {ProviderError} the provider refuses a setting
 */
export async function updateAppClient(
  { operations, extensions: { client_extensions } }: IdentityProvider,
  before: ClientDescription & ClientIds,
  { extensions, ...changes }: ClientChanges,
  call: CallContext,
): Promise<void> {
  const { UserPoolId, ClientId, ...Client } = createClientUpdate(before, changes);
  const ids = { UserPoolId, ClientId };
  if (extensions === undefined) {
    await operations.updateUserPoolClient({ ...ids, ...Client }, call);
    return;
  }
  if (client_extensions === undefined) throw new GatewayError('feature_disabled');
  const hasChanges = Object.keys(changes).length > 0;
  await client_extensions.update(
    { ...ids, Change: renameKeys(extensions, toCamelCase), ...(hasChanges && { Client }) },
    call,
  );
}

/** Returns those of the settings that are set. */
export async function presentClientExtensions(
  { extensions: { client_extensions } }: IdentityProvider,
  ids: ClientIds,
  call: CallContext,
): Promise<ClientExtensionsBody> {
  const extensions: ClientExtensions = (await client_extensions?.describe(ids, call)) ?? {};
  return renameKeys(extensions, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function renameKeys(object: object, rename: (name: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));
}
