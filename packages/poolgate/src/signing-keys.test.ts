import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEMO_USER, StartError, type StartOptions, start } from './index.ts';

const key = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const SIGNING_KEYS = {
  access: key().export({ format: 'jwk' }),
  id: String(key().export({ format: 'pem', type: 'pkcs8' })),
};
const SECRET = 'a-production-secret-of-forty-characters!';
const OPTIONS: StartOptions = { databaseUrl: 'sqlite::memory:', port: 0, signingKeys: SIGNING_KEYS };

interface Jwks {
  readonly keys: readonly { readonly kid: string; readonly n: string }[];
}

async function fetchJwks(options: StartOptions): Promise<{ readonly jwks: Jwks; readonly tokens: readonly string[] }> {
  const service = await start(options);
  try {
    const jwks = (await (await fetch(`${service.url}/${service.userPoolId}/.well-known/jwks.json`)).json()) as Jwks;
    const login = await fetch(`${service.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: DEMO_USER.email, password: DEMO_USER.password }),
    });
    const { access_token = '', id_token = '' } = (await login.json()) as Readonly<Record<string, string | undefined>>;
    const keys = jwks.keys.toSorted((one, other) => one.kid.localeCompare(other.kid));
    return { jwks: { keys }, tokens: [access_token, id_token] };
  } finally {
    await service.close();
  }
}

const isRefused = (message: RegExp) => (error: unknown) =>
  error instanceof StartError && error.code === 'setting_refused' && message.test(error.message);

test('supplied keys sign tokens, each kind its own, with the same IDs at every start', async () => {
  const [one, other] = await Promise.all([fetchJwks(OPTIONS), fetchJwks(OPTIONS)]);
  assert.deepEqual(one.jwks, other.jwks);
  const keys = [createPrivateKey({ key: SIGNING_KEYS.access, format: 'jwk' }), createPrivateKey(SIGNING_KEYS.id)];
  for (const [i, token] of one.tokens.entries()) {
    const [header = '', claims = '', signature = ''] = token.split('.');
    const supplied = keys[i] ?? assert.fail('there are two tokens');
    assert.ok(verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), supplied, Buffer.from(signature, 'base64url')));
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { readonly kid: string };
    assert.equal(one.jwks.keys.find((published) => published.kid === kid)?.n, supplied.export({ format: 'jwk' }).n);
  }
});

test('invalid keys are refused by name before anything listens', async () => {
  const signingKeys = { ...SIGNING_KEYS, id: 'not a key' };
  await assert.rejects(start({ ...OPTIONS, signingKeys }), isRefused(/signingKeys\.id must be an RSA private key/));
});

test('production refuses supplied keys, and so does a start with production secrets', async () => {
  const secrets = [SECRET];
  const production = { ...OPTIONS, secrets, environment: { NODE_ENV: 'production' } };
  await assert.rejects(start(production), isRefused(/^signingKeys: production makes its own$/));
  await assert.rejects(
    start({ ...OPTIONS, secrets }),
    isRefused(/^signingKeys: they go with the secrets of development/),
  );
});

test('production refuses a store with supplied keys', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-signing-keys-'));
  context.after(() => rm(folder, { recursive: true }));
  const databaseUrl = `sqlite:${join(folder, 'pool.db')}`;
  await (await start({ ...OPTIONS, databaseUrl, dataDir: folder })).close();
  await assert.rejects(
    start({ databaseUrl, port: 0, dataDir: folder, secrets: [SECRET], environment: { NODE_ENV: 'production' } }),
    (error) => error instanceof StartError && error.code === 'store_refused',
  );
});

test('Amazon Cognito accepts no keys', async () => {
  const cognito = { provider: 'cognito', userPoolId: 'us-east-1_Example12', clientId: 'exampleclient' } as const;
  await assert.rejects(
    start({ ...OPTIONS, ...cognito }),
    isRefused(/^signingKeys: has no effect with IDP_PROVIDER=cognito/),
  );
});
