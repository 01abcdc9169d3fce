import type { DeliveryReport } from '@poolgate/pool';
import type { Container } from '../container.ts';
import type { ServedPool } from '../providers/backend.ts';
import { HOST_SYSTEM } from '../system.ts';

/** How long a part of the service has to answer before it counts as not ready. */
const ANSWER_MS = 3_000;

/** Tokens that were issued by a clock so wrong are refused, or not yet good, elsewhere. */
const CLOCK_TOLERANCE_MS = 60_000;

/** A sender that failed so often in a row, and never between, does not send. */
const FAILURES_IN_A_ROW = 5;

/** Anybody may ask, so that a store that took a write is believed for so long. One that did not is tried again. */
const WRITES_BELIEVED_MS = 1_000;

/** A part of the service: how it stands, and whether it cannot serve without. */
export interface ReadinessCheck {
  readonly name: 'store' | 'keys' | 'clock' | 'senders';
  /** False: it is reported, and the service serves on. */
  readonly isVital: boolean;
  readonly holds: () => Promise<boolean>;
}

/** A look at the parts of a service. */
export interface Readiness {
  readonly checks: readonly ReadinessCheck[];
  /** How each part stands now; one that does not answer in time does not hold. */
  look(): Promise<readonly { readonly check: string; readonly isVital: boolean; readonly holds: boolean }[]>;
  /** Told what became of messages. */
  delivered(report: DeliveryReport): void;
}

/** Whether messages leave: none was tried, or not the last few of a channel failed. */
function senderHealth() {
  const failures = new Map<string, number>();
  return {
    delivered({ channel, result }: DeliveryReport): void {
      failures.set(channel, result === 'sent' ? 0 : (failures.get(channel) ?? 0) + 1);
    },
    holds: async () => [...failures.values()].every((inARow) => inARow < FAILURES_IN_A_ROW),
  };
}

/** Whether the store answers, and takes writes: one that is full or read-only still answers reads. */
function storeHealth({ records, timer }: Pick<Container, 'records' | 'timer'>): () => Promise<boolean> {
  let isBelieved = false;
  let asking: Promise<boolean> | undefined;
  const takesWrites = async (): Promise<boolean> => {
    const takes = await records.takesWrites();
    isBelieved = takes;
    if (takes) timer.after(WRITES_BELIEVED_MS, () => (isBelieved = false));
    return takes;
  };
  return async () => {
    if (!(await records.ready())) return false;
    if (isBelieved) return true;
    asking ??= takesWrites().finally(() => (asking = undefined));
    return asking;
  };
}

/** The clock of this machine against that of the database's server, where there is one. */
async function clockHolds({ figures, clock }: Pick<Container, 'figures' | 'clock'>): Promise<boolean> {
  // A clock that a test or an integrator gives is right by definition.
  if (clock !== HOST_SYSTEM.clock) return true;
  const { serverNowMs } = await figures();
  return serverNowMs === null || Math.abs(serverNowMs - clock.now()) < CLOCK_TOLERANCE_MS;
}

/** Looks whether a service can do what it is there for: its store answers and takes writes, it can sign tokens, its clock is right, its messages leave. */
export function openReadiness(container: Container, { userPoolId }: ServedPool): Readiness {
  const { backend, timer } = container;
  const senders = senderHealth();
  const checks: readonly ReadinessCheck[] = [
    { name: 'store', isVital: true, holds: storeHealth(container) },
    { name: 'keys', isVital: true, holds: () => backend.canSign(userPoolId) },
    { name: 'clock', isVital: true, holds: () => clockHolds(container) },
    { name: 'senders', isVital: false, holds: senders.holds },
  ];
  const inTime = (run: () => Promise<boolean>): Promise<boolean> =>
    new Promise((resolve) => {
      const callOff = timer.after(ANSWER_MS, () => resolve(false));
      const settle = (holds: boolean): void => {
        callOff();
        resolve(holds);
      };
      run().then(settle, () => settle(false));
    });
  return {
    checks,
    look: () =>
      Promise.all(
        checks.map(async ({ name, isVital, holds }) => ({ check: name, isVital, holds: await inTime(holds) })),
      ),
    delivered: senders.delivered,
  };
}
