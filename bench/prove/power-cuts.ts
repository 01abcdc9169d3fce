import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { confirmByMail, signUpByMail } from '../../e2e/support/routes/mail-sign-up.ts';
import { logInByRoutes, type RouteTarget, readRouteTarget } from '../../e2e/support/routes/route-login.ts';
import { startServiceProcess } from '../../e2e/support/services/service-process.ts';
import { SimulatedDisk } from './disk.ts';
import { parseSystemCalls, STRACE_OPTIONS, type SystemCall } from './system-calls.ts';

/** The result of the power cuts. */
interface PowerCutsFigure {
  readonly images: number;
  readonly writes: number;
  readonly syncs: number;
  readonly logins: number;
  readonly signUps: number;
  /** Responses before a cut that are missing in the image after it, and damaged images. Both must be empty. */
  readonly faults: readonly string[];
  /** The number of faults that the same check finds if synced data does not count as written. It shows that the check finds faults. */
  readonly faultsWithoutSyncs: number;
}

const PASSWORD = 'Correct-Horse-1-Battery';
const USERS = ['ada', 'bob', 'eve', 'joe', 'kim', 'liz'].map((name) => `${name}@poolgate.test`);
const SIGN_UP_CLIENTS = 2;
const FILES = ['poolgate.db', 'poolgate.db-wal'] as const;
const CONTROL_IMAGES = 200;

type File = (typeof FILES)[number];

/** A response, and a moment at which the client had it. */
interface Answer {
  readonly atMs: number;
  readonly table: 'logins' | 'users';
  /** The `id` of the login, the `sub` of the user. */
  readonly key: string;
}

interface Recording {
  readonly base: Readonly<Record<File, Buffer>>;
  readonly calls: readonly SystemCall[];
  readonly answers: readonly Answer[];
}

/**
 * Records every write and sync of a service on its database while clients log in and sign up. It then creates the files that a power cut
 * could leave: everything that was synced before it, and any part of the rest, in sectors. Each must be valid and contain everything that
 * was answered before the cut. Needs `strace`.
 * @param images the number of such files to check
 * @throws {Error} `strace` is missing, or may not trace another process
 */
