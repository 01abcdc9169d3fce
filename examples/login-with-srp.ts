/** Logs in by the routes with SRP: the password stays in this process, and nothing that stands for it is sent. */
import {
  bigIntEngine as engine,
  formatTimestamp,
  fromBase64,
  hashPassword,
  secureRandom,
  signPasswordClaim,
  startClient,
} from '@poolgate/srp';

const service = process.env.POOLGATE_URL ?? 'http://localhost:3000';
const username = process.env.POOLGATE_USERNAME ?? 'demo@poolgate.test';
const password = process.env.POOLGATE_PASSWORD ?? 'Demo-Passw0rd!';

async function ask<Body>(path: string, body?: unknown): Promise<Body> {
  const answer = await fetch(`${service}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed = (await answer.json()) as Body & { readonly code?: string; readonly detail?: string };
  if (!answer.ok) throw new Error(`${parsed.code}: ${parsed.detail}`);
  return parsed;
}

interface Challenge {
  readonly session: string;
  readonly challenge_params: Readonly<Record<'SALT' | 'SECRET_BLOCK' | 'SRP_B' | 'USER_ID_FOR_SRP', string>>;
}

const parameters = await ask<{ readonly pool_name: string }>('/login/parameters');
const poolName = new TextDecoder().decode(fromBase64(parameters.pool_name, 'pool_name'));

const start = startClient({ engine, random: secureRandom });
const challenge = await ask<Challenge>('/login/srp', { username, srp_a: start.srpAHex });

const { SALT, SECRET_BLOCK, SRP_B, USER_ID_FOR_SRP } = challenge.challenge_params;
const identity = { poolName, userIdForSrp: USER_ID_FOR_SRP };
const timestamp = formatTimestamp(Date.now());
const signature = signPasswordClaim({
  engine,
  ...start,
  saltHex: SALT,
  srpBHex: SRP_B,
  passwordHash: hashPassword(engine, identity, password),
  identity,
  secretBlockB64: SECRET_BLOCK,
  timestamp,
});

interface Outcome {
  readonly status: 'success' | 'challenge';
  readonly challenge_name?: string;
}

const outcome = await ask<Outcome>('/login/auth-challenge', {
  challenge_name: 'PASSWORD_VERIFIER',
  session: challenge.session,
  username,
  challenge_value: {
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: signature,
    TIMESTAMP: timestamp,
  },
});
console.log(outcome.status === 'success' ? `${username} is logged in` : `next: ${outcome.challenge_name}`);
