/** An API that lets in whoever has an access token of the user pool, and lets members of a group change things. */
import { createServer, type IncomingMessage } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const poolgate = process.env.POOLGATE_URL ?? 'http://localhost:3000';

interface Parameters {
  readonly provider: { readonly user_pool_id: string; readonly client_id: string };
}

const parameters = (await (await fetch(`${poolgate}/login/parameters`)).json()) as Parameters;
const { user_pool_id: poolId, client_id: clientId } = parameters.provider;
const discovered = await fetch(`${poolgate}/${poolId}/.well-known/openid-configuration`);
const { issuer } = (await discovered.json()) as { readonly issuer: string };
const keys = createRemoteJWKSet(new URL(`${poolgate}/${poolId}/.well-known/jwks.json`));

/** The user of a request; undefined where it carries no good access token. */
async function userOf(request: IncomingMessage) {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined) return undefined;
  try {
    const { payload } = await jwtVerify(token, keys, { issuer, algorithms: ['RS256'] });
    // An ID token is signed by the same pool. It says who somebody is; it opens nothing.
    if (payload.token_use !== 'access' || payload.client_id !== clientId) return undefined;
    const groups = Array.isArray(payload['cognito:groups']) ? payload['cognito:groups'] : [];
    return { sub: payload.sub, groups };
  } catch {
    return undefined;
  }
}

const server = createServer(async (request, response) => {
  const user = await userOf(request);
  if (user === undefined) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  } else if (request.method !== 'GET' && !user.groups.includes('editors')) {
    response.writeHead(403).end();
  } else {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(user));
  }
});

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
