/** Registers a device, logs in on it by its own proof, which stands in for a second factor, and removes it again. */
import {
  deviceIdentity,
  bigIntEngine as engine,
  formatTimestamp,
  hashPassword,
  makeDeviceVerifier,
  secureRandom,
  signPasswordClaim,
  startClient,
} from '@poolgate/srp';

const service = process.env.POOLGATE_URL ?? 'http://localhost:3000';
const username = process.env.POOLGATE_USERNAME ?? 'demo@poolgate.test';
const password = process.env.POOLGATE_PASSWORD ?? 'Demo-Passw0rd!';

async function ask<Body>(method: string, path: string, body?: unknown, accessToken?: string): Promise<Body> {
  const answer = await fetch(`${service}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed = (await answer.json()) as Body & { readonly code?: string; readonly detail?: string };
  if (!answer.ok) throw new Error(`${parsed.code}: ${parsed.detail}`);
  return parsed;
}

interface Tokens {
  readonly access_token: string;
  readonly new_device_metadata: { readonly device_key: string; readonly device_group_key: string };
}

interface Challenge<Parameter extends string = never> {
  readonly session: string;
  readonly challenge_params: Readonly<Record<Parameter, string>>;
}

// The first login on this device: the answer has a key for it. The device draws a secret and sends only its verifier.
const first = await ask<Tokens>('POST', '/login', { username, password });
const { device_key: deviceKey, device_group_key: deviceGroupKey } = first.new_device_metadata;
const device = { deviceGroupKey, deviceKey };
const { config, devicePassword } = makeDeviceVerifier({ engine, device, random: secureRandom });
const registration = {
  device_key: deviceKey,
  device_name: 'Example',
  device_config: JSON.stringify({ DeviceSecretVerifierConfig: config }),
};
await ask('POST', '/device', registration, first.access_token);
await ask('PUT', `/device/${deviceKey}`, { remembered_status: true }, first.access_token);

// From now on: keep device key, group key and `devicePassword` on the device, and name the key at each login.
const asked = await ask<Challenge>('POST', '/login', { username, password, device_key: deviceKey });
const start = startClient({ engine, random: secureRandom });
const challenge = await ask<Challenge<'SALT' | 'SECRET_BLOCK' | 'SRP_B'>>('POST', '/login/auth-challenge', {
  challenge_name: 'DEVICE_SRP_AUTH',
  session: asked.session,
  username,
  challenge_value: { DEVICE_KEY: deviceKey, SRP_A: start.srpAHex },
});

const { SALT, SECRET_BLOCK, SRP_B } = challenge.challenge_params;
const identity = deviceIdentity(device);
const timestamp = formatTimestamp(Date.now());
const signature = signPasswordClaim({
  engine,
  ...start,
  saltHex: SALT,
  srpBHex: SRP_B,
  passwordHash: hashPassword(engine, identity, devicePassword),
  identity,
  secretBlockB64: SECRET_BLOCK,
  timestamp,
});
const { access_token: accessToken } = await ask<Tokens>('POST', '/login/auth-challenge', {
  challenge_name: 'DEVICE_PASSWORD_VERIFIER',
  session: challenge.session,
  username,
  challenge_value: {
    DEVICE_KEY: deviceKey,
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: signature,
    TIMESTAMP: timestamp,
  },
});
console.log(`${username} is logged in on ${deviceKey}`);

await ask('DELETE', `/device/${deviceKey}`, undefined, accessToken);
