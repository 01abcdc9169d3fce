import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { lockForService } from './service-lock.ts';

const REFUSED = { name: 'StoreRefused', code: 'store_in_use' };

async function filePath(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-lock-'));
  context.after(() => rm(folder, { recursive: true }));
  return join(folder, 'data', 'pool.db');
}

/** A process that claims a file and waits. */
async function startHolder(context: TestContext, path: string) {
  const module = new URL('./service-lock.ts', import.meta.url).href;
  const program = `import { lockForService } from ${JSON.stringify(module)};
    globalThis.release = lockForService(${JSON.stringify(path)});
    console.log('claimed');
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('a second service in the same process is refused under any path until the first has stopped', async (context) => {
  const path = await filePath(context);
  const release = lockForService(path);
  assert.throws(() => lockForService(path), REFUSED);
  await writeFile(path, '');
  const alias = `${path}.alias`;
  await symlink(path, alias);
  assert.throws(() => lockForService(alias), REFUSED);
  assert.throws(() => lockForService(path), REFUSED, 'a refused claim must not break the one that holds');
  release();
  lockForService(alias)();
});

test('a lock file that cannot be used is named', async (context) => {
  const path = await filePath(context);
  await mkdir(`${path}.lock`, { recursive: true });
  const unusable = { name: 'StoreUnavailable', message: new RegExp(`the lock file ${path}\\.lock cannot be used`) };
  assert.throws(() => lockForService(path), unusable);
});

test('a service in another process holds the file until it ends, even when it is killed', async (context) => {
  const path = await filePath(context);
  const holder = await startHolder(context, path);
  assert.throws(() => lockForService(path), REFUSED);
  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
  lockForService(path)();
});
