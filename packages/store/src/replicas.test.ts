import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStore, type Store } from './open-store.ts';
import { RACERS } from './testing/races.ts';
import {
  sampleEvent,
  sampleGroup,
  sampleIdempotencyClaim,
  sampleNotMeLink,
  sampleWebhook,
} from './testing/sample-account-records.ts';
import { insertSamplePool } from './testing/sample-records.ts';
import { PERSISTENT_LOCATIONS, type StoreLocation } from './testing/store-locations.ts';

for (const [locationName, makeLocation] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`two replicas on one ${locationName}`, () => {
    let location: StoreLocation;
    let replicas: readonly [Store, Store];

    before(async () => {
      location = await makeLocation();
      replicas = [await openStore(location.url), await openStore(location.url)];
    });
    after(async () => {
      for (const replica of replicas ?? []) await replica.close();
      await location?.remove();
    });

    /** Runs the same work on both, many times at once. */
    const race = <Outcome>(work: (replica: Store, racer: number) => Promise<Outcome>): Promise<readonly Outcome[]> =>
      Promise.all(Array.from({ length: RACERS }, (_, index) => work(replicas[index % 2 === 0 ? 0 : 1], index)));

    it("see each other's writes at once", async () => {
      const [one, other] = replicas;
      await insertSamplePool(one.poolStore, 'seen', 'u');
      await one.poolStore.write((transaction) => transaction.groups.insert(sampleGroup('seen', 'g')));
      await other.poolStore.write((transaction) => transaction.groups.addMember('seen', 'g', 'u', 1));
      assert.equal((await one.poolStore.users.byUsername('seen', 'u'))?.groups.length, 1);
      await one.poolStore.write((transaction) => transaction.users.delete('seen', 'u'));
      assert.equal(await other.poolStore.users.byName('seen', 'u'), undefined);
    });

    it('lease each delivery to one of them', async () => {
      await replicas[0].records.webhooks.insert(sampleWebhook('w'));
      const appended = await race(async (replica, racer) => {
        await replica.records.events.append(sampleEvent('leases', `event-${racer}`));
        return `event-${racer}`;
      });
      const leased: string[] = [];
      await race(async ({ records }) => {
        let deliveries = await records.deliveries.lease(100, 200, 3);
        while (deliveries.length > 0) {
          leased.push(...deliveries.map(({ event }) => event.id));
          deliveries = await records.deliveries.lease(100, 200, 3);
        }
      });
      assert.deepEqual(leased.toSorted(), appended.toSorted());
      await replicas[1].records.webhooks.delete('w');
    });

    it('let one claim an idempotency key, and show its claim to all others', async () => {
      const claims = await race(({ records }, racer) =>
        records.idempotencyKeys.claim({ ...sampleIdempotencyClaim('key'), requestDigestHex: `request-${racer}` }, 50),
      );
      const winner = claims.indexOf(undefined);
      assert.deepEqual(
        new Set(claims.filter((claim) => claim !== undefined).map((claim) => claim.requestDigestHex)),
        new Set([`request-${winner}`]),
      );
      assert.equal(claims.filter((claim) => claim === undefined).length, 1);
    });

    it('let one take a not-me link', async () => {
      await insertSamplePool(replicas[0].poolStore, 'links', 'u');
      await replicas[0].poolStore.write((transaction) =>
        transaction.notMeLinks.insert(sampleNotMeLink('links', 'u', 'digest')),
      );
      const taken = await race(({ poolStore }) =>
        poolStore.write((transaction) => transaction.notMeLinks.take('digest', 50)),
      );
      assert.deepEqual(
        taken.filter((link) => link !== undefined),
        [sampleNotMeLink('links', 'u', 'digest')],
      );
    });

    it('let one delete a user', async () => {
      await insertSamplePool(replicas[0].poolStore, 'names', 'u');
      const deleted = await race(({ poolStore }) =>
        poolStore.write((transaction) => transaction.users.delete('names', 'u')),
      );
      assert.equal(deleted.filter(Boolean).length, 1);
    });
  });
}
