import type { PoolReads, PoolTransaction } from '@poolgate/pool/store';
import type { Challenge, PoolChallengeName } from '../../../packages/pool/src/login/challenges/challenge.ts';
import { POOL_CHALLENGES } from '../../../packages/pool/src/login/challenges/pool-challenges.ts';
import { NEXT_STEPS, type NextStep, type NextStepRule } from '../../../packages/pool/src/login/next-step.ts';
import type { ActName, ArgsOf } from '../acts/index.ts';
import type { Parts } from '../assembly.ts';

/** One act of a directed run. */
export type Scripted = { readonly [Name in ActName]: readonly [Name, ArgsOf<Name>] }[ActName];

/** A mistake that could be made in the service, and the run that reveals it. */
export interface Fault {
  /** The kind of mistake. */
  readonly name: string;
  /** The parts to replace in a service with this mistake. */
  readonly parts?: Partial<Parts>;
  /** Replaces rows of a table of the pool, and returns what restores them. */
  readonly plant?: () => () => void;
  /** True if only required MFA reveals it. */
  readonly isMfaRequired?: boolean;
  /** True if only a pool with triggers reveals it. */
  readonly hasTriggers?: boolean;
  readonly script: readonly Scripted[];
}

/** A part with some members replaced. */
export function altered<Part extends object>(real: Part, members: Partial<Part>): Part {
  return new Proxy(real, {
    get(target, key) {
      if (Object.hasOwn(members, key)) return Reflect.get(members, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A store with some methods of its aggregates replaced. */
type Altered<Port extends PoolReads> = { readonly [Aggregate in keyof Port]?: Partial<Port[Aggregate]> };

function alteredPort<Port extends PoolReads>(
  port: Port,
  aggregates: Altered<PoolReads> | Altered<PoolTransaction>,
): Port {
  const names = Object.keys(aggregates) as (keyof typeof aggregates)[];
  const members = names.map((name) => [name, altered<object>(port[name], aggregates[name] ?? {})] as const);
  return altered<Port>(port, Object.fromEntries(members) as Partial<Port>);
}

/** A store that reads wrongly, also inside writes. */
export function misreading(reads: (real: PoolReads) => Altered<PoolReads>): Partial<Parts> {
  return {
    store: (store) =>
      altered(alteredPort(store, reads(store)), {
        write: (work) => store.write((transaction) => work(alteredPort(transaction, reads(transaction)))),
      }),
  };
}

/** A store that writes wrongly. */
export function miswriting(writes: (real: PoolTransaction) => Altered<PoolTransaction>): Partial<Parts> {
  return {
    store: (store) =>
      altered(store, {
        write: (work) => store.write((transaction) => work(alteredPort(transaction, writes(transaction)))),
      }),
  };
}

/** Replaces rows of the order of a login. */
export function reordered(change: (rows: readonly NextStepRule[]) => readonly NextStepRule[]): () => () => void {
  return () => {
    const rows = NEXT_STEPS as NextStepRule[];
    const before = [...rows];
    rows.splice(0, rows.length, ...change(before));
    return () => void rows.splice(0, rows.length, ...before);
  };
}

/** The order without the rows that lead to a challenge. */
export function without(...names: readonly PoolChallengeName[]): () => () => void {
  const leadsThere = ({ step }: { readonly step: NextStep }) => step.kind === 'challenge' && names.includes(step.name);
  return reordered((rows) => rows.filter((row) => !leadsThere(row)));
}

/** Replaces one challenge with another. */
export function replaced(name: PoolChallengeName, change: (real: Challenge) => Partial<Challenge>): () => () => void {
  return () => {
    const table = POOL_CHALLENGES as Record<PoolChallengeName, Challenge>;
    const real = table[name];
    table[name] = { ...real, ...change(real) } as Challenge;
    return () => {
      table[name] = real;
    };
  };
}
