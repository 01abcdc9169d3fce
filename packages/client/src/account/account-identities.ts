import type { RouteResponse } from '../transport/routes.ts';
import { type AccountDependencies, type ChangeOutcome, dropLoginIfEnded } from './account-requests.ts';

type IdentityList = RouteResponse<'identityList'>;

/** An account at another identity provider with which the user can sign in. */
export type ConnectedIdentity = IdentityList['identities'][number];

/** A provider of which an account can be connected. */
export type IdentityProviderOffer = IdentityList['providers'][number];

/** The user's connected accounts. Changes require a recent login; otherwise they fail with `reauthentication_required`. */
export interface Identities {
  /** Lists the connected accounts, and the providers to connect. @throws {PoolgateError} */
  list(): Promise<{
    readonly identities: readonly ConnectedIdentity[];
    readonly providers: readonly IdentityProviderOffer[];
  }>;
  /** Disconnects an account and ends the user's other sessions. @throws {PoolgateError} `identity_not_found`, `last_way_in` */
  disconnect(id: string): Promise<ChangeOutcome>;
}

/** The connected accounts of a browser session. */
export interface SessionIdentities extends Identities {
  /**
   * Starts to connect an account. Load the returned address, where the user signs in. The browser then returns to `returnTo`, by default the
   * account page, with the result in `provider_result`.
   * @throws {PoolgateError} `identity_provider_not_found`
   */
  connect(provider: string, returnTo?: string): Promise<string>;
  /**
   * Starts to sign in again at the user's provider, for operations that require a recent login. Load the returned address.
   * @throws {PoolgateError} `identity_provider_not_found`
   */
  reauthenticate(provider: string, returnTo?: string): Promise<string>;
}

/** Creates the methods for connected accounts. */
export function createIdentities(dependencies: AccountDependencies): SessionIdentities {
  const { transport } = dependencies;
  const start = async (route: 'webIdentityStart' | 'webStepUpProvider', provider: string, returnTo?: string) => {
    const body = { provider, ...(returnTo !== undefined && { return_to: returnTo }) };
    return (await transport.send(route, { body })).location;
  };
  return {
    async list() {
      const { identities, providers } = await transport.send('identityList');
      return { identities, providers };
    },
    connect: (provider, returnTo) => start('webIdentityStart', provider, returnTo),
    reauthenticate: (provider, returnTo) => start('webStepUpProvider', provider, returnTo),
    async disconnect(id) {
      return dropLoginIfEnded(dependencies, await transport.send('identityRemove', { params: { id } }));
    },
  };
}
