import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStore, type Store } from '../open-store.ts';
import type { StoreLocation } from './store-locations.ts';

const DAY_MS = 86_400_000;

/** Requirements of every store for announcements of services. */
export function replicasContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`announced replicas on ${locationName}`, () => {
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
    const idsSince = async (sinceMs: number) => (await store.replicas.listSeenSince(sinceMs)).map(({ id }) => id);

    it('are listed while they renew their announcement, until they withdraw it', async () => {
      const one = { id: 'one', name: 'host-b (process 7)', keyIds: ['k-new', 'k-old'], seenAtMs: 1_000 };
      const other = { id: 'other', name: 'host-a (process 7)', keyIds: ['k-old'], seenAtMs: 2_000 };
      await store.replicas.announce(one);
      await store.replicas.announce(other);
      assert.deepEqual(await store.replicas.listSeenSince(1_000), [other, one]);
      assert.deepEqual(await idsSince(1_001), ['other']);
      await store.replicas.announce({ ...one, seenAtMs: 3_000 });
      assert.deepEqual(await idsSince(2_001), ['one']);
      await store.replicas.withdraw('one');
      assert.deepEqual(await idsSince(0), ['other']);
    });

    it('are forgotten a day after they were last seen', async () => {
      await store.replicas.announce({ id: 'gone', name: 'gone', keyIds: [], seenAtMs: 5_000 });
      await store.records.sweep(5_000 + DAY_MS - 1);
      assert.ok((await idsSince(0)).includes('gone'));
      await store.records.sweep(5_000 + DAY_MS);
      assert.equal((await idsSince(0)).includes('gone'), false);
    });
  });
}
