/**
 * Starts the service inside another program, with hooks: users of an older system move in at their first login, tokens carry
 * a claim of the application, and every event is printed. Then it logs one of the older users in, and ends.
 */
import { scryptSync, timingSafeEqual } from 'node:crypto';
import { start } from 'poolgate';

/** What the older system knows: a user, and a digest of the password. */
const SALT = 'a salt of the older system';
const digest = (password: string): Buffer => scryptSync(password, SALT, 32);
const OLDER_USERS = new Map([
  ['grace@example.com', { name: 'Grace', tenant: 'navy', digest: digest('Older-Horse-1906') }],
]);

const service = await start({
  databaseUrl: 'sqlite::memory:',
  port: 0,
  // A login by SRP keeps the password from the service, and so from the hook too.
  loginFlow: 'password',
  onEvent: ({ type, outcome, user }) =>
    console.log(`event ${type} (${outcome}) ${user === null ? '' : 'of a user'}`.trim()),
  claims: ({ attributes }) => ({ access: { tenant: OLDER_USERS.get(attributes.email ?? '')?.tenant ?? 'public' } }),
  migrate: async ({ username, password }) => {
    const older = OLDER_USERS.get(username);
    // The work is the same for names that nobody has.
    const isRight = timingSafeEqual(digest(password), older?.digest ?? digest(''));
    if (older === undefined || !isRight) return undefined;
    return { attributes: { email: username, email_verified: 'true', name: older.name } };
  },
});

const login = await fetch(`${service.url}/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'grace@example.com', password: 'Older-Horse-1906' }),
});
if (!login.ok) throw new Error(`the login failed with status ${login.status}`);
const { access_token: accessToken } = (await login.json()) as { readonly access_token: string };
const [, payload = ''] = accessToken.split('.');
const { tenant } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly tenant: string };
console.log(`grace@example.com moved in, and belongs to ${tenant}`);

await service.close();
