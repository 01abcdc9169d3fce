import { constants, generateKeyPairSync, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { fastify } from 'fastify';

/**
 * The minimum of a Fastify service that issues a token to a machine: one RS256 signature with 2048 bits, over as many claims as Poolgate's.
 * It knows no clients and stores nothing.
 */
const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const signed = promisify<string, { key: typeof key; padding: number }, string, Buffer>(
  (algorithm, options, text, done) => sign(algorithm, Buffer.from(text), options, done),
);
const HEADER = Buffer.from(JSON.stringify({ kid: 'k'.repeat(44), alg: 'RS256' })).toString('base64url');
const CLAIMS = {
  sub: 's'.repeat(26),
  token_use: 'access',
  scope: 'things/read',
  version: 2,
  client_id: 's'.repeat(26),
};

const app = fastify();
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(String(body)))),
);
app.get('/readyz', async () => ({ status: 'ok' }));
app.post('/oauth2/token', async () => {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { ...CLAIMS, iss: 'i'.repeat(60), auth_time: iat, exp: iat + 3_600, iat, jti: crypto.randomUUID() };
  const content = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const signature = await signed('RSA-SHA256', { key, padding: constants.RSA_PKCS1_PADDING }, content);
  return { access_token: `${content}.${signature.toString('base64url')}`, expires_in: 3_600, token_type: 'Bearer' };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
