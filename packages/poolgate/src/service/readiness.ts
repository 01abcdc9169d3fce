import type { DeliveryReport, Timer } from '@poolgate/pool';
import { storeName } from '@poolgate/store';
import type { Container } from '../container/container.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import type { ServedPool } from '../providers/backend.ts';
import { MAP_TRIGGERS_ADVICE } from '../triggers/trigger-logs.ts';

/** How long a part of the service has to answer before it counts as not ready. */
const CHECK_TIMEOUT_MS = 3_000;

/** Tokens that were issued by a clock so wrong are refused, or not yet good, elsewhere. */
const CLOCK_TOLERANCE_MS = 60_000;

/** A sender that failed so often in a row, and never between, does not send. */
const FAILURES_IN_A_ROW = 5;

/** Anyone may call /readyz, so a check that costs something counts for this long once it has passed. One that failed runs again. */
export const CHECK_CACHE_MS = 1_000;

/** How long it may take until a change of a pool's triggers shows. */
const TRIGGERS_KNOWN_MS = 5_000;

/** A part of the service: how it stands, and whether it cannot serve without. */
export interface ReadinessCheck {
  readonly name: 'store' | 'keys' | 'clock' | 'senders' | 'triggers';
  /** False: it is reported, and the service serves on. */
  readonly isVital: boolean;
  readonly holds: () => Promise<boolean>;
  /** Whether it holds where it does not answer in time. Default: it does not. */
  readonly holdsIfLate?: () => boolean;
}

/** A look at the parts of a service. */
export interface Readiness {
  readonly checks: readonly ReadinessCheck[];
  /** How each part stands now; one that does not answer in time does not hold. */
  runChecks(): Promise<readonly { readonly check: string; readonly isVital: boolean; readonly holds: boolean }[]>;
  /** Told what became of messages. */
  recordDelivery(report: DeliveryReport): void;
}

/** Whether messages leave: none was tried, or not the last few of a channel failed. */
function createSenderCheck() {
  const failures = new Map<string, number>();
  return {
    delivered({ channel, result, failure }: DeliveryReport): void {
      // A message that waits for its trigger was never given to the sender.
      if (failure?.startsWith('trigger_')) return;
      failures.set(channel, result === 'sent' ? 0 : (failures.get(channel) ?? 0) + 1);
    },
    holds: async () => [...failures.values()].every((inARow) => inARow < FAILURES_IN_A_ROW),
  };
}

/** Runs a check once for all who ask at the same time, and believes a success for a moment. */
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

/** Whether the store answers, and takes writes: one that is full or read-only still answers reads. */
function createStoreCheck({ records, timer }: Pick<Container, 'records' | 'timer'>): () => Promise<boolean> {
  const takesWrites = cacheSuccess(timer, () => records.takesWrites());
  return async () => (await records.ready()) && takesWrites();
}

/**
 * Whether every trigger of a pool is mapped. Looking reads the settings of all pools, so an answer counts for a while whatever it is.
 * A store that does not answer says nothing about triggers: then the last answer stands.
 */
function createTriggerCheck({ backend, timer }: Pick<Container, 'backend' | 'timer'>) {
  let last = true;
  let answer: Promise<boolean> | undefined;
  const look = async (): Promise<boolean> => {
    try {
      last = (await backend.unmappedTriggers()).length === 0;
    } catch {
      // The check of the store reports it.
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

/** The clock of this machine against that of the database's server, where there is one. */
async function isClockInSync({ figures, clock }: Pick<Container, 'figures' | 'clock'>): Promise<boolean> {
  // A clock that a test or an integrator gives is right by definition.
  if (clock !== HOST_SYSTEM.clock) return true;
  const { serverNowMs } = await figures();
  return serverNowMs === null || Math.abs(serverNowMs - clock.now()) < CLOCK_TOLERANCE_MS;
}

/** What an operator does about a part that does not hold. */
function formatAdvice(check: ReadinessCheck['name'], { isInPlace, configuration }: Container): string {
  const { databaseUrl } = configuration.settings;
  if (check === 'store' && !isInPlace()) {
    return `The ${storeName(databaseUrl)} was deleted or replaced while this service runs on it: what it writes is lost. Put the file back, and restart the service.`;
  }
  return ADVICE[check];
}

const ADVICE: Readonly<Record<ReadinessCheck['name'], string>> = {
  store: 'The database does not answer, or takes no writes.',
  keys: 'This process cannot decrypt what a login needs. Check that POOLGATE_SECRET holds the secret that the database is encrypted with (poolgate doctor), and restart the service.',
  clock: 'The clock of this machine differs from that of the database server by a minute or more.',
  senders: 'The last messages could not be sent.',
  triggers: `A pool names a trigger that is not mapped: what needs it fails, and messages wait. ${MAP_TRIGGERS_ADVICE}`,
};

/** Logs that a part stopped or began to hold, once each time. */
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

/** Looks whether users can log in: the store answers and takes writes, what a login needs can be decrypted, the clock is right, messages leave. */
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
