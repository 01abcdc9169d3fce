import type { DeliveryReport, Timer } from '@poolgate/pool';
import { storeName } from '@poolgate/store';
import type { Container } from '../container/container.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import type { ServedPool } from '../providers/backend.ts';
import { MAP_TRIGGERS_ADVICE } from '../triggers/trigger-logs.ts';

/** A part of the service that does not answer within this time counts as not ready. */
const CHECK_TIMEOUT_MS = 3_000;

/** With a larger clock error, other systems reject the tokens as expired or not yet valid. */
const CLOCK_TOLERANCE_MS = 60_000;

/** A sender with this many consecutive failures does not work. */
const FAILURES_IN_A_ROW = 5;

/** Anyone may call /readyz, so a successful expensive check counts for this long. A failed check runs again. */
export const CHECK_CACHE_MS = 1_000;

/** The maximum delay until a change of a pool's triggers shows. */
const TRIGGERS_KNOWN_MS = 5_000;

/** A part of the service: whether it works, and whether the service needs it. */
export interface ReadinessCheck {
  readonly name: 'store' | 'keys' | 'clock' | 'senders' | 'triggers';
  /** False: a failure is reported, and the service continues. */
  readonly isVital: boolean;
  readonly holds: () => Promise<boolean>;
  /** Whether the check passes if it does not answer in time. Default: false. */
  readonly holdsIfLate?: () => boolean;
}

/** Checks the parts of a service. */
export interface Readiness {
  readonly checks: readonly ReadinessCheck[];
  /** Runs all checks. A part that does not answer in time fails. */
  runChecks(): Promise<readonly { readonly check: string; readonly isVital: boolean; readonly holds: boolean }[]>;
  /** Receives the results of messages. */
  recordDelivery(report: DeliveryReport): void;
}

/** Whether messages can be sent: none was tried, or the last few of a channel did not all fail. */
function createSenderCheck() {
  const failures = new Map<string, number>();
  return {
    delivered({ channel, result, failure }: DeliveryReport): void {
      // A message that waits for its trigger never reached the sender.
      if (failure?.startsWith('trigger_')) return;
      failures.set(channel, result === 'sent' ? 0 : (failures.get(channel) ?? 0) + 1);
    },
    holds: async () => [...failures.values()].every((inARow) => inARow < FAILURES_IN_A_ROW),
  };
}

/** Runs a check once for all concurrent callers, and keeps a success for a moment. */
function cacheSuccess(timer: Timer, check: () => Promise<boolean>): () => Promise<boolean> {
  let isBelieved = false;
  let asking: Promise<boolean> | undefined;
  const run = async (): Promise<boolean> => {
    isBelieved = await check();
    if (isBelieved) timer.after(CHECK_CACHE_MS, () => (isBelieved = false));
    return isBelieved;
  };
  return async () => {
    if (isBelieved) return true;
    asking ??= run().finally(() => (asking = undefined));
    return asking;
  };
}

/** Whether the store answers and accepts writes: a full or read-only store still answers reads. */
function createStoreCheck({ records, timer }: Pick<Container, 'records' | 'timer'>): () => Promise<boolean> {
  const takesWrites = cacheSuccess(timer, () => records.takesWrites());
  return async () => (await records.ready()) && takesWrites();
}

/**
 * Whether every trigger of a pool is mapped. The check reads the settings of all pools, so every result is kept for a while. A failing
 * store says nothing about triggers; then the last result stays.
 */
function createTriggerCheck({ backend, timer }: Pick<Container, 'backend' | 'timer'>) {
  let last = true;
  let answer: Promise<boolean> | undefined;
  const look = async (): Promise<boolean> => {
    try {
      last = (await backend.unmappedTriggers()).length === 0;
    } catch {
      // The store's check reports it.
    }
    return last;
  };
  return {
    ifLate: () => last,
    holds(): Promise<boolean> {
      if (answer === undefined) {
        answer = look();
        timer.after(TRIGGERS_KNOWN_MS, () => (answer = undefined));
      }
      return answer;
    },
  };
}

/** Compares this machine's clock with that of the database server, if there is one. */
async function isClockInSync({ figures, clock }: Pick<Container, 'figures' | 'clock'>): Promise<boolean> {
  // A clock from a test or an integrator is correct by definition.
  if (clock !== HOST_SYSTEM.clock) return true;
  const { serverNowMs } = await figures();
  return serverNowMs === null || Math.abs(serverNowMs - clock.now()) < CLOCK_TOLERANCE_MS;
}

/** Returns what an operator should do about a failed part. */
function formatAdvice(check: ReadinessCheck['name'], { isInPlace, configuration }: Container): string {
  const { databaseUrl } = configuration.settings;
  if (check === 'store' && !isInPlace()) {
    return `The ${storeName(databaseUrl)} was deleted or replaced while the service uses it, so its writes are lost. Restore the file and restart the service.`;
  }
  return ADVICE[check];
}

const ADVICE: Readonly<Record<ReadinessCheck['name'], string>> = {
  store: 'The database does not respond or does not accept writes.',
  keys: 'This process cannot decrypt the data that logins need. Check that POOLGATE_SECRET contains the secret that the database is encrypted with (poolgate doctor), and restart the service.',
  clock: 'The clock of this machine differs from that of the database server by a minute or more.',
  senders: 'The last messages could not be sent.',
  triggers: `A trigger of a pool is not mapped, so requests that need it fail and messages wait. ${MAP_TRIGGERS_ADVICE}`,
};

/** Logs each time a part stops or starts to work. */
function createTransitionLog(container: Container, log: WriteLogLine): (check: ReadinessCheck, holds: boolean) => void {
  const failing = new Set<ReadinessCheck['name']>();
  return ({ name, isVital }, holds) => {
    if (holds === !failing.has(name)) return;
    if (holds) {
      failing.delete(name);
      log('info', `Readiness: ${name} is ok again.`);
    } else {
      failing.add(name);
      log(isVital ? 'error' : 'warn', `Readiness: ${name} is failing. ${formatAdvice(name, container)}`);
    }
  };
}

/**
 * Checks whether users can log in: the store accepts reads and writes, the secrets of logins can be decrypted, the clock is correct, and
 * messages are sent.
 */
export function openReadiness(container: Container, served: ServedPool, log: WriteLogLine): Readiness {
  const { backend, timer } = container;
  const note = createTransitionLog(container, log);
  const senders = createSenderCheck();
  const triggers = createTriggerCheck(container);
  const checks: readonly ReadinessCheck[] = [
    { name: 'store', isVital: true, holds: createStoreCheck(container) },
    { name: 'keys', isVital: true, holds: cacheSuccess(timer, () => backend.canServeLogins(served)) },
    { name: 'clock', isVital: true, holds: cacheSuccess(timer, () => isClockInSync(container)) },
    { name: 'senders', isVital: false, holds: senders.holds },
    { name: 'triggers', isVital: false, holds: triggers.holds, holdsIfLate: triggers.ifLate },
  ];
  const inTime = ({ holds, holdsIfLate = () => false }: ReadinessCheck): Promise<boolean> =>
    new Promise((resolve) => {
      const callOff = timer.after(CHECK_TIMEOUT_MS, () => resolve(holdsIfLate()));
      const settle = (answer: boolean): void => {
        callOff();
        resolve(answer);
      };
      holds().then(settle, () => settle(false));
    });
  return {
    checks,
    runChecks: () =>
      Promise.all(
        checks.map(async (check) => {
          const holds = await inTime(check);
          note(check, holds);
          return { check: check.name, isVital: check.isVital, holds };
        }),
      ),
    recordDelivery: senders.delivered,
  };
}
