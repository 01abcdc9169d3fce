import {
  bigIntEngine,
  powModSteps,
  type RandomBytes,
  type SrpEngine,
  type SrpGroup,
  secureRandom,
} from '@poolgate/srp';
import { type SrpRunner, toUnexpectedResponseError } from './srp-runner.ts';
import { SRP_TASKS, type SrpTask, type SrpTasks } from './srp-tasks.ts';

/** How long a slice may block the page. */
const SLICE_MS = 8;

/** Options of {@link createSlicedRunner}. */
export interface SlicedRunnerOptions {
  readonly random?: RandomBytes;
  /** Yields to other work. */
  readonly rest?: () => Promise<void>;
  /** The milliseconds of any monotonic clock. */
  readonly now?: () => number;
}

interface PowerInput {
  readonly base: bigint;
  readonly exponent: bigint;
  readonly group: SrpGroup;
}

/** Thrown for a power that was not computed yet. */
class MissingPowerError extends Error {
  readonly power: PowerInput;

  constructor(power: PowerInput) {
    super('a power is missing');
    this.power = power;
  }
}

/**
 * Computes on this thread, in slices. Only powers take long. A task runs up to the first unknown power, which is then computed in slices.
 * Afterwards the task restarts with the same random bytes.
 */
export function createSlicedRunner(options: SlicedRunnerOptions = {}): SrpRunner {
  const { random = secureRandom, rest = yieldToPage, now = () => performance.now() } = options;
  return async (task, input) => {
    const drawn = new Set<Uint8Array>();
    const known: bigint[] = [];
    for (;;) {
      const outcome = attemptTask(task, input, {
        engine: createReplayEngine(known),
        random: createReplayRandom(random, drawn),
      });
      if (!('power' in outcome)) return outcome.output;
      known.push(await computePowerInSlices(outcome.power, rest, now));
    }
  };
}

type TaskOutcome<Task extends SrpTask> = { readonly output: SrpTasks[Task]['output'] } | { readonly power: PowerInput };

function attemptTask<Task extends SrpTask>(
  task: Task,
  input: SrpTasks[Task]['input'],
  dependencies: { readonly engine: SrpEngine; readonly random: RandomBytes },
): TaskOutcome<Task> {
  try {
    return { output: SRP_TASKS[task](dependencies, input) };
  } catch (error) {
    if (error instanceof MissingPowerError) return { power: error.power };
    throw toUnexpectedResponseError(error);
  }
}

/** The n-th power is the same each time the task restarts. */
function createReplayEngine(known: readonly bigint[]): SrpEngine {
  const before = known.values();
  const powMod: SrpEngine['powMod'] = (base, exponent, group) => {
    const { value } = before.next();
    if (value === undefined) throw new MissingPowerError({ base, exponent, group });
    return value;
  };
  return { ...bigIntEngine, powMod, powModPublic: powMod };
}

/** The n-th random bytes are the same each time the task restarts. */
function createReplayRandom(random: RandomBytes, drawn: Set<Uint8Array>): RandomBytes {
  const before = drawn.values();
  return (length) => {
    const bytes = before.next().value ?? random(length);
    drawn.add(bytes);
    return bytes;
  };
}

async function computePowerInSlices(power: PowerInput, rest: () => Promise<void>, now: () => number): Promise<bigint> {
  const steps = powModSteps(power.base, power.exponent, power.group);
  let begun = now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (now() - begun < SLICE_MS) continue;
    await rest();
    begun = now();
  }
}

interface Scheduler {
  yield?(): Promise<void>;
}

function yieldToPage(): Promise<void> {
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler };
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}
