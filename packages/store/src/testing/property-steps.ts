import type { PoolTransaction } from '@poolgate/pool/store';
import fc from 'fast-check';
import type { Store } from '../open-store.ts';

/** The target of a run: its own pool, so that runs share the databases. */
export interface StepTarget {
  readonly store: Store;
  readonly pool: string;
}

/** One step of a sequence. */
export interface Step {
  readonly name: string;
  run(target: StepTarget): Promise<unknown>;
}

// Few values, so that sequences meet the same rows again, with names that collations and encodings could confuse.
const username = fc.constantFrom('a', 'B', 'é', 'e\u0301', 'ß', '🦊', 'a b', "o'x", '');

/** The possible ids. */
export const IDS = ['i1', 'i2', 'i3'] as const;

/** One of {@link IDS}. */
export const idArbitrary = fc.constantFrom(...IDS);

/** A time in milliseconds. */
export const timeArbitrary = fc.integer({ min: 0, max: 40 });
const attributes = fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ unit: 'grapheme', maxLength: 5 }), {
  maxKeys: 3,
});

type WriteWork = (transaction: PoolTransaction, pool: string) => Promise<unknown>;
type ReadWork = (target: StepTarget) => Promise<unknown>;

/** A step that writes. */
export const createWriteStep =
  <Drawn>(name: string, make: (drawn: Drawn) => WriteWork) =>
  (drawn: Drawn): Step => ({
    name: `${name} ${JSON.stringify(drawn)}`,
    run: ({ store, pool }) => store.poolStore.write((transaction) => make(drawn)(transaction, pool)),
  });

/** A step that reads, or writes with one statement. */
export const createReadStep =
  <Drawn>(name: string, make: (drawn: Drawn) => ReadWork) =>
  (drawn: Drawn): Step => ({ name: `${name} ${JSON.stringify(drawn)}`, run: (target) => make(drawn)(target) });

/** Input of steps about users. */
export const userStepInput = fc.record({
  username,
  other: username,
  time: timeArbitrary,
  attributes,
  flag: fc.boolean(),
});

/** Input of steps about things with an id. */
export const identifiedStepInput = fc.record({
  username,
  id: idArbitrary,
  time: timeArbitrary,
  generation: fc.integer({ min: 0, max: 2 }),
});

/** A username that nearly always exists. */
export const ownerArbitrary = fc.constantFrom('a', 'é', 'a', 'é', 'B');

/** Input of steps about users' belongings. */
export const ownedStepInput = fc.record({
  username: ownerArbitrary,
  id: idArbitrary,
  time: timeArbitrary,
  generation: fc.integer({ min: 0, max: 2 }),
});
