import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openedStore } from './opened-store.ts';
import { countWins, RACERS } from './races.ts';
import { sampleIdempotencyClaim } from './sample-account-records.ts';
import type { StoreLocation } from './store-locations.ts';

/** What every store must do for requests with an `Idempotency-Key`. Each test uses a key of its own. */
export function idempotencyContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`idempotency keys on ${locationName}`, () => {
    const store = openedStore(makeLocation);
    const records = () => store().records;

    it('are claimed by one of fifty; the others see its claim', async () => {
      const claims = await Promise.all(
        Array.from({ length: RACERS }, (_, index) =>
          records().claimIdempotencyKey(
            { ...sampleIdempotencyClaim('race'), requestDigestHex: `request-${index}` },
            50,
          ),
        ),
      );
      const winner = claims.indexOf(undefined);
      const seen = { ...sampleIdempotencyClaim('race'), requestDigestHex: `request-${winner}` };
      assert.deepEqual(
        claims.filter((claim) => claim !== undefined),
        Array.from({ length: RACERS - 1 }, () => seen),
      );
    });

    it('give the answer to whoever comes again, until it expires', async () => {
      assert.equal(await records().claimIdempotencyKey(sampleIdempotencyClaim('answered'), 50), undefined);
      await records().storeIdempotentAnswer('answered', 'sealed-answer', 200);
      await records().storeIdempotentAnswer('answered', 'another', 900);
      await records().releaseIdempotencyKey('answered');
      const answered = { ...sampleIdempotencyClaim('answered'), answerEncrypted: 'sealed-answer', expiresAtMs: 200 };
      const again = { ...sampleIdempotencyClaim('answered'), requestDigestHex: 'another', expiresAtMs: 300 };
      assert.deepEqual(await records().claimIdempotencyKey(again, 199), answered);
      assert.equal(await records().claimIdempotencyKey(again, 200), undefined);
      assert.deepEqual(await records().claimIdempotencyKey(again, 201), again);
    });

    it('can be claimed again once the claim was given up, or has lapsed without an answer', async () => {
      await records().claimIdempotencyKey(sampleIdempotencyClaim('released'), 50);
      await records().releaseIdempotencyKey('released');
      assert.equal(await records().claimIdempotencyKey(sampleIdempotencyClaim('released'), 50), undefined);
      assert.deepEqual(
        await records().claimIdempotencyKey(sampleIdempotencyClaim('released'), 99),
        sampleIdempotencyClaim('released'),
      );
      const later = { ...sampleIdempotencyClaim('released'), expiresAtMs: 200 };
      assert.equal(await countWins(async () => (await records().claimIdempotencyKey(later, 100)) === undefined), 1);
    });

    it('have one holder at a time, however many claim them and give them up', async () => {
      let holders = 0;
      const claimAndRelease = async () => {
        if ((await records().claimIdempotencyKey(sampleIdempotencyClaim('churn'), 50)) !== undefined) return;
        holders += 1;
        assert.equal(holders, 1);
        await store().poolStore.pools.first();
        holders -= 1;
        await records().releaseIdempotencyKey('churn');
      };
      await Promise.all(Array.from({ length: RACERS }, claimAndRelease));
      assert.equal(await records().claimIdempotencyKey(sampleIdempotencyClaim('churn'), 50), undefined);
    });

    it('are swept once they have expired', async () => {
      await records().claimIdempotencyKey({ ...sampleIdempotencyClaim('old'), expiresAtMs: 40 }, 10);
      await records().claimIdempotencyKey({ ...sampleIdempotencyClaim('new'), expiresAtMs: 41 }, 10);
      await records().sweep(40);
      assert.equal(await records().claimIdempotencyKey(sampleIdempotencyClaim('old'), 10), undefined);
      assert.equal((await records().claimIdempotencyKey(sampleIdempotencyClaim('new'), 10))?.expiresAtMs, 41);
    });
  });
}
