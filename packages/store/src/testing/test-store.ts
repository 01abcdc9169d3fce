import { after, before } from 'node:test';
import type { PoolStore } from '@poolgate/pool/store';
import { openStore, type Store } from '../open-store.ts';
import type { StoreLocation } from './store-locations.ts';

/** Keeps a store open at its own location for the tests of a suite. Returns a function that tests call to get it. */
export function openStoreForTests(makeLocation: () => Promise<StoreLocation>): () => Store {
  let location: StoreLocation;
  let store: Store;
  before(async () => {
    location = await makeLocation();
    store = await openStore(location.url);
  });
  after(async () => {
    await store?.close();
    await location?.remove();
  });
  return () => store;
}

/** The same for its pool store alone. */
export function openPoolStoreForTests(makeLocation: () => Promise<StoreLocation>): () => PoolStore {
  const store = openStoreForTests(makeLocation);
  return () => store().poolStore;
}
