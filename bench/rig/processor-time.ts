import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second (USER_HZ, fixed on Linux). */
const TICKS_PER_SECOND = 100;

/** Returns the CPU-seconds, user and system, that a process has used, from `/proc/<pid>/stat`. */
export function readCpuSeconds(pid: number): number {
  return readCpuSecondsFrom(`/proc/${pid}/stat`);
}

/** Returns the same for its main thread, which is the event loop of a Node program. */
export function readMainThreadSeconds(pid: number): number {
  return readCpuSecondsFrom(`/proc/${pid}/task/${pid}/stat`);
}

function readCpuSecondsFrom(file: string): number {
  const stat = readFileSync(file, 'utf8');
  // The command's name, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * Returns the CPU-seconds of a process's current threads from the scheduler, which counts in nanoseconds: for work of some milliseconds.
 */
export function readThreadSeconds(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(folder).map((thread) =>
    Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** Returns the CPU-seconds of all processes of the machine, and its host. Interrupts belong to no process. */
export function readMachineCpuSeconds(): number {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = first.trim().split(/\s+/).slice(1).map(Number);
  return (user + nice + system + steal) / TICKS_PER_SECOND;
}

/** Returns the resident memory of a process in MiB. */
export function readResidentMib(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (!found) throw new Error(`process ${pid} has no resident memory`);
  return Number(found[1]) / 1024;
}
