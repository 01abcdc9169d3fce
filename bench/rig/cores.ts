import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The core of everything that is measured: servers, and computations in this process. */
export const MEASURED_CORE = 0;
/** The core of the load and of the clock that measures a start. */
const LOAD_CORE = 1;

const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/** Whether processes can be bound to cores here; otherwise the ratios are noisier, and the report says so. */
export const canBindCores: boolean = hasTaskset && cpus().length > LOAD_CORE;

/** Returns the command line that runs `words` on the measured core. */
export function prefixWithMeasuredCore(words: readonly string[]): readonly string[] {
  return bindWords(MEASURED_CORE, words);
}

/** Returns the command line that runs `words` on the load's core. */
export function prefixWithLoadCore(words: readonly string[]): readonly string[] {
  return bindWords(LOAD_CORE, words);
}

function bindWords(core: number, words: readonly string[]): readonly string[] {
  return canBindCores ? ['taskset', '-c', String(core), ...words] : words;
}

/**
 * Starts a program whose processes must not wait for each other, such as a browser, on all cores, whatever this process is bound to. Its
 * own processes inherit this.
 */
export async function runOnAllCores<Started>(start: () => Promise<Started>): Promise<Started> {
  if (!canBindCores) return start();
  bindThisProcess(`0-${cpus().length - 1}`);
  try {
    return await start();
  } finally {
    bindThisProcess(String(MEASURED_CORE));
  }
}

function bindThisProcess(cores: string): void {
  const { status, stderr } = spawnSync('taskset', ['-apc', cores, String(process.pid)]);
  if (status !== 0) throw new Error(`taskset: ${stderr}`);
}

/** Describes the machine without identifying it. */
export function describeMachine(): string {
  const all = cpus();
  const { node, openssl } = process.versions;
  return `${all.length} cores, ${all[0]?.model.trim() ?? 'unknown CPU'}; ${process.platform}; Node ${node}, OpenSSL ${openssl}`;
}

/** The cores of server and load. */
export const BINDING = canBindCores
  ? 'what is measured is bound to one core, the load to another'
  : 'NOT bound to cores: no taskset, or one core only';
