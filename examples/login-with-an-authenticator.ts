/** Sets an authenticator up as second factor, logs in with a code of it, and switches it off again. */
import { TOTP, URI } from 'otpauth';

const service = process.env.POOLGATE_URL ?? 'http://localhost:3000';
const username = process.env.POOLGATE_USERNAME ?? 'demo@poolgate.test';
const password = process.env.POOLGATE_PASSWORD ?? 'Demo-Passw0rd!';

async function post<Body>(path: string, body: unknown, accessToken?: string): Promise<Body> {
  const answer = await fetch(`${service}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify(body),
  });
  const parsed = (await answer.json()) as Body & { readonly code?: string; readonly detail?: string };
  if (!answer.ok) throw new Error(`${parsed.code}: ${parsed.detail}`);
  return parsed;
}

interface Tokens {
  readonly access_token: string;
}

interface Challenge {
  readonly challenge_name: string;
  readonly session: string;
}

const { access_token: accessToken } = await post<Tokens>('/login', { username, password });

// `SecretCodeQR` is an image for the application to scan; here `TotpUri`, which it shows, is read in its place.
const { TotpUri } = await post<{ readonly TotpUri: string }>('/user/mfa/activate', {}, accessToken);
const authenticator = new TOTP({ secret: URI.parse(TotpUri).secret });
await post('/user/mfa/verify', { code: authenticator.generate(), device_name: 'Example' }, accessToken);

const { challenge_name, session } = await post<Challenge>('/login', { username, password });

// The code that proved the authenticator is used up. The next one is good already: clocks may differ by one step.
const code = authenticator.generate({ timestamp: Date.now() + authenticator.period * 1000 });
const tokens = await post<Tokens>('/challenge', { challenge_name, session, username, challenge_value: code });
console.log(`${username} is logged in after ${challenge_name}`);

await post('/user/mfa/deactivate', {}, tokens.access_token);
