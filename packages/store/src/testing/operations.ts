import type { PoolTransaction } from '@poolgate/pool/store';
import fc from 'fast-check';
import type { Store } from '../open.ts';

/** What a run works on: a pool of its own, so that runs share the databases. */
export interface World {
  readonly store: Store;
  readonly pool: string;
}

/** One step of a sequence. */
export interface Operation {
  readonly name: string;
  run(world: World): Promise<unknown>;
}

// Few values, so that sequences meet the same rows again; names that collations and encodings could confuse.
const username = fc.constantFrom('a', 'B', 'é', 'e\u0301', 'ß', '🦊', 'a b', "o'x", '');

/** The ids that are drawn. */
export const IDS = ['i1', 'i2', 'i3'] as const;

/** One of {@link IDS}. */
export const id = fc.constantFrom(...IDS);

/** A time in milliseconds. */
export const time = fc.integer({ min: 0, max: 40 });
const attributes = fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ unit: 'grapheme', maxLength: 5 }), {
  maxKeys: 3,
});

type Change = (transaction: PoolTransaction, pool: string) => Promise<unknown>;
type Ask = (world: World) => Promise<unknown>;

/** A step that writes. */
export const write =
  <Drawn>(name: string, make: (drawn: Drawn) => Change) =>
  (drawn: Drawn): Operation => ({
    name: `${name} ${JSON.stringify(drawn)}`,
    run: ({ store, pool }) => store.poolStore.write((transaction) => make(drawn)(transaction, pool)),
  });

/** A step that reads, or writes by one statement. */
export const ask =
  <Drawn>(name: string, make: (drawn: Drawn) => Ask) =>
  (drawn: Drawn): Operation => ({ name: `${name} ${JSON.stringify(drawn)}`, run: (world) => make(drawn)(world) });

/** What is drawn for steps about users. */
export const named = fc.record({ username, other: username, time, attributes, flag: fc.boolean() });

/** What is drawn for steps about things with an id. */
export const identified = fc.record({ username, id, time, generation: fc.integer({ min: 0, max: 2 }) });

/** A user name; nearly always of somebody who is there. */
export const owner = fc.constantFrom('a', 'é', 'a', 'é', 'B');

/** What is drawn for steps about what users have. */
export const owned = fc.record({ username: owner, id, time, generation: fc.integer({ min: 0, max: 2 }) });
