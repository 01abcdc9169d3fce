import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import type { TestService } from '../services/test-service.ts';

const MAIN = fileURLToPath(new URL('../../../packages/poolgate/src/main.ts', import.meta.url));
const APPLICATION = 'http://localhost:8080';

/** Creates the client with a guide's command, run as printed except for the application's address. */
export async function createPrintedClient(
  service: Pick<TestService, 'dataDir'>,
  databaseUrl: string,
  command: readonly string[],
  application: string,
): Promise<OAuthClient> {
  const words = command.map((word) => word.replace(APPLICATION, application));
  assert.notDeepEqual(words, command, 'it names the application');
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...words, '--json'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, POOLGATE_DATA_DIR: service.dataDir },
  });
  const { client_id: id, client_secret: secret } = JSON.parse(stdout) as { client_id: string; client_secret?: string };
  return { id, secret };
}
