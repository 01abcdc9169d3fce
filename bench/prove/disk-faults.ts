import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_BEARER, type ServiceProcess, startServiceProcess } from '../../e2e/support/services/service-process.ts';
import { type LedgerTarget, listLostUsers, startLedgerWriter } from '../../e2e/support/services/write-ledger.ts';
import { openStore } from '../../packages/store/src/index.ts';
import type { ProofResult } from './proof.ts';

const ROUNDS = 50;
const IMAGES = 200;
const TMPFS_MEBIBYTES = 24;
const BLOCK = Buffer.alloc(64 * 1024);
/** A service reports not ready within a second of its last successful write, and a check takes at most three. */
const NOT_READY_MS = 10_000;
const RECOVERY_MS = 5_000;
const LOOK_MS = 20;

/** A disk failure and its repair. */
interface DiskFault {
  readonly name: string;
  begin(service: ServiceProcess, folder: string): Promise<() => Promise<void>>;
}

const FULL: DiskFault = {
  name: 'full',
  async begin(_service, folder) {
    const ballast = join(folder, 'ballast');
    const file = openSync(ballast, 'w');
    const fill = (bytes: number): void => {
      try {
        while (writeSync(file, BLOCK, 0, bytes) > 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    };
    fill(BLOCK.length);
    fill(1);
    closeSync(file);
    return async () => rmSync(ballast);
  },
};

/** Uses strace to make each write of the process fail with this error. */
const createRefusalFault = (name: string, error: string): DiskFault => ({
  name,
  async begin({ pid }) {
    const calls = 'pwrite64,fsync,fdatasync,ftruncate';
    const words = ['-f', '-qq', '-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}`, '-o', '/dev/null'];
    const tracer: ChildProcess = spawn('strace', [...words, '-p', String(pid)], { stdio: 'ignore' });
    const ended = once(tracer, 'exit');
    return async () => {
      tracer.kill('SIGINT');
      await ended;
    };
  },
});

const FAULTS: readonly DiskFault[] = [
  FULL,
  createRefusalFault('read-only', 'EROFS'),
  createRefusalFault('broken', 'EIO'),
];

const requestStatus = (url: string): Promise<number> =>
  fetch(url).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );

async function waitUntil(holds: () => Promise<boolean>, mostMs: number): Promise<number | undefined> {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > mostMs) return undefined;
    await delay(LOOK_MS);
  }
  return performance.now() - began;
}

interface FaultRounds {
  readonly fault: DiskFault;
  readonly rounds: number;
  readonly tell: (line: string) => void;
}

