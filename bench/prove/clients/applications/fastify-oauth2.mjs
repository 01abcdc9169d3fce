// biome-ignore-all lint/correctness/noUndeclaredDependencies: they are installed only for the proof
import cookie from '@fastify/cookie';
import oauth from '@fastify/oauth2';
import fastify from 'fastify';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APPLICATION, PORT } = process.env;
const app = fastify();
/** This example serves one browser. */
const kept = {};
await app.register(cookie);
await app.register(oauth.default ?? oauth, {
  name: 'poolgate',
  scope: ['openid', 'email'],
  credentials: { client: { id: CLIENT_ID, secret: CLIENT_SECRET } },
  startRedirectPath: '/sign-in',
  callbackUri: `${APPLICATION}/callback`,
  discovery: { issuer: ISSUER },
  pkce: 'S256',
});
const showUser = async () => app.poolgate.userinfo(kept.token);
app.get('/callback', async (request, reply) => {
  const { token } = await app.poolgate.getAccessTokenFromAuthorizationCodeFlow(request, reply);
  kept.token = token;
  return reply.redirect('/');
});
app.get('/renew', async () => {
  const { token } = await app.poolgate.getNewAccessTokenUsingRefreshToken(kept.token, {});
  // Without rotation, the answer has no refresh token.
  kept.token = { ...token, refresh_token: token.refresh_token ?? kept.token.refresh_token };
  return showUser();
});
app.get('/sign-out', async (_request, reply) => {
  await app.poolgate.revokeAllToken(kept.token, undefined);
  kept.token = undefined;
  const { end_session_endpoint: end } = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json();
  const query = new URLSearchParams({ client_id: CLIENT_ID, post_logout_redirect_uri: `${APPLICATION}/` });
  return reply.redirect(`${end}?${query}`);
});
app.get('/', async () => (kept.token === undefined ? 'signed out' : showUser()));
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
