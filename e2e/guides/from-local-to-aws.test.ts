import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Service, start } from 'poolgate';
import { AWS_COMMANDS } from '../support/guides/aws-commands.ts';
import { parseVariables, readGuide, runModule, runShell } from '../support/guides/guide.ts';

const GUIDE = readGuide('how-to/from-local-to-aws');
const MAIN = fileURLToPath(new URL('../../packages/poolgate/src/main.ts', import.meta.url));
const USER = { email: 'ada@example.com', password: 'Correct-Horse1!' };
const IN_MEMORY = { databaseUrl: 'sqlite::memory:', port: 0 } as const;

function createAwsEnvironment({ adminKey, url }: Service) {
  return {
    AWS_ACCESS_KEY_ID: adminKey?.id ?? '',
    AWS_SECRET_ACCESS_KEY: adminKey?.secret ?? '',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: url,
  };
}

/** Stands for AWS: a second Poolgate that is reached only through Cognito's protocol. */
async function startAws(t: TestContext): Promise<Service> {
  const service = await start(IN_MEMORY);
  t.after(() => service.close());
  return service;
}

async function makeUser(env: Readonly<Record<string, string>>, pool: string): Promise<void> {
  const { email, password } = USER;
  const user = `--user-pool-id ${pool} --username ${email}`;
  const verified = `--user-attributes Name=email,Value=${email} Name=email_verified,Value=true`;
  await runShell(
    `aws cognito-idp admin-create-user ${user} ${verified} --message-action SUPPRESS > /dev/null
     aws cognito-idp admin-set-user-password ${user} --password '${password}' --permanent`,
    env,
  );
}

/** The doctor's output. Rejects if it reports a fault. */
async function doctor(t: TestContext, environment: Readonly<Record<string, string>>): Promise<string> {
  const [command = ''] = GUIDE.code('4. Ask the doctor', 'sh');
  const [, words = ''] = /^npm run poolgate -- (.+)$/m.exec(command) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-doctor-'));
  t.after(() => rm(folder, { recursive: true }));
  const env = {
    PATH: process.env.PATH,
    ...environment,
    POOLGATE_DATA_DIR: folder,
    POOLGATE_TEST_PASSWORD: USER.password,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...words.split(' ')], { cwd: folder, env });
  return stdout;
}

const [APPLICATION = ''] = GUIDE.code('1. What you have', 'js');
const runApplication = ({ url }: Service) => runModule(APPLICATION, { SERVICE_URL: url });

describe('the guide from the local pool to AWS', () => {
  for (const { name, path } of AWS_COMMANDS) {
    it(`moves an application with settings alone, to a pool created by ${name}`, async (t) => {
      const aws = await startAws(t);
      const env = { ...createAwsEnvironment(aws), PATH: path };
      const [make = ''] = GUIDE.code('2. Make the pool', 'sh');
      const [pool = '', client = ''] = (await runShell(make, env)).trim().split(/\s+/).slice(-2);
      await makeUser(env, pool);

      const [settings = ''] = GUIDE.code('3. Change the settings', 'sh');
      const moved = parseVariables(settings.replace('$pool', pool).replace('$client', client));
      assert.deepEqual(moved, { IDP_PROVIDER: 'cognito', IDP_USER_POOL_ID: pool, IDP_CLIENT_ID: client });
      // Only this names another host than AWS.
      const elsewhere = { ...moved, ...createAwsEnvironment(aws), IDP_ENDPOINT: aws.url };

      const found = await doctor(t, elsewhere);
      assert.match(found, /^ok +revocation /m, found);
      assert.doesNotMatch(found, /^fault/m, found);

      const service = await start({ ...IN_MEMORY, environment: elsewhere });
      t.after(() => service.close());
      assert.equal(await runApplication(service), `success on ${pool}, sessions listed: false\n`);
    });
  }

  it('starts with an application on the local pool', async (t) => {
    const [command = ''] = GUIDE.code('1. What you have', 'sh');
    const service = await start({ ...IN_MEMORY, environment: parseVariables(command) });
    t.after(() => service.close());
    const env = { ...createAwsEnvironment(service), PATH: AWS_COMMANDS[0]?.path ?? '' };
    await makeUser(env, service.userPoolId);
    assert.equal(await runApplication(service), `success on ${service.userPoolId}, sessions listed: true\n`);
  });

  it('names the settings of the embedded pool that prevent a start in front of Cognito', async () => {
    const moved = { IDP_PROVIDER: 'cognito', IDP_USER_POOL_ID: 'us-east-1_Example12', IDP_CLIENT_ID: 'exampleclient' };
    await assert.rejects(
      start({ ...IN_MEMORY, environment: { ...moved, IDP_RECOVERY: 'phone' } }),
      /IDP_RECOVERY: has no effect with IDP_PROVIDER=cognito/,
    );
  });
});
