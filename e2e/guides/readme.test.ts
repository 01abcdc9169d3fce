import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { URI } from 'otpauth';
import { DEMO_USER, type Service, start } from 'poolgate';

const ROOT = new URL('../../', import.meta.url);
const README = readFileSync(new URL('README.md', ROOT), 'utf8');
/** Where the packages of the examples are found. */
const FOLDER = fileURLToPath(new URL('e2e/', ROOT));
const run = promisify(execFile);

/** The code of a section, as it is printed, but for the port. */
function codeOf(section: string, language: string, url: string): string {
  const [, rest = ''] = README.split(`\n## ${section}\n`);
  const [, code] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(rest) ?? [];
  assert.ok(code !== undefined, `README has code in ${language} under "${section}"`);
  return code.replaceAll('http://localhost:3000', url);
}

describe('the README', () => {
  let service: Service;
  before(async () => {
    service = await start({ databaseUrl: 'sqlite::memory:', port: 0 });
  });
  after(() => service.close());

  it('logs in with curl as it says', async () => {
    const { stdout } = await run('sh', ['-c', codeOf('Log in with curl', 'sh', service.url)]);
    const [login = '', challenge = ''] = stdout.split(/(?<=\})(?=\{"status")/);
    assert.deepEqual(Object.keys(JSON.parse(login) as object).sort(), [
      'access_token',
      'expires_in',
      'id_token',
      'new_device_metadata',
      'refresh_token',
      'status',
      'token_type',
    ]);
    assert.equal((JSON.parse(challenge) as Readonly<Record<string, string>>).challenge_name, 'PASSWORD_VERIFIER');
  });

  it('logs in with amazon-cognito-identity-js as it says', async () => {
    const code = codeOf('Log in with amazon-cognito-identity-js', 'js', service.url);
    assert.ok(code.trim().split('\n').length <= 11, 'ten lines and an empty one');
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: FOLDER });
    assert.match(stdout, /email: 'demo@poolgate\.test'/, stderr);
  });

  it('creates a user with the admin key as it says', async () => {
    const env = { PATH: process.env.PATH, POOLGATE_ADMIN_KEY: service.adminKey?.bearer };
    const { stdout } = await run('sh', ['-c', codeOf('Users, groups and administration', 'sh', service.url)], { env });
    const { user } = JSON.parse(stdout) as { user: Readonly<Record<string, unknown>> };
    assert.deepEqual([user.email, user.status], ['ada@example.com', 'FORCE_CHANGE_PASSWORD']);
  });

  it('sets an authenticator up with curl as it says', async () => {
    const login = await fetch(`${service.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: DEMO_USER.email, password: DEMO_USER.password }),
    });
    const { access_token = '' } = (await login.json()) as { readonly access_token?: string };
    const env = { PATH: process.env.PATH, ACCESS_TOKEN: access_token };
    const [activate = '', verify = ''] = codeOf('Second factors and devices', 'sh', service.url).split('\n\n');
    const activated = await run('sh', ['-c', activate], { env });
    const { TotpUri } = JSON.parse(activated.stdout) as { readonly TotpUri: string };
    const verified = await run('sh', ['-c', verify], { env: { ...env, CODE: URI.parse(TotpUri).generate() } });
    assert.equal((JSON.parse(verified.stdout) as { readonly status: string }).status, 'success');
  });

  it('links to nothing that does not exist', () => {
    const links = [...README.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length > 8);
    const missing = links.filter((link) => !link.startsWith('http') && !existsSync(new URL(link, ROOT)));
    assert.deepEqual(missing, []);
  });

  it('names commands that the package has', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    };
    const named = [...README.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    for (const name of ['start', 'test', ...named]) assert.ok(scripts[name], name);
  });
});
