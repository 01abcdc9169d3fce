import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ADMIN_BEARER, type ServiceProcess, startServiceProcess } from '../support/services/service-process.ts';

interface RestoreOptions {
  /** The number of backups, each at a different moment, and of their restores. */
  readonly rounds: number;
  /** The number of clients that create users meanwhile, each one after another. */
  readonly clients: number;
  /** Returns a number from 0 up to 1, which decides the delay of a backup. */
  readonly random: () => number;
  readonly tell?: (line: string) => void;
}

/** The results. */
export interface RestoreFigure {
  readonly restored: number;
  /** Users whose creation was acknowledged before a backup began, over all rounds, each searched in the restored data. */
  readonly lookedFor: number;
  readonly faults: readonly string[];
}

const MAIN = fileURLToPath(new URL('../../packages/poolgate/src/main.ts', import.meta.url));
const HEADERS = { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_BEARER}` };
const MOST_WAIT_MS = 500;
const DEMO = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };

/** Runs a command of the program on a folder's data; undefined if it succeeded. */
async function runForFailure(folder: string, words: readonly string[]): Promise<string | undefined> {
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, POOLGATE_DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return code === 0 ? undefined : `${words[0]} ended with ${code}: ${said.trim()}`;
}

async function fetchStatus(url: string, path: string, body?: unknown): Promise<number> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, { headers: HEADERS, ...sent });
  await answer.arrayBuffer();
  return answer.status;
}

/** Creates users until it is stopped. */
function startCreating({ url }: ServiceProcess, clients: number) {
  const created: string[] = [];
  const faults: string[] = [];
  let isOver = false;
  const create = async (client: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const email = `restored-${client}-${count}@example.com`;
      const status = await fetchStatus(url, '/admin/users', { email, temp_password: 'Temp-Passw0rd!' });
      if (status === 201) created.push(email);
      else faults.push(`a user is answered ${status}`);
    }
  };
  const ended = Promise.all(Array.from({ length: clients }, (_, client) => create(client)));
  return {
    created: created as readonly string[],
    async stop(): Promise<readonly string[]> {
      isOver = true;
      await ended;
      return faults;
    },
  };
}

const NOT_RESTORED = /\.db(?:-\w+)?$/;

/** Restores a backup next to its service's secrets, and searches users in it. */
async function restore(from: string, backup: string, emails: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-restored-'));
  try {
    cpSync(from, folder, { recursive: true, filter: (path) => !NOT_RESTORED.test(basename(path)) });
    const failed = await runForFailure(folder, ['restore', backup]);
    if (failed !== undefined) return [failed];
    const service = await startServiceProcess(folder);
    const faults: string[] = [];
    if ((await fetchStatus(service.url, '/login', DEMO)) !== 200) faults.push('nobody logs in');
    for (const email of emails) {
      const status = await fetchStatus(service.url, `/admin/users/${encodeURIComponent(email)}`);
      if (status !== 200) faults.push(`${email} is answered ${status}`);
    }
    await service.stop();
    return faults;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The number of required users that are searched one by one: the first ones, and the last ones before the backup. */
const LOOKED_FOR = 20;

/**
 * Creates backups of a busy service at random moments, restores each in a separate folder, and queries the restored service for what was
 * acknowledged before.
 */
export async function restoreBackups({
  rounds,
  clients,
  random,
  tell = () => {},
}: RestoreOptions): Promise<RestoreFigure> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-restores-'));
  const service = await startServiceProcess(folder);
  const load = startCreating(service, clients);
  const faults: string[] = [];
  let lookedFor = 0;
  let restored = 0;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await delay(random() * MOST_WAIT_MS);
      const before = [...load.created];
      const emails = [...new Set([...before.slice(0, LOOKED_FOR), ...before.slice(-LOOKED_FOR)])];
      const backup = join(folder, `backup-${round}.db`);
      const failed = await runForFailure(folder, ['backup', backup]);
      const found = failed === undefined ? await restore(folder, backup, emails) : [failed];
      faults.push(...found.map((fault) => `backup ${round}: ${fault}`));
      restored += found.length === 0 ? 1 : 0;
      lookedFor += emails.length;
      rmSync(backup, { force: true });
      tell(`backup ${round} of ${rounds}, with ${before.length} users: ${found.length === 0 ? 'restored' : found[0]}`);
    }
    return { restored, lookedFor, faults: [...faults, ...(await load.stop())] };
  } finally {
    await load.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
