import { stat } from 'node:fs/promises';
import { CommandError } from '../command-line/command.ts';
import type { Environment } from '../config/setting-sources.ts';
import type { Container } from '../container/container.ts';
import { FileApplier } from '../files/apply/apply-files.ts';
import { SourceProblems } from '../files/sources/source-problems.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import { StartError } from '../process/start-error.ts';
import type { ServedPool } from '../providers/backend.ts';

type Served = Container & ServedPool;

function createApplier(container: Served, environment: Environment, path: string): FileApplier | undefined {
  const pool = container.backend.embedded?.pool;
  if (pool === undefined) return undefined;
  const request = {
    operands: [path],
    parameters: new Map<string, string>(),
    environment,
    isReplacementAllowed: false,
    isPruning: false,
  };
  return new FileApplier({ container, pool }, request);
}

/** Applies the file. Returns the files that it was read from. */
async function applyFile(
  container: Served,
  environment: Environment,
  path: string,
  log: WriteLogLine,
): Promise<readonly string[]> {
  const applier = createApplier(container, environment, path);
  if (applier === undefined) return [];
  const stacks = await applier.findStacks();
  await applier.plan(stacks);
  await applier.apply(
    stacks,
    (line) => log('info', `POOLGATE_APPLY: ${line}`),
    (stack) => log('info', `POOLGATE_APPLY: waiting for another apply of the stack ${stack}`),
  );
  return stacks.map(({ file }) => file);
}

const isFileFault = (error: unknown): error is Error =>
  error instanceof SourceProblems || error instanceof CommandError;

/**
 * Applies the file or folder of `POOLGATE_APPLY`. Nothing is removed and no pool is replaced.
 * @returns the files that it consists of
 * @throws {StartError} `setting_refused`: the file is refused; nothing was changed
 */
export async function applyConfiguredFile(
  container: Served,
  environment: Environment,
  log: WriteLogLine,
): Promise<readonly string[]> {
  const { applyFile: path } = container.configuration.settings;
  if (path === undefined) return [];
  try {
    return await applyFile(container, environment, path, log);
  } catch (error) {
    if (isFileFault(error)) throw new StartError('setting_refused', `POOLGATE_APPLY: ${error.message}`, error);
    throw error;
  }
}

const LOOK_MS = 500;

async function readVersion(files: readonly string[]): Promise<string> {
  const stats = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  return stats.map((found) => `${found?.mtimeMs} ${found?.size}`).join();
}

/** In development, applies the file again when it changes. What is wrong with it is logged, and the pools stay as they are. */
export function watchConfiguredFile(
  container: Served,
  environment: Environment,
  files: readonly string[],
  log: WriteLogLine,
): () => Promise<void> {
  const { configuration, timer } = container;
  const { applyFile: path } = configuration.settings;
  if (path === undefined || files.length === 0 || configuration.mode !== 'development') return async () => {};
  let known = readVersion(files);
  let isStopped = false;
  let running = Promise.resolve();
  let stopTimer = (): void => {};
  const look = async (): Promise<void> => {
    const [before, now] = [await known, await readVersion(files)];
    known = Promise.resolve(now);
    if (now === before) return;
    try {
      await applyFile(container, environment, path, log);
    } catch (error) {
      if (!isFileFault(error)) throw error;
      log('warn', `POOLGATE_APPLY: ${error.message}`);
    }
  };
  const schedule = (): void => {
    stopTimer = timer.after(LOOK_MS, () => {
      running = look()
        .catch((error: unknown) => log('error', `POOLGATE_APPLY: ${String(error)}`))
        .then(() => {
          if (!isStopped) schedule();
        });
    });
  };
  schedule();
  return async () => {
    isStopped = true;
    stopTimer();
    await running;
  };
}
