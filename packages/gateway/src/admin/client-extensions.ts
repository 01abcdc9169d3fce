import type { ROUTES, Static } from '@poolgate/contract';
import type { CallContext, ClientExtensions, IdentityProvider } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';

/** Settings of an app client that Cognito does not have, as routes and commands name them. */
export type ClientExtensionsBody = NonNullable<Static<(typeof ROUTES)['adminClientUpdate']['body']>['extensions']>;

interface ClientIds {
  readonly UserPoolId: string;
  readonly ClientId: string;
}

/**
 * Changes settings of an app client that Cognito does not have.
 * @throws {GatewayError} feature_disabled: the provider has none
 */
export async function changeClientExtensions(
  { extensions: { client_extensions } }: IdentityProvider,
  ids: ClientIds,
  change: Readonly<Record<string, unknown>>,
  call: CallContext,
): Promise<void> {
  if (client_extensions === undefined) throw new GatewayError('feature_disabled');
  const Change = renameKeys(change, (name) => name.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase()));
  await client_extensions.update({ ...ids, Change }, call);
}

/** Those settings that are set. */
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
