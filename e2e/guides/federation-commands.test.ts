import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { STORE_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { AWS_COMMANDS } from '../support/guides/aws-commands.ts';
import { fillPlaceholders, readGuide, runShell } from '../support/guides/guide.ts';
import { callAsAdmin, createOAuthClient, type OAuthClient, postForm } from '../support/oauth/oauth-client.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

const MAIN = fileURLToPath(new URL('../../packages/poolgate/src/main.ts', import.meta.url));

/** Every `poolgate` command that a page prints, in code blocks and in sentences, in order. */
function listCommands(text: string): readonly string[] {
  return [...text.matchAll(/(?:^\s{4,}|`)poolgate ([^`\n]+)/gm)].map(([, words = '']) => words.trim());
}

function createPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

describe('the commands of the guides for identity providers and levels', () => {
  let place: StoreLocation | undefined;
  let service: TestService;
  let client: OAuthClient;
  before(async () => {
    place = await STORE_LOCATIONS['SQLite file']?.();
    service = await startTestService({ databaseUrl: place?.url ?? '' }, new TestClock(Date.now()));
    client = await createOAuthClient(service);
  });
  after(async () => {
    await service.close();
    await place?.remove();
  });

  /** Runs a command as printed. @param secret what a prompt gets */
  async function run(words: string, secret = ''): Promise<void> {
    const environment = { PATH: process.env.PATH, DATABASE_URL: place?.url, POOLGATE_DATA_DIR: service.dataDir };
    const running = promisify(execFile)(process.execPath, [MAIN, ...words.split(' ')], { env: environment });
    running.child.stdin?.end(`${secret}\n`);
    await running;
  }

  const describeProvider = async (ProviderName: string) => {
    const { userPoolId: UserPoolId } = service;
    const { IdentityProvider } = await callAsAdmin(service, 'DescribeIdentityProvider', { UserPoolId, ProviderName });
    return IdentityProvider as Readonly<Record<string, unknown>>;
  };

  it('add, offer and link identity providers', async () => {
    const commands = listCommands(readGuide('how-to/identity-providers').text);
    assert.equal(commands.length, 10);
    const printed = {
      ...{ '<Google client id>': 'google-client', '<client id of the service>': service.clientId },
      ...{ '<client id>': client.id, '<Services ID>': 'example.app', '<app id>': 'facebook-client' },
      ...{ '<team id>': 'ABCDE12345', '<key id>': 'FGHIJ67890' },
    };
    for (const command of commands) {
      // It asks the providers on the internet.
      if (command === 'doctor') continue;
      const words = Object.entries(printed).reduce((text, [name, value]) => text.replaceAll(name, value), command);
      assert.doesNotMatch(words, /<|…/, 'every placeholder has a value');
      await run(words, words.includes('SignInWithApple') ? createPrivateKey() : 'the-secret-at-the-provider');
    }
    const google = await describeProvider('Google');
    assert.equal((google.ProviderDetails as Record<string, string>).client_id, 'google-client');
    const corp = await describeProvider('Corp');
    assert.deepEqual(corp.IdpIdentifiers, ['example.com']);
    for (const id of [client.id, service.clientId]) {
      const { body } = await service.get(`/admin/clients/${id}`, service.asAdmin);
      assert.deepEqual((body.client as Record<string, unknown>).identity_providers, ['COGNITO', 'Google'], id);
    }
    for (const name of ['Facebook', 'LoginWithAmazon', 'SignInWithApple']) {
      assert.equal((await describeProvider(name)).ProviderType, name);
    }
  });

  it('translate the levels of a provider', async () => {
    const { text } = readGuide('how-to/step-up');
    const [, command = assert.fail('the guide has a command')] = /^ {4}(aws cognito-idp .+)$/m.exec(text) ?? [];
    // The option is new: an installed AWS CLI may not know it.
    const [{ path } = assert.fail('there is a stand-in')] = AWS_COMMANDS;
    await runShell(fillPlaceholders(command, { '<pool>': service.userPoolId }), {
      PATH: path,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: service.url,
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: service.adminKey?.id ?? '',
      AWS_SECRET_ACCESS_KEY: service.adminKey?.secret ?? '',
    });
    assert.deepEqual((await describeProvider('Corp')).AcrMapping, { Level1: 'silver', Level4: 'gold' });
  });

  it('allow the device grant', async () => {
    const [command = assert.fail('the guide has a command')] = listCommands(readGuide('how-to/device-sign-in').text);
    const request = () => postForm(service, '/oauth2/device_authorization', { client_id: client.id });
    assert.equal((await request()).status, 400);
    await run(command.replace('<client id>', client.id));
    service.clock.advance(60_000);
    assert.equal((await request()).status, 200);
  });
});