/** Breaks the disk below a service repeatedly while it is written to. */
async function breakDisk({ fault, rounds, tell }: FaultRounds): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${TMPFS_MEBIBYTES}m`, 'poolgate', folder]);
  const data = join(folder, 'data');
  mkdirSync(data);
  const faults: string[] = [];
  const recoveriesMs: number[] = [];
  try {
    const service = await startServiceProcess(data);
    const written: LedgerTarget = { url: service.url, asAdmin: { authorization: `Bearer ${ADMIN_BEARER}` } };
    const writer = startLedgerWriter(written, fault.name);
    await writer.next('created');
    for (let round = 1; round <= rounds; round += 1) {
      const mend = await fault.begin(service, folder);
      await writer.next('refused');
      const unready = await waitUntil(async () => (await requestStatus(`${service.url}/readyz`)) === 503, NOT_READY_MS);
      if (unready === undefined) faults.push(`round ${round}: it says that it is ready`);
      const health = await requestStatus(`${service.url}/healthz`);
      if (health !== 200) faults.push(`round ${round}: /healthz is answered by ${health}`);
      await mend();
      const began = performance.now();
      await writer.next('created');
      recoveriesMs.push(performance.now() - began);
      const ready = await waitUntil(async () => (await requestStatus(`${service.url}/readyz`)) === 200, NOT_READY_MS);
      if (ready === undefined) faults.push(`round ${round}: it does not get ready again`);
      if (round % 10 === 0) tell(`${fault.name}: ${round} of ${rounds} rounds`);
    }
    const { created, refused, others } = await writer.stop();
    faults.push(...others, ...(await listLostUsers(written, created)));
    await service.stop();
    faults.push(...checkIntegrity(join(data, 'poolgate.db')));
    const slowest = Math.max(...recoveriesMs);
    if (slowest > RECOVERY_MS) faults.push(`it took ${slowest.toFixed(0)} ms until a write went through again`);
    return {
      figure: `${fault.name}: ${rounds} rounds, ${created.length} users created and there, ${refused} requests refused by 503; a write went through again after ${slowest.toFixed(0)} ms at most`,
      faults: faults.map((each) => `${fault.name}: ${each}`),
    };
  } finally {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  }
}

function checkIntegrity(file: string): readonly string[] {
  const database = new DatabaseSync(file);
  const verdicts = database.prepare('pragma integrity_check').all();
  database.close();
  return verdicts.map(({ integrity_check: verdict }) => String(verdict)).filter((verdict) => verdict !== 'ok');
}

/** Opens a damaged file: the open fails, or it knows every user. */
async function openDamaged(file: string, users: number): Promise<'refused' | 'served' | 'lost'> {
  try {
    const store = await openStore(`sqlite:${file}`);
    await store.close();
  } catch (error) {
    const { name } = error as Error;
    if (name === 'StoreRefused' || name === 'StoreUnavailable') return 'refused';
    throw error;
  }
  const database = new DatabaseSync(file);
  try {
    const { count } = database.prepare('select count(*) as count from users').get() ?? {};
    return count === users ? 'served' : 'lost';
  } catch {
    // The damage shows only when the users are read, and the service would report it too.
    return 'refused';
  } finally {
    database.close();
  }
}

/** Damages a page or truncates the file, and opens it. */
async function damagePages(images: number): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-pages-'));
  const counts = { refused: 0, served: 0, lost: 0 };
  const faults: string[] = [];
  try {
    const service = await startServiceProcess(folder);
    const writer = startLedgerWriter(
      { url: service.url, asAdmin: { authorization: `Bearer ${ADMIN_BEARER}` } },
      'page',
    );
    for (let users = 0; users < 50; users += 1) await writer.next('created');
    await writer.stop();
    await service.stop();
    const file = join(folder, 'poolgate.db');
    const sound = new DatabaseSync(file);
    sound.exec('pragma wal_checkpoint(truncate)');
    const { count: users } = sound.prepare('select count(*) as count from users').get() ?? {};
    sound.close();
    const bytes = readFileSync(file);
    const pages = Math.floor(statSync(file).size / PAGE_BYTES);
    for (let image = 0; image < images; image += 1) {
      const copy = join(folder, 'damaged.db');
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${copy}${suffix}`, { force: true });
      const page = randomInt(pages);
      const damaged = Buffer.from(bytes);
      const isCut = image % 4 === 0;
      if (!isCut) damaged.fill(randomInt(256), page * PAGE_BYTES, page * PAGE_BYTES + randomInt(1, PAGE_BYTES));
      writeFileSync(copy, isCut ? damaged.subarray(0, page * PAGE_BYTES + 1) : damaged);
      const outcome = await openDamaged(copy, Number(users));
      counts[outcome] += 1;
      if (outcome === 'lost') faults.push(`page ${page}${isCut ? ', cut off' : ''}: it is opened without its users`);
    }
    return {
      figure: `corrupt: ${images} images with a damaged page or cut off; ${counts.refused} refused, ${counts.served} opened with all users, ${counts.lost} without`,
      faults,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const PAGE_BYTES = 4096;

/** Breaks the disk in every way. Needs root (it mounts a small file system) and strace. */
export async function proveDiskFaults(
  tell: (line: string) => void,
  [rounds = String(ROUNDS), images = String(IMAGES)]: readonly string[],
): Promise<ProofResult> {
  const found: ProofResult[] = [];
  for (const fault of FAULTS) found.push(await breakDisk({ fault, rounds: Number(rounds), tell }));
  found.push(await damagePages(Number(images)));
  const faults = found.flatMap((each) => each.faults);
  return { figure: `${found.map(({ figure }) => figure).join('; ')}; faults: ${faults.length}.`, faults };
}
