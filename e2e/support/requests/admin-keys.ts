import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ADMIN_SCOPES, type AdminScope } from '@poolgate/provider';
import type { AdminKey } from 'poolgate';
import type { TestService } from '../services/test-service.ts';

const MAIN = fileURLToPath(new URL('../../../packages/poolgate/src/main.ts', import.meta.url));

/** Creates a key with the command, on the database of a running service. */
export async function createKeyByCommand(
  service: Pick<TestService, 'dataDir'>,
  databaseUrl: string,
  scopes: readonly AdminScope[],
): Promise<AdminKey> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [MAIN, 'admin-key', 'create', 'test', ...scopes.flatMap((scope) => ['--scope', scope]), '--json'],
    { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, POOLGATE_DATA_DIR: service.dataDir } },
  );
  const key = JSON.parse(stdout) as AdminKey;
  assert.ok(key.id && key.secret && key.bearer, stdout);
  return key;
}

/** Creates for each scope a key with all other scopes. */
export async function createKeysWithoutScope(
  service: Pick<TestService, 'dataDir'>,
  databaseUrl: string,
): Promise<ReadonlyMap<string, AdminKey>> {
  const keys = new Map<string, AdminKey>();
  for (const scope of ADMIN_SCOPES) {
    const others = ADMIN_SCOPES.filter((other) => other !== scope);
    keys.set(scope, await createKeyByCommand(service, databaseUrl, others));
  }
  return keys;
}
