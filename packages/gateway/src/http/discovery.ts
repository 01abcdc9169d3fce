import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createOAuthMetadata, createPoolMetadata } from '../oauth/discovery-metadata.ts';
import { type RouteDeps, selectRuntime } from './mount.ts';

/**
 * Mounts the public documents of each pool under the paths of Cognito's issuers: the signing keys (RFC 7517) and the discovery documents,
 * which contain only existing endpoints.
 */
export function mountDiscovery(app: FastifyInstance, shared: RouteDeps): void {
  const { provider } = shared.runtime;
  app.get<PoolPath>('/:userPoolId/.well-known/jwks.json', SERVES_POOLS, async (request, reply) => {
    const keys = await provider.signingKeys(requirePoolId(request));
    if (keys === undefined) throw new GatewayError('not_found');
    return reply.headers(PUBLIC_DOCUMENT).send(JSON.stringify({ keys }));
  });

  for (const path of METADATA_PATHS) {
    app.get<PoolPath>(path, SERVES_POOLS, async (request, reply) => {
      const poolId = requirePoolId(request);
      const [pool, keys] = await Promise.all([provider.describe(poolId), provider.signingKeys(poolId)]);
      if (pool === undefined || keys === undefined) throw new GatewayError('not_found');
      const document = {
        ...createPoolMetadata(pool, keys, selectRuntime(shared, request).settings.baseUrl),
        ...(await readEndpointMetadata(shared, request, poolId)),
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

const SERVES_POOLS = { config: { servesPools: true } };

/** Only the served pool has endpoints, and only if it has a domain. */
async function readEndpointMetadata({ sites, runtime }: RouteDeps, request: FastifyRequest, userPoolId: string) {
  const call = { requestId: request.id, sourceAddress: '' };
  const site = request.poolRuntime ?? (await sites?.atPath(userPoolId, call));
  if (site === undefined) return {};
  const isOpen = await runtime.provider.extensions.oauth?.isOpen({ UserPoolId: userPoolId }, call);
  return isOpen ? createOAuthMetadata(`${site.settings.baseUrl}${site.site.path}`) : {};
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

/** @throws {GatewayError} not_found: not a pool id, or the id of another pool than the host's */
function requirePoolId({ params: { userPoolId }, poolRuntime }: FastifyRequest<PoolPath>): string {
  const isPoolId = userPoolId.length <= MAX_POOL_ID_LENGTH && POOL_ID.test(userPoolId);
  if (!isPoolId || (poolRuntime !== null && poolRuntime.userPoolId !== userPoolId)) throw new GatewayError('not_found');
  return userPoolId;
}
