import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DEMO_USER, type Service, start } from 'poolgate';
import { hasCurl } from '../support/requests/curl.ts';

const FOLDER = fileURLToPath(new URL('../../examples/', import.meta.url));
const run = promisify(execFile);

/** The output of each example after a successful login. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'login-on-a-device.ts': /^demo@poolgate\.test is logged in on us-east-1_[0-9a-f-]{36}\n$/,
  'login-with-amazon-cognito-identity-js.ts': /^demo@poolgate\.test is logged in\n$/,
  'login-with-an-authenticator.ts': /^demo@poolgate\.test is logged in after SOFTWARE_TOKEN_MFA\n$/,
  'login-with-srp.ts': /^demo@poolgate\.test is logged in\n$/,
  'login-with-the-client.ts': /^demo@poolgate\.test is logged in as [0-9a-f-]{36}\n$/,
  'verify-tokens.ts': /^the access token of [0-9a-f-]{36} is good until \d{4}-/,
};

/** The number of requests in the administration script. */
const ADMIN_ANSWERS = 9;

describe('the examples', () => {
  let service: Service;
  before(async () => {
    service = await start({ databaseUrl: 'sqlite::memory:', port: 0 });
  });
  after(() => service.close());

  const runExample = (name: string, more: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, [name], { cwd: FOLDER, env: { PATH: process.env.PATH, POOLGATE_URL: service.url, ...more } });

  it('are all tested here', () => {
    assert.deepEqual(
      readdirSync(FOLDER)
        .filter((name) => name.endsWith('.ts'))
        .sort(),
      Object.keys(PRINTED),
    );
  });

  for (const [name, printed] of Object.entries(PRINTED)) {
    it(`${name} logs in the demo user`, async () => {
      assert.match((await runExample(name)).stdout, printed);
    });

    it(`${name} fails with a wrong password`, async () => {
      await assert.rejects(runExample(name, { POOLGATE_PASSWORD: 'Wrong-Horse1!' }), { code: 1 });
    });
  }

  if (hasCurl) {
    it('administer-users.sh administers a user with curl, and removes everything again', async () => {
      const key = service.adminKey?.bearer ?? '';
      const env = { PATH: process.env.PATH, POOLGATE_URL: service.url, POOLGATE_ADMIN_KEY: key };
      // Twice, with the printed key and as a pair, because the first run must leave nothing that affects the second.
      for (const form of [key, `${service.adminKey?.id}:${service.adminKey?.secret}`]) {
        const own = { ...env, POOLGATE_ADMIN_KEY: form };
        const { stdout } = await run('sh', ['administer-users.sh'], { cwd: FOLDER, env: own });
        const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
        assert.deepEqual(
          answers.map((line) => (JSON.parse(line) as { readonly status: string }).status),
          Array.from({ length: ADMIN_ANSWERS }, () => 'success'),
        );
      }
      const wrong = run('sh', ['administer-users.sh'], { cwd: FOLDER, env: { ...env, POOLGATE_ADMIN_KEY: `${key}x` } });
      await assert.rejects(wrong, { code: 22 });
    });
  }

  it('remove what they set up for the demo user', async () => {
    const login = await fetch(`${service.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: DEMO_USER.email, password: DEMO_USER.password }),
    });
    const { access_token } = (await login.json()) as { readonly access_token?: string };
    assert.ok(access_token, 'no challenge follows the password');
    const devices = await fetch(`${service.url}/device`, { headers: { authorization: `Bearer ${access_token}` } });
    const { devices: left } = (await devices.json()) as { readonly devices: readonly { device_name: string }[] };
    assert.ok(!left.some(({ device_name }) => device_name === 'Example'));
  });
});
