import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { bodyOf, callOperation } from '../../e2e/support/http.ts';
import { loginByRoutes, type RouteTarget, routeTarget } from '../../e2e/support/route-login.ts';
import { startServiceProcess } from '../../e2e/support/service-process.ts';

/** What came of the power cuts. */
interface PowerCutsFigure {
  readonly images: number;
  readonly writes: number;
  readonly syncs: number;
  readonly logins: number;
  readonly signUps: number;
  /** What was answered before a cut and is not in the image after it, and images that are not sound. None may be. */
  readonly faults: readonly string[];
  /** How many faults the same look finds where nothing that was synced counts as written: shows that it can find any. */
  readonly faultsWithoutSyncs: number;
}

const PASSWORD = 'Correct-Horse-1-Battery';
const USERS = ['ada', 'bob', 'eve', 'joe', 'kim', 'liz'].map((name) => `${name}@poolgate.test`);
const SIGN_UP_CLIENTS = 2;
const FILES = ['poolgate.db', 'poolgate.db-wal'] as const;
const SECTOR_BYTES = 512;
const CONTROL_IMAGES = 200;

type File = (typeof FILES)[number];

/** An answer, and a moment at which a client had it. */
interface Answer {
  readonly atMs: number;
  readonly table: 'logins' | 'users';
  /** The `id` of the login, the `sub` of the user. */
  readonly key: string;
}

type Change =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly length: number };

/** One system call on one file, and the moment at which it began. */
interface Call {
  readonly atMs: number;
  readonly file: File;
  readonly change: Change | 'sync';
}

interface Recording {
  readonly base: Readonly<Record<File, Buffer>>;
  readonly calls: readonly Call[];
  readonly answers: readonly Answer[];
}

/**
 * Records every write and sync of a service on its database while clients log in and sign up, and then makes the files that a
 * power cut could have left: all that was synced before it, and of what was not any part, in sectors. Each of them must be
 * sound and hold everything that was answered before the cut. Needs `strace`.
 * @param images how many such files to look at
 * @throws {Error} `strace` is not there, or may not look at another process
 */
