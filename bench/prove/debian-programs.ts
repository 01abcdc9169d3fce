import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../tmp/debian/', import.meta.url));

/** The path of each program in its Debian package. */
const PLACES = { nginx: 'usr/sbin/nginx', caddy: 'usr/bin/caddy', haproxy: 'usr/sbin/haproxy' } as const;

/**
 * Returns a Debian program: the machine's, or its package unpacked below tmp/. Nothing is installed.
 * @throws {Error} there is no apt, or it cannot download the package
 */
export async function findDebianProgram(name: keyof typeof PLACES): Promise<string> {
  const installed = join('/', PLACES[name]);
  if (existsSync(installed)) return installed;
  const root = join(FOLDER, name);
  const program = join(root, PLACES[name]);
  if (existsSync(program)) return program;
  await mkdir(root, { recursive: true });
  await run('apt-get', ['download', name], { cwd: root });
  for (const file of (await readdir(root)).filter((each) => each.endsWith('.deb'))) {
    await run('dpkg', ['-x', file, root], { cwd: root });
  }
  return program;
}
