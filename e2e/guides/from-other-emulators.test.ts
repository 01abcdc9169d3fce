import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { it } from 'node:test';
import { AWS_COMMANDS } from '../support/guides/aws-commands.ts';
import { parseVariables, readGuide, runShell } from '../support/guides/guide.ts';
import { startGuideService } from '../support/guides/guide-service.ts';

const GUIDE = readGuide('how-to/from-other-emulators');
const ENDPOINT = 'http://localhost:9229';

it('IDs, keys, users and the outbox work with the commands of the guide', async (t) => {
  const [start = ''] = GUIDE.code('Keep the ids', 'sh');
  const [bootstrap = '', credentials = ''] = GUIDE.code('Sign administrative calls', 'sh');
  const { PORT, ...ids } = parseVariables(start);
  assert.equal(PORT, '9229');
  const key = /POOLGATE_BOOTSTRAP_ADMIN_KEY=(\S+)/.exec(bootstrap)?.[1] ?? '';
  const { service, environment } = await startGuideService(t, { ...ids, POOLGATE_BOOTSTRAP_ADMIN_KEY: key });
  const run = (code: string) =>
    runShell(`${credentials}\n${code}`.replaceAll(ENDPOINT, service.url), { ...environment, ...ids, ...aws() });
  t.after(() => {
    for (const file of ['tmp/users.csv', 'tmp/users.csv.checkpoint']) rmSync(file, { force: true });
  });
  assert.match(await run(GUIDE.code('Move the users', 'sh').join('\n')), /imported 1, rejected 0/);
  const status = `aws cognito-idp admin-get-user --user-pool-id ${ids.IDP_USER_POOL_ID} --username ada@example.com --query UserStatus --output text`;
  assert.match(await run(status), /^CONFIRMED$/m);
  assert.match(await run(GUIDE.code('Read codes in tests', 'sh').join('\n')), /^\[/);
});

function aws(): Readonly<Record<string, string>> {
  const { path } = AWS_COMMANDS[0] ?? assert.fail();
  return { PATH: path };
}

it('the Python code of the guide is valid', { skip: spawnSync('python3', ['--version']).status !== 0 }, () => {
  const code = GUIDE.code('From moto in Python', 'python').join('\n');
  assert.equal(spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: code }).status, 0);
});
