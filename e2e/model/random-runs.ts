import fc from 'fast-check';
import { ACTS, type ActName } from './acts/index.ts';
import { everybodyCanLogIn } from './everybody-can-log-in.ts';
import { perform } from './perform.ts';
import { Run } from './run.ts';
import type { ModelledService } from './setting.ts';
import type { TransitionId } from './transitions.ts';

/** An act as a command of fast-check. */
class Command implements fc.AsyncCommand<Run, Run> {
  readonly #name: ActName;
  readonly #args: unknown;

  constructor(name: ActName, args: unknown) {
    this.#name = name;
    this.#args = args;
  }

  check(): boolean {
    return true;
  }

  async run(run: Run): Promise<void> {
    await perform(run, this.#name, this.#args);
  }

  toString(): string {
    return `${this.#name} ${JSON.stringify(this.#args)}`;
  }
}

const createCommands = (name: ActName): fc.Arbitrary<Command> =>
  (ACTS[name].args as fc.Arbitrary<unknown>).map((args) => new Command(name, args));

const NAMES = Object.keys(ACTS) as readonly ActName[];

/** Acts by weight. fast-check draws from a list that contains each as often as its weight. */
const COMMANDS = NAMES.flatMap((name) => Array.from({ length: ACTS[name].weight }, () => createCommands(name)));

/** How many runs of how many acts, from which seed. */
export interface Extent {
  readonly runs: number;
  readonly acts: number;
  readonly seed: number;
}

/** What the runs covered. */
export interface Walked {
  readonly acts: number;
  readonly covered: ReadonlySet<TransitionId>;
}

/**
 * Drives the service with random acts and compares every response with the model. Rejects with the shortest list of acts that still shows
 * the fault, and with its seed.
 */
export async function runRandomly(world: ModelledService, { runs, acts, seed }: Extent): Promise<Walked> {
  const covered = new Set<TransitionId>();
  let done = 0;
  const property = fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: acts, size: 'max' }), async (commands) => {
    const run = new Run(world);
    await run.begin();
    await fc.asyncModelRun(() => ({ model: run, real: run }), commands);
    await everybodyCanLogIn(run);
    for (const id of run.ledger.covered) covered.add(id);
    done += [...commands].length;
  });
  await fc.assert(property, { numRuns: runs, seed, endOnFailure: false });
  return { acts: done, covered };
}
