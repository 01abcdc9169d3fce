import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { StartError } from '../process/start-error.ts';
import { start } from './start.ts';

const FILE = `
pools:
  shop:
    Id: us-east-1_Configured
    Clients:
      web: { Id: configuredclient, ExplicitAuthFlows: [ALLOW_USER_PASSWORD_AUTH, ALLOW_REFRESH_TOKEN_AUTH] }
    Users:
      ada: { Password: Ada-Passw0rd! }
`;

async function openFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-configured-'));
  context.after(() => rm(folder, { recursive: true }));
  return join(folder, 'shop.yaml');
}

async function signIn(url: string, username: string): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
    },
    body: JSON.stringify({
      ClientId: 'configuredclient',
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: username, PASSWORD: 'Ada-Passw0rd!' },
    }),
  });
  await answer.text();
  return answer.status;
}

test('a start applies its file, and applies it again when it changes', async (context) => {
  const applyFile = await openFolder(context);
  await writeFile(applyFile, FILE);
  let written = (_line: string): void => {};
  const service = await start({
    databaseUrl: 'sqlite::memory:',
    port: 0,
    applyFile,
    logStream: { write: (line: string) => written(line) },
  });
  context.after(() => service.close());
  assert.equal(await signIn(service.url, 'ada'), 200);
  const wait = (text: string) =>
    new Promise<void>((resolve) => {
      written = (line) => {
        if (line.includes(text)) resolve();
      };
    });
  const refused = wait('has no property Passwort');
  await writeFile(applyFile, FILE.replace('Password:', 'Passwort:'));
  await refused;
  const applied = wait('created shop.Users.bob');
  await writeFile(applyFile, `${FILE}      bob: { Password: Ada-Passw0rd! }\n`);
  await applied;
  assert.equal(await signIn(service.url, 'bob'), 200);
});

test('a refused file ends the start', async (context) => {
  const applyFile = await openFolder(context);
  await writeFile(applyFile, FILE.replace('Clients:', 'Client:'));
  await assert.rejects(
    start({ databaseUrl: 'sqlite::memory:', port: 0, applyFile }),
    (error) => error instanceof StartError && /shop\.yaml:5: shop has no property Client\./.test(error.message),
  );
});
