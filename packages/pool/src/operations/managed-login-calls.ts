import type { CallContext } from '@poolgate/provider';
import { readManagedLoginPoolId } from '../settings/managed-login-client.ts';
import { clientNotFoundError } from '../settings/pools-and-clients.ts';

type Operation = (input: object, call: CallContext) => Promise<unknown>;

/**
 * Hides managed login clients from every call that does not come from the service's own routes. Anyone can derive their ids, and a pool
 * whose app clients all have secrets must not get a public client at the API.
 */
export function withoutManagedLoginClients<Functions extends object>(functions: Functions): Functions {
  const guarded = Object.entries(functions).map(([name, operation]: [string, Operation]) => [
    name,
    async (input: { readonly ClientId?: unknown }, call: CallContext): Promise<unknown> => {
      const { ClientId: clientId } = input;
      if (
        typeof clientId === 'string' &&
        call.entryPoint !== 'routes' &&
        readManagedLoginPoolId(clientId) !== undefined
      )
        throw clientNotFoundError(clientId);
      return operation(input, call);
    },
  ]);
  return Object.fromEntries(guarded) as Functions;
}
