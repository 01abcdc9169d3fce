import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { FileChange } from './disk.ts';

/** The options of `strace` for {@link parseSystemCalls}. */
export const STRACE_OPTIONS = [
  '-f',
  '-ttt',
  '-y',
  '-xx',
  '-s',
  '65536',
  '-e',
  'trace=pwrite64,write,fsync,fdatasync,ftruncate',
];

/** One system call on one file, and its start time. */
export interface SystemCall {
  readonly atMs: number;
  /** The name of the file, without its folder. */
  readonly file: string;
  readonly change: FileChange | 'sync';
}

/** A signal, or the end of a thread. */
const SIGNAL = /^\d+ +\d+\.\d+ (---|\+\+\+)/;

const CALL =
  /^(?<pid>\d+) +(?<seconds>\d+\.\d+) (?<name>\w+)\(\d+<(?<path>[^>]*)>(?:, "(?<text>[^"]*)"(?<cut>\.\.\.)?, \d+)?(?:, (?<number>\d+))?\) += (?<result>-?\d+)/;

/**
 * Returns the completed calls on some files, in order. A call that another thread interrupts takes two lines.
 * @throws {Error} a line has another format, or a write is truncated or has no position in the file
 */
export async function parseSystemCalls(trace: string, files: readonly string[]): Promise<readonly SystemCall[]> {
  const calls: SystemCall[] = [];
  const begun = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(trace) })) {
    const [pid = ''] = line.split(' ', 1);
    if (line.endsWith(' <unfinished ...>')) {
      begun.set(pid, line.slice(0, -' <unfinished ...>'.length));
      continue;
    }
    const rest = /<\.\.\. \w+ resumed>(.*)$/.exec(line)?.[1];
    const call = parseSystemCall(rest === undefined ? line : `${begun.get(pid) ?? ''}${rest}`, files);
    if (call !== undefined) calls.push(call);
  }
  return calls;
}

function parseSystemCall(line: string, files: readonly string[]): SystemCall | undefined {
  if (SIGNAL.test(line)) return undefined;
  const found = CALL.exec(line)?.groups;
  if (found === undefined) throw new Error(`strace wrote a line that nobody understands: ${line.slice(0, 200)}`);
  const { seconds, name = '', path = '', text = '', cut, number } = found;
  const result = Number(found.result);
  const file = files.find((each) => parseBytes(path).toString().endsWith(`/${each}`));
  if (file === undefined || result < 0) return undefined;
  if (cut !== undefined) throw new Error('strace did not show a write as a whole');
  return {
    atMs: Number(seconds) * 1000,
    file,
    change: toFileChange(name, parseBytes(text).subarray(0, result), Number(number)),
  };
}

/** `-xx` writes every byte as `\x` and two digits. */
function parseBytes(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}

function toFileChange(name: string, bytes: Buffer, number: number): SystemCall['change'] {
  if (name === 'fsync' || name === 'fdatasync') return 'sync';
  if (name === 'ftruncate') return { kind: 'truncate', length: number };
  if (name === 'pwrite64') return { kind: 'write', offset: number, bytes };
  throw new Error(`${name} writes where the file happens to stand`);
}