export async function powerCuts(
  images: number,
  seconds: number,
  tell: (line: string) => void,
): Promise<PowerCutsFigure> {
  if (spawnSync('strace', ['--version']).status !== 0)
    throw new Error('this proof needs strace, which is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-power-cuts-'));
  try {
    const recording = await record(folder, seconds);
    tell(`${recording.calls.length} calls and ${recording.answers.length} answers recorded`);
    const inMemory = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/poolgate-power-cuts-') : folder;
    try {
      const faults = faultsOf(recording, { images, isSynced: true, folder: inMemory, tell });
      const control = faultsOf(recording, {
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

async function record(folder: string, seconds: number): Promise<Recording> {
  const data = join(folder, 'data');
  mkdirSync(data);
  const first = await startServiceProcess(data);
  const target = await routeTarget(first.url);
  for (const email of USERS) await signUp(target, email);
  await first.stop();
  const service = await startServiceProcess(data);
  const paths = FILES.map((file) => join(data, file));
  const trace = join(folder, 'trace');
  try {
    const tracer = await attach(service.pid, paths, trace);
    const base = Object.fromEntries(
      FILES.map((file, index) => [
        file,
        existsSync(paths[index] ?? '') ? readFileSync(paths[index] ?? '') : Buffer.of(),
      ]),
    ) as Recording['base'];
    const answers = await use(await routeTarget(service.url), seconds);
    tracer.kill('SIGINT');
    await once(tracer, 'exit');
    return { base, calls: await callsIn(trace), answers };
  } finally {
    await service.kill();
  }
}

async function attach(pid: number, paths: readonly string[], trace: string): Promise<ChildProcess> {
  const calls = 'trace=pwrite64,write,fsync,fdatasync,ftruncate';
  const filter = paths.flatMap((path) => ['-P', path]);
  const words = ['-f', '-ttt', '-y', '-xx', '-s', '65536', '-e', calls, ...filter, '-o', trace, '-p', String(pid)];
  const tracer = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const told = await new Promise<string>((resolve, reject) => {
    tracer.stderr.setEncoding('utf8').once('data', resolve);
    tracer.once('exit', (code) => reject(new Error(`strace ended with ${code}`)));
  });
  if (!told.includes('attached')) throw new Error(`strace cannot look at the service: ${told}`);
  return tracer;
}

async function use(target: RouteTarget, seconds: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const endMs = Date.now() + seconds * 1000;
  // The clock counts whole milliseconds: the next one is after the answer for sure.
  const answered = (table: Answer['table'], key: string): void => {
    answers.push({ atMs: Date.now() + 1, table, key });
  };
  const repeat = async (step: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; Date.now() < endMs; turn++) await step(turn);
  };
  await Promise.all([
    ...USERS.map((user) =>
      repeat(async () => {
        const { accessToken } = await loginByRoutes(target, user, PASSWORD);
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

async function signUp({ url, clientId }: RouteTarget, email: string): Promise<string> {
  const user = { ClientId: clientId, Username: email };
  const attributes = [{ Name: 'email', Value: email }];
  const signedUp = await callOperation(url, 'SignUp', { ...user, Password: PASSWORD, UserAttributes: attributes });
  const outbox = (await (await fetch(`${url}/dev/outbox?to=${email}`)).json()) as { readonly code?: string }[];
  bodyOf(await callOperation(url, 'ConfirmSignUp', { ...user, ConfirmationCode: outbox[0]?.code }));
  return bodyOf<{ readonly UserSub: string }>(signedUp).UserSub;
}

const CALL =
  /^(?<pid>\d+) +(?<seconds>\d+\.\d+) (?<name>\w+)\(\d+<(?<path>[^>]*)>(?:, "(?<text>[^"]*)"(?<cut>\.\.\.)?, \d+)?(?:, (?<number>\d+))?\) += (?<result>-?\d+)/;

/** The calls that came to an end, in their order. A call that another thread interrupts stands in two lines. */
async function callsIn(trace: string): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const begun = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(trace) })) {
    const [pid = ''] = line.split(' ', 1);
    if (line.endsWith(' <unfinished ...>')) {
      begun.set(pid, line.slice(0, -' <unfinished ...>'.length));
      continue;
    }
    const rest = /<\.\.\. \w+ resumed>(.*)$/.exec(line)?.[1];
    const call = callOf(rest === undefined ? line : `${begun.get(pid) ?? ''}${rest}`);
    if (call !== undefined) calls.push(call);
  }
  return calls;
}

function callOf(line: string): Call | undefined {
  const { seconds, name, path = '', text = '', cut, number, result } = CALL.exec(line)?.groups ?? {};
  const file = FILES.find((each) => bytesOf(path).toString().endsWith(`/${each}`));
  if (file === undefined || Number(result) < 0) return undefined;
  if (cut !== undefined) throw new Error('strace did not show a write as a whole');
  return { atMs: Number(seconds) * 1000, file, change: changeOf(name ?? '', text, Number(number)) };
}

/** `-xx` writes every byte as `\\x` and two digits. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}

function changeOf(name: string, text: string, number: number): Call['change'] {
  if (name === 'fsync' || name === 'fdatasync') return 'sync';
  if (name === 'ftruncate') return { kind: 'truncate', length: number };
  if (name === 'pwrite64') {
    return { kind: 'write', offset: number, bytes: bytesOf(text) };
  }
  throw new Error(`${name} writes where the file happens to stand`);
}

/** The bytes of a file, changed in place. */
class Content {
  #bytes: Buffer;
  #length: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
    this.#length = bytes.length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  apply(change: Change): void {
    if (change.kind === 'write') {
      const { offset, bytes } = change;
      this.#resize(Math.max(this.#length, offset + bytes.length));
      bytes.copy(this.#bytes, offset);
    } else this.#resize(change.length);
  }

  /** What a file gains beyond its end is zeros. */
  #resize(length: number): void {
    if (length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * length);
    if (length < this.#length) this.#bytes.fill(0, length, this.#length);
    this.#length = length;
  }
}

/** A file as it is on the disk, and what may or may not have got there since. */
class Disk {
  readonly #synced: Content;
  #open: Change[] = [];

  constructor(base: Buffer) {
    this.#synced = new Content(base);
  }

  take(change: Call['change'], isSynced: boolean): void {
    if (change !== 'sync') this.#open.push(change);
    else if (isSynced) {
      for (const each of this.#open) this.#synced.apply(each);
      this.#open = [];
    }
  }

  /** What a cut leaves. Each sector got there or not; nothing says in which order. */
  afterCut(share: number): Buffer {
    const left = new Content(this.#synced.bytes);
    for (const change of this.#open) for (const part of partOf(change, share)) left.apply(part);
    return left.bytes;
  }
}

/** @param share of the sectors that got there, in hundredths; 0 is none, 100 all */
function partOf(change: Change, share: number): readonly Change[] {
  const isKept = (): boolean => randomInt(100) < share;
  if (change.kind === 'truncate') return isKept() ? [change] : [];
  const sectors: Change[] = [];
  for (let at = 0; at < change.bytes.length; at += SECTOR_BYTES) {
    const bytes = change.bytes.subarray(at, at + SECTOR_BYTES);
    if (isKept()) sectors.push({ kind: 'write', offset: change.offset + at, bytes });
  }
  return sectors;
}

interface Look {
  readonly images: number;
  readonly isSynced: boolean;
  readonly folder: string;
  readonly tell: (line: string) => void;
}

/** Nothing, everything, and parts of what was not synced. */
const SHARES = [0, 100, 50, 90, 10];

function faultsOf({ base, calls, answers }: Recording, { images, isSynced, folder, tell }: Look): readonly string[] {
  const cuts = Array.from({ length: Math.ceil(images / SHARES.length) }, () => randomInt(calls.length)).toSorted(
    (left, right) => left - right,
  );
  const disks = new Map(FILES.map((file) => [file, new Disk(base[file])]));
  const faults: string[] = [];
  let done = 0;
  for (const [index, cut] of cuts.entries()) {
    for (; done < cut; done++) {
      const { file, change } = calls[done] as Call;
      disks.get(file)?.take(change, isSynced);
    }
    const cutAtMs = (calls[cut] as Call).atMs;
    const before = answers.filter(({ atMs }) => atMs <= cutAtMs);
    for (const share of SHARES) {
      for (const [file, disk] of disks) writeFileSync(join(folder, file), disk.afterCut(share));
      faults.push(...faultsOfImage(folder, before).map((fault) => `cut at call ${cut}, ${share} %: ${fault}`));
    }
    if (index % 200 === 199) tell(`${(index + 1) * SHARES.length} images, ${faults.length} faults`);
  }
  return faults;
}

function faultsOfImage(folder: string, answers: readonly Answer[]): readonly string[] {
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
