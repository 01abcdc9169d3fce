import type { Container } from '../container/container.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import { createSteadyTime } from '../process/steady-time.ts';
import { HOST_SYSTEM } from '../process/system.ts';

const SWEEP_EVERY_MS = 10 * 60_000;

/**
 * Removes expired rows every ten minutes, one sweep at a time. Every read rejects expired rows, so a failed sweep only leaves them for the
 * next one. Sweeps that always fail fill the disk, so failures are logged.
 * @returns ends it
 */
export function startExpirySweeper(
  { store, records, clock }: Pick<Container, 'store' | 'records' | 'clock'>,
  log: WriteLogLine,
) {
  // A clock from a test or an integrator is correct by definition.
  const time = clock === HOST_SYSTEM.clock ? createSteadyTime(clock, () => performance.now()) : () => clock.now();
  let isStopped = false;
  let isSweeping = false;

  async function sweep(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    const nowMs = time();
    const ends = await Promise.allSettled([store.sweep(nowMs), records.sweep(nowMs)]);
    isSweeping = false;
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed === undefined || isStopped) return;
    const { name = 'unknown' } = (failed.reason ?? {}) as { readonly name?: string };
    log('warn', 'Some expired rows could not be removed, so the database keeps growing.', { failure: name });
  }

  const timer = setInterval(() => void sweep(), SWEEP_EVERY_MS).unref();
  return (): void => {
    isStopped = true;
    clearInterval(timer);
  };
}
