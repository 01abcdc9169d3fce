// biome-ignore-all lint/correctness/noUndeclaredDependencies: they are installed only for the proof
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import { genericOAuth } from 'better-auth/plugins';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APPLICATION, PORT } = process.env;
const auth = betterAuth({
  baseURL: APPLICATION,
  secret: 'a secret of the application, long enough',
  telemetry: { enabled: false },
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'poolgate',
          discoveryUrl: `${ISSUER}/.well-known/openid-configuration`,
          issuer: ISSUER,
          requireIssuerValidation: true,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          scopes: ['openid', 'email', 'profile'],
          pkce: true,
          mapProfileToUser: ({ email }) => ({ name: email }),
        },
      ],
    }),
  ],
});
const handle = toNodeHandler(auth);
createServer((request, response) => {
  if (request.url?.startsWith('/api/auth/')) void handle(request, response);
  else response.end('signed in or out');
}).listen(Number(PORT), '127.0.0.1');
