import type { PoolDescription } from '@poolgate/provider';
import type { FastifyInstance } from 'fastify';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createOAuthMetadata, createPoolMetadata } from '../oauth/discovery-metadata.ts';

/**
 * Mounts the public documents of each pool under the paths of Cognito's issuers: the signing keys (RFC 7517) and the discovery documents,
 * which contain only existing endpoints.
 */
export function mountDiscovery(app: FastifyInstance, deps: GatewayDeps): void {
  const { provider } = deps;
  app.get<PoolPath>('/:userPoolId/.well-known/jwks.json', async (request, reply) => {
    const keys = await provider.signingKeys(requirePoolId(request.params));
    if (keys === undefined) throw new GatewayError('not_found');
    return reply.headers(PUBLIC_DOCUMENT).send(JSON.stringify({ keys }));
  });

  for (const path of METADATA_PATHS) {
    app.get<PoolPath>(path, async (request, reply) => {
      const poolId = requirePoolId(request.params);
      const [pool, keys] = await Promise.all([provider.describe(poolId), provider.signingKeys(poolId)]);
      if (pool === undefined || keys === undefined) throw new GatewayError('not_found');
      const document = {
        ...createPoolMetadata(pool, keys, deps.settings.baseUrl),
        ...(await readEndpointMetadata(deps, pool, request.id)),
      };
      return reply.headers(PUBLIC_DOCUMENT).send(JSON.stringify(document));
    });
  }
}

/** OpenID Connect Discovery §4, and RFC 8414 §3.1 as specified and as it is often misread. */
const METADATA_PATHS = [
  '/:userPoolId/.well-known/openid-configuration',
  '/:userPoolId/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/:userPoolId',
];

/** Only the served pool has endpoints, and only if it has a domain. */
async function readEndpointMetadata(
  { provider, settings, userPoolId }: GatewayDeps,
  pool: PoolDescription,
  requestId: string,
) {
  if (!settings.oauth || pool.userPoolId !== userPoolId) return {};
  const isOpen = await provider.extensions.oauth?.isOpen({ UserPoolId: userPoolId }, { requestId, sourceAddress: '' });
  return isOpen ? createOAuthMetadata(settings.baseUrl) : {};
}

interface PoolPath {
  Params: { readonly userPoolId: string };
}

// Readable by any page, and cached briefly enough that a new key is seen soon everywhere.
const PUBLIC_DOCUMENT = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300',
  'content-type': 'application/json; charset=utf-8',
};

// The format of a pool id in the Cognito API.
const POOL_ID = /^[\w-]{1,45}_[0-9a-zA-Z]{1,54}$/;
const MAX_POOL_ID_LENGTH = 55;

function requirePoolId({ userPoolId }: PoolPath['Params']): string {
  if (userPoolId.length > MAX_POOL_ID_LENGTH || !POOL_ID.test(userPoolId)) throw new GatewayError('not_found');
  return userPoolId;
}
