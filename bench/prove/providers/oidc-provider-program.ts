import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

/** oidc-provider with its development pages, which accept every password. */
const { PORT = '', CLIENT_ID = '', CLIENT_SECRET = '', REDIRECT_URI = '' } = process.env;
const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  cookies: { keys: ['a-secret-for-the-proof-only-0123456789'] },
  clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [REDIRECT_URI] }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  findAccount: (_context: unknown, sub: string) => ({
    accountId: sub,
    claims: async () => ({ sub, email: sub, email_verified: true }),
  }),
});
createServer(provider.callback()).listen(Number(PORT), '127.0.0.1');
