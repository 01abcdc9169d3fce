import type { CheckedIdentityProvider } from '@poolgate/pool';
import type { Container } from '../../container/container.ts';
import { createFault, createOkFinding, createWarning, type Finding } from '../findings/finding.ts';

const RESPONSE_PATH = '/oauth2/idpresponse';

const PROBLEMS: Readonly<Record<NonNullable<CheckedIdentityProvider['problem']>, readonly [string, string]>> = {
  discovery: [
    'does not publish usable endpoints',
    'Check oidc_issuer, that this machine can connect to it, and POOLGATE_FEDERATION_PRIVATE for a private address.',
  ],
  keys: ['publishes no keys, so no sign-in can be verified', 'Check jwks_uri, or the keys of the provider.'],
  client: ['does not know the client of this service', 'Check client_id, and that the client may use the code flow.'],
};

/** Whether users can sign in with the identity providers of every pool. */
export async function checkIdentityProviders(
  { backend, configuration: { settings } }: Pick<Container, 'backend' | 'configuration'>,
  servedPoolId: string,
): Promise<readonly Finding[]> {
  const base = settings.baseUrl ?? `http://localhost:${settings.port}`;
  const toRedirectUri = (id: string) => `${base}${id === servedPoolId ? '' : `/${id}`}${RESPONSE_PATH}`;
  const checked = (await backend.embedded?.pool.checkIdentityProviders(toRedirectUri)) ?? [];
  if (checked.length === 0) return [createOkFinding('No pool has other identity providers.')];
  return checked.map(toFinding);
}

function toFinding({ userPoolId, name, problem, redirectAddress, redirectUri }: CheckedIdentityProvider): Finding {
  const which = `The identity provider ${name} of the pool ${userPoolId}`;
  if (problem !== undefined) {
    const [what, advice] = PROBLEMS[problem];
    return createFault(`${which} ${what}.`, advice);
  }
  if (redirectAddress === 'refused') {
    return createFault(
      `${which} refuses the redirect address ${redirectUri}.`,
      'Register exactly this address at the provider, and check client_id.',
    );
  }
  if (redirectAddress === 'accepted')
    return createOkFinding(`${which} works with the redirect address ${redirectUri}.`);
  return createWarning(
    `${which} can be reached, but does not tell whether it accepts the redirect address ${redirectUri}.`,
    'Make sure that exactly this address is registered at the provider.',
  );
}
