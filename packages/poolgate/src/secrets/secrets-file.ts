import { link, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '@poolgate/pool';
import { createDataDir, toDataDirError } from '../process/data-dir.ts';
import { StartError } from '../process/start-error.ts';

/** The prefix of secrets that a development start creates, so that production can reject them. */
export const DEVELOPMENT_SECRET_PREFIX = 'development_';

/** The secrets that a development start creates for itself. */
export interface DevelopmentSecrets {
  /** A value of `POOLGATE_SECRET`. */
  readonly secret: string;
  readonly adminKey: { readonly id: string; readonly secret: string };
}

/** Creates secrets for a development start. */
export function createDevelopmentSecrets(random: Random): DevelopmentSecrets {
  const words = (byteLength: number): string => Buffer.from(random(byteLength)).toString('base64url');
  return {
    secret: DEVELOPMENT_SECRET_PREFIX + words(32),
    adminKey: { id: `dev${Buffer.from(random(6)).toString('hex')}`, secret: words(32) },
  };
}

function parseSecrets(content: string): DevelopmentSecrets | undefined {
  try {
    const { secret, admin_key: key } = JSON.parse(content) as {
      secret?: unknown;
      admin_key?: { id?: unknown; secret?: unknown };
    };
    if (typeof secret !== 'string' || !secret.startsWith(DEVELOPMENT_SECRET_PREFIX)) return undefined;
    if (typeof key?.id !== 'string' || typeof key.secret !== 'string') return undefined;
    return { secret, adminKey: { id: key.id, secret: key.secret } };
  } catch {
    return undefined;
  }
}

async function readSecretsFile(path: string): Promise<DevelopmentSecrets | undefined> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (content === undefined) return undefined;
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new StartError('secrets_file', `${path} can be read by others: set its mode to 600`);
  }
  const secrets = parseSecrets(content);
  if (secrets === undefined) throw new StartError('secrets_file', `${path} is not a secrets file of this version`);
  return secrets;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Writes the file completely or not at all, and never over the file of a faster process. */
async function createSecretsFile(
  folder: string,
  path: string,
  secrets: DevelopmentSecrets,
  suffix: string,
): Promise<void> {
  const draft = `${path}.${suffix}`;
  const content = { secret: secrets.secret, admin_key: secrets.adminKey };
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await file.sync();
    await file.close();
    // Unlike a rename, a link fails if the name exists: the first process wins and no secrets are replaced.
    await link(draft, path);
    await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readOrCreate(folder: string, random: Random): Promise<DevelopmentSecrets> {
  const path = join(folder, 'secrets.json');
  const found = await readSecretsFile(path);
  if (found !== undefined) return found;
  const suffix = Buffer.from(random(6)).toString('hex');
  await createSecretsFile(folder, path, createDevelopmentSecrets(random), suffix);
  // The secrets of the first process.
  const stored = await readSecretsFile(path);
  if (stored === undefined) throw new StartError('secrets_file', `${path} disappeared while it was being read`);
  return stored;
}

/**
 * Returns the secrets of a development start from `<folder>/secrets.json`, and creates the file if it is missing. Only its owner can read
 * it. Concurrent starts get the same secrets.
 *
 * @throws StartError `data_dir`: the folder cannot be used; `secrets_file`: the file is damaged, or others can read it
 */
export async function loadDevelopmentSecrets(folder: string, random: Random): Promise<DevelopmentSecrets> {
  await createDataDir(folder);
  try {
    return await readOrCreate(folder, random);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw toDataDirError(folder, error);
  }
}
