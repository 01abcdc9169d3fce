import { after, before } from 'node:test';
import type { PoolStore } from '@poolgate/pool/store';
import { openStore, type Store } from '../open.ts';
import type { Place } from './places.ts';

/** Keeps a store open at a place of its own for the tests of a suite. Gives what to call in them for it. */
export function storeAt(makePlace: () => Promise<Place>): () => Store {
  let place: Place;
  let store: Store;
  before(async () => {
    place = await makePlace();
    store = await openStore(place.url);
  });
  after(async () => {
    await store?.close();
    await place?.remove();
  });
  return () => store;
}

/** The same for its pool store alone. */
export function openedAt(makePlace: () => Promise<Place>): () => PoolStore {
  const store = storeAt(makePlace);
  return () => store().poolStore;
}
