import { OAuthError, type ProviderLinkRule } from '@poolgate/provider';
import { finishFederatedSignIn } from '../federation/federated-sign-in.ts';
import { linkFederatedAccount } from '../federation/link-account.ts';
import { toProviderAcrValues } from '../federation/provider-authentication.ts';
import { IdentityProviderError } from '../federation/provider-protocol.ts';
import {
  createSignInState,
  decryptSignInState,
  encryptSignInState,
  isIssuedState,
} from '../federation/sign-in-state.ts';
import { readClientGrants } from '../settings/client-grants.ts';
import {
  decryptProviderSecret,
  listProvidersOfClient,
  readProviderIssuer,
  requireIdentityProvider,
} from '../settings/identity-providers.ts';
import { requireClientOfPool, requirePool } from '../settings/pools-and-clients.ts';
import type { LinkRule } from '../store/pool-and-client-settings.ts';
import { createIdentityProvider, updateIdentityProvider } from './identity-provider-operations.ts';
import type { ExtensionFunctions } from './operation-table.ts';
import { listOwnIdentities, removeOwnIdentity } from './own-identity-operations.ts';
import type { PoolPorts } from './pool-ports.ts';

type Federation = ExtensionFunctions<'federation'>;

/** Sign-in with the other identity providers of a pool. */
export const federationExtension: Federation = {
  async listProviders(ports, { UserPoolId, ClientId }) {
    const owner = await requireClientOfPool(ports, UserPoolId, ClientId);
    const providers = await listProvidersOfClient(ports, owner);
    return {
      Providers: providers.map(({ name: Name, settings }) => ({ Name, Type: settings.type })),
      AdmitsLocalUsers: readClientGrants(owner.client).admitsLocalUsers,
    };
  },
  start: startSignIn,
  async isIssuedState(ports, { UserPoolId, State }) {
    return isIssuedState(ports, await requirePool(ports, UserPoolId), State);
  },
  async readReturn(ports, { UserPoolId, State: state, Cookie: cookie }) {
    return decryptSignInState(ports, UserPoolId, { state, cookie })?.return;
  },
  finish: finishFederatedSignIn,
  link: linkFederatedAccount,
  listIdentities: listOwnIdentities,
  removeIdentity: removeOwnIdentity,
  createProvider: (ports, { LinkRule, ...input }) => createIdentityProvider(ports, input, toLinkRule(LinkRule)),
  updateProvider: (ports, { LinkRule, ...input }) =>
    updateIdentityProvider(ports, input, LinkRule === null ? null : toLinkRule(LinkRule)),
  async findLinkRule(ports, { UserPoolId, ProviderName }) {
    const pool = await requirePool(ports, UserPoolId);
    const { linkRule } = (await requireIdentityProvider(ports.store, pool, ProviderName)).settings;
    return linkRule && { Attribute: linkRule.attribute, TrustedClaim: linkRule.trustedClaim };
  },
};

function toLinkRule({ Attribute: attribute, TrustedClaim: trustedClaim }: ProviderLinkRule): LinkRule {
  return { attribute, trustedClaim };
}

/** @throws {OAuthError} the client does not offer the provider, or the provider cannot be reached */
async function startSignIn(
  ports: PoolPorts,
  input: Parameters<Federation['start']>[1],
): ReturnType<Federation['start']> {
  const {
    UserPoolId,
    ProviderName,
    RedirectUri: redirectUri,
    Return,
    MustLogIn: mustLogIn,
    LoginHint: loginHint,
    Levels: levels = [],
  } = input;
  const owner = await requireClientOfPool(ports, UserPoolId, Return.ClientId);
  const offered = await listProvidersOfClient(ports, owner);
  const provider = offered.find(({ name }) => name === ProviderName);
  const { identityProviderProtocol: protocol } = ports;
  if (provider === undefined || protocol === undefined) {
    throw new OAuthError('invalid_request', 'There is no such identity provider.');
  }
  const asked = { providerName: provider.name, issuer: readProviderIssuer(provider), mustLogIn, return: Return };
  const signIn = createSignInState(ports, owner.pool, asked);
  const { type, details } = provider.settings;
  const federated = { type, details, secret: decryptProviderSecret(ports, provider) };
  try {
    const Location = await protocol.createAuthorizationUrl(
      federated,
      { ...signIn, redirectUri },
      { mustLogIn, loginHint, acrValues: toProviderAcrValues(provider.settings, levels) },
    );
    return { Location, Cookie: encryptSignInState(ports, signIn) };
  } catch (cause) {
    if (!(cause instanceof IdentityProviderError)) throw cause;
    throw new OAuthError('server_error', 'The identity provider could not be reached.', { cause });
  }
}