export async function provePowerCuts(
  images: number,
  seconds: number,
  tell: (line: string) => void,
): Promise<PowerCutsFigure> {
  if (spawnSync('strace', ['--version']).status !== 0)
    throw new Error('this proof needs strace, which is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-power-cuts-'));
  try {
    const recording = await recordServiceCalls(folder, seconds);
    tell(`${recording.calls.length} calls and ${recording.answers.length} answers recorded`);
    const inMemory = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/poolgate-power-cuts-') : folder;
    try {
      const faults = listFaults(recording, { images, isSynced: true, folder: inMemory, tell });
      const control = listFaults(recording, {
        images: CONTROL_IMAGES,
        isSynced: false,
        folder: inMemory,
        tell: () => {},
      });
      const count = (table: Answer['table']): number =>
        recording.answers.filter((answer) => answer.table === table).length;
      return {
        images,
        writes: recording.calls.filter(({ change }) => change !== 'sync').length,
        syncs: recording.calls.filter(({ change }) => change === 'sync').length,
        logins: count('logins'),
        signUps: count('users'),
        faults,
        faultsWithoutSyncs: control.length,
      };
    } finally {
      rmSync(inMemory, { recursive: true, force: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function recordServiceCalls(folder: string, seconds: number): Promise<Recording> {
  const data = join(folder, 'data');
  mkdirSync(data);
  const first = await startServiceProcess(data);
  const target = await readRouteTarget(first.url);
  for (const email of USERS) await signUp(target, email);
  await first.stop();
  const service = await startServiceProcess(data);
  const paths = FILES.map((file) => join(data, file));
  const trace = join(folder, 'trace');
  try {
    const tracer = await attachTracer(service.pid, paths, trace);
    const base = Object.fromEntries(
      FILES.map((file, index) => [
        file,
        existsSync(paths[index] ?? '') ? readFileSync(paths[index] ?? '') : Buffer.of(),
      ]),
    ) as Recording['base'];
    const answers = await useService(await readRouteTarget(service.url), seconds);
    tracer.kill('SIGINT');
    await once(tracer, 'exit');
    return { base, calls: await parseSystemCalls(trace, FILES), answers };
  } finally {
    await service.kill();
  }
}

async function attachTracer(pid: number, paths: readonly string[], trace: string): Promise<ChildProcess> {
  const words = [...STRACE_OPTIONS, ...paths.flatMap((path) => ['-P', path]), '-o', trace, '-p', String(pid)];
  const tracer = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const told = await new Promise<string>((resolve, reject) => {
    tracer.stderr.setEncoding('utf8').once('data', resolve);
    tracer.once('exit', (code) => reject(new Error(`strace ended with ${code}`)));
  });
  if (!told.includes('attached')) throw new Error(`strace cannot look at the service: ${told}`);
  return tracer;
}

async function useService(target: RouteTarget, seconds: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const endMs = Date.now() + seconds * 1000;
  // The clock counts whole milliseconds: the next one is certainly after the response.
  const answered = (table: Answer['table'], key: string): void => {
    answers.push({ atMs: Date.now() + 1, table, key });
  };
  const repeat = async (step: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; Date.now() < endMs; turn++) await step(turn);
  };
  await Promise.all([
    ...USERS.map((user) =>
      repeat(async () => {
        const { accessToken } = await logInByRoutes(target, user, PASSWORD);
        const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
        answered('logins', claims.origin_jti);
      }),
    ),
    ...Array.from({ length: SIGN_UP_CLIENTS }, (_, client) =>
      repeat(async (turn) => answered('users', await signUp(target, `new-${client}-${turn}@poolgate.test`))),
    ),
  ]);
  return answers;
}

async function signUp(target: RouteTarget, email: string): Promise<string> {
  const sub = await signUpByMail(target, email, PASSWORD);
  await confirmByMail(target, email);
  return sub;
}

interface ImageCheck {
  readonly images: number;
  readonly isSynced: boolean;
  readonly folder: string;
  readonly tell: (line: string) => void;
}

/** Nothing, everything, and parts of the unsynced data. */
const SHARES = [0, 100, 50, 90, 10];

function listFaults(
  { base, calls, answers }: Recording,
  { images, isSynced, folder, tell }: ImageCheck,
): readonly string[] {
  const cuts = Array.from({ length: Math.ceil(images / SHARES.length) }, () => randomInt(calls.length)).toSorted(
    (left, right) => left - right,
  );
  const disks = new Map<string, SimulatedDisk>(FILES.map((file) => [file, new SimulatedDisk(base[file])]));
  const faults: string[] = [];
  let done = 0;
  for (const [index, cut] of cuts.entries()) {
    for (; done < cut; done++) {
      const { file, change } = calls[done] as SystemCall;
      if (change !== 'sync') disks.get(file)?.write(change);
      else if (isSynced) disks.get(file)?.sync();
    }
    const cutAtMs = (calls[cut] as SystemCall).atMs;
    const before = answers.filter(({ atMs }) => atMs <= cutAtMs);
    for (const share of SHARES) {
      for (const [file, disk] of disks) writeFileSync(join(folder, file), disk.afterCut(share));
      faults.push(...listImageFaults(folder, before).map((fault) => `cut at call ${cut}, ${share} %: ${fault}`));
    }
    if (index % 200 === 199) tell(`${(index + 1) * SHARES.length} images, ${faults.length} faults`);
  }
  return faults;
}

function listImageFaults(folder: string, answers: readonly Answer[]): readonly string[] {
  rmSync(join(folder, 'poolgate.db-shm'), { force: true });
  try {
    const database = new DatabaseSync(join(folder, 'poolgate.db'));
    try {
      const [verdict] = database.prepare('pragma integrity_check').all();
      if (verdict?.integrity_check !== 'ok') return [String(verdict?.integrity_check)];
      const keys = (query: string): ReadonlySet<unknown> =>
        new Set(
          database
            .prepare(query)
            .all()
            .map(({ key }) => key),
        );
      const there = { logins: keys('select id as key from logins'), users: keys('select sub as key from users') };
      return answers.flatMap(({ table, key }) => (there[table].has(key) ? [] : [`${table} lost ${key}`]));
    } finally {
      database.close();
    }
  } catch (error) {
    return [(error as Error).message];
  }
}
