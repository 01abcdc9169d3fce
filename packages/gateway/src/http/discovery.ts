import type { FastifyInstance } from 'fastify';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';

/**
 * Mounts the public documents of each pool, under the paths that Cognito's issuers have: the signing keys (RFC 7517)
 * and the discovery document, which names only endpoints that exist here.
 */
export function mountDiscovery(app: FastifyInstance, { provider, settings }: GatewayDeps): void {
  app.get<PoolPath>('/:userPoolId/.well-known/jwks.json', async (request, reply) => {
    const keys = await provider.signingKeys(poolIdOf(request.params));
    if (keys === undefined) throw new GatewayError('not_found');
    return reply.headers(PUBLIC_DOCUMENT).send(JSON.stringify({ keys }));
  });

  app.get<PoolPath>('/:userPoolId/.well-known/openid-configuration', async (request, reply) => {
    const pool = await provider.describe(poolIdOf(request.params));
    if (pool === undefined) throw new GatewayError('not_found');
    const document = {
      issuer: pool.issuer,
      jwks_uri: `${settings.baseUrl}/${pool.userPoolId}/.well-known/jwks.json`,
      response_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
    return reply.headers(PUBLIC_DOCUMENT).send(JSON.stringify(document));
  });
}

interface PoolPath {
  Params: { readonly userPoolId: string };
}

// Any page may read them, and short enough that a new key is seen soon everywhere.
const PUBLIC_DOCUMENT = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300',
  'content-type': 'application/json; charset=utf-8',
};

// The form of a pool id in the Cognito API.
const POOL_ID = /^[\w-]{1,45}_[0-9a-zA-Z]{1,54}$/;
const MAX_POOL_ID_LENGTH = 55;

function poolIdOf({ userPoolId }: PoolPath['Params']): string {
  if (userPoolId.length > MAX_POOL_ID_LENGTH || !POOL_ID.test(userPoolId)) throw new GatewayError('not_found');
  return userPoolId;
}
