/** Checks a token as an API behind the login would: with the library for Cognito's tokens and the keys of the service. */
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';

const service = process.env.POOLGATE_URL ?? 'http://localhost:3000';
const username = process.env.POOLGATE_USERNAME ?? 'demo@poolgate.test';
const password = process.env.POOLGATE_PASSWORD ?? 'Demo-Passw0rd!';

interface Parameters {
  readonly provider: { readonly user_pool_id: string; readonly client_id: string };
}

const { provider } = (await (await fetch(`${service}/login/parameters`)).json()) as Parameters;

const login = await fetch(`${service}/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username, password }),
});
if (!login.ok) throw new Error(`the login failed with status ${login.status}`);
const { access_token: accessToken } = (await login.json()) as { readonly access_token: string };

// The library asks Amazon's host for the keys. Poolgate has them under the same path.
const jwksCache = new SimpleJwksCache({
  fetcher: { fetch: async (uri) => (await fetch(`${service}${new URL(uri).pathname}`)).arrayBuffer() },
});
const verifier = CognitoJwtVerifier.create(
  { userPoolId: provider.user_pool_id, clientId: provider.client_id, tokenUse: 'access' },
  { jwksCache },
);

const claims = await verifier.verify(accessToken);
console.log(`the access token of ${claims.username} is good until ${new Date(claims.exp * 1000).toISOString()}`);
