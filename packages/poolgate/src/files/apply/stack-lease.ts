import type { PoolStore, PoolTransaction } from '@poolgate/pool/store';
import { CommandError } from '../../command-line/command.ts';
import type { System } from '../../process/system.ts';

/** How long a lease lasts. It is extended at each step, so this is how long an apply that was killed blocks the next one. */
const LEASE_MS = 15_000;
const RETRY_MS = 250;
const MAX_WAIT_MS = 120_000;

/** The right to change one stack, which one process has at a time. */
export interface HeldLease {
  /**
   * Writes while the lease is held, and extends it.
   * @throws {CommandError} another apply took over
   */
  write<Result>(work: (transaction: PoolTransaction) => Promise<Result>): Promise<Result>;
}

type LeasePorts = Pick<System, 'clock' | 'random' | 'timer'> & { readonly store: PoolStore };

function createLease({ store, clock }: LeasePorts, stack: string, leaseId: string): HeldLease {
  return {
    write: (work) =>
      store.write(async (transaction) => {
        const nowMs = clock.now();
        const lease = { stack, leaseId, nowMs, untilMs: nowMs + LEASE_MS };
        if (!(await transaction.stacks.extendLease(lease))) {
          throw new CommandError(`another apply took over the stack ${stack}; apply again to see what is left to do`);
        }
        return work(transaction);
      }),
  };
}

/** Waits. The timer alone would let a process end that has nothing else to do. */
function pause({ timer }: LeasePorts, delayMs: number): Promise<void> {
  const awake = setInterval(() => {}, delayMs);
  return new Promise((resolve) => {
    timer.after(delayMs, () => {
      clearInterval(awake);
      resolve();
    });
  });
}

/**
 * Runs some work while no other process changes the stack.
 * @param onWait called once where another apply is at work
 * @throws {CommandError} the other one does not end
 */
export async function withStackLease<Result>(
  ports: LeasePorts,
  stack: string,
  onWait: () => void,
  work: (lease: HeldLease) => Promise<Result>,
): Promise<Result> {
  const { store, clock } = ports;
  const leaseId = Buffer.from(ports.random(16)).toString('hex');
  const startedAtMs = clock.now();
  let hasWaited = false;
  for (;;) {
    const nowMs = clock.now();
    const lease = { stack, leaseId, nowMs, untilMs: nowMs + LEASE_MS };
    if (await store.write((transaction) => transaction.stacks.takeLease(lease))) break;
    if (nowMs - startedAtMs > MAX_WAIT_MS)
      throw new CommandError(`another apply is still at work on the stack ${stack}`);
    if (!hasWaited) onWait();
    hasWaited = true;
    await pause(ports, RETRY_MS);
  }
  try {
    return await work(createLease(ports, stack, leaseId));
  } finally {
    await store.write((transaction) => transaction.stacks.releaseLease(stack, leaseId));
  }
}
