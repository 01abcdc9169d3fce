import assert from 'node:assert/strict';
import type { Store } from '../open-store.ts';
import { samplePasskey } from './sample-records.ts';

const POOL = 'us-east-1_Fixture01';

/** An old database has no passkeys, and none can be created until its pool is configured. */
export async function assertNoPasskeys({ poolStore, records }: Store): Promise<void> {
  assert.equal((await poolStore.pools.byId(POOL))?.settings.webAuthn, null);
  assert.deepEqual(await poolStore.passkeys.listOf(POOL, 'ada'), []);
  assert.deepEqual(await records.localPasskeys.list(POOL, 'sub-ada'), []);
  const passkey = samplePasskey(POOL, 'ada', 'c');
  await poolStore.write((transaction) => transaction.passkeys.insert(passkey));
  assert.deepEqual(await poolStore.passkeys.listOf(POOL, 'ada'), [passkey]);
}

/** The content of the third version's passkey rows, in any later version. */
export async function assertPasskeys({ poolStore, records }: Store): Promise<void> {
  assert.deepEqual((await poolStore.pools.byId(POOL))?.settings.webAuthn, {
    relyingPartyId: 'issuer.test',
    origins: ['https://issuer.test', 'https://app.issuer.test'],
    userVerification: 'required',
    factorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
  });
  const ofAda = { poolId: POOL, username: 'ada', relyingPartyId: 'issuer.test' };
  assert.deepEqual(await poolStore.passkeys.listOf(POOL, 'ada'), [
    {
      ...ofAda,
      credentialId: 'Y3JlZGVudGlhbC0x',
      publicKey: 'cose-key-1',
      counter: 4_294_967_295,
      transports: ['internal', 'hybrid'],
      attachment: 'platform',
      aaguid: 'adce0002-35bc-c60a-648b-0b25f1f05503',
      name: 'Chrome on Mac',
      isBackupEligible: true,
      isBackedUp: true,
      createdAtMs: 1_700_000_000_021,
      lastUsedAtMs: 1_700_000_000_022,
    },
    {
      ...ofAda,
      credentialId: 'Y3JlZGVudGlhbC0w',
      publicKey: 'cose-key-0',
      counter: 0,
      transports: [],
      attachment: null,
      aaguid: '00000000-0000-0000-0000-000000000000',
      name: 'Passkey',
      isBackupEligible: false,
      isBackedUp: false,
      createdAtMs: 1_700_000_000_023,
      lastUsedAtMs: null,
    },
  ]);
  const ceremony = await poolStore.write((transaction) => transaction.passkeyCeremonies.take(POOL, 'bob', 'c1', 0));
  assert.deepEqual([ceremony?.clientId, ceremony?.expiresAtMs], ['fixtureclient', 1_700_000_060_000]);
  assert.equal((await records.localUsers.find(POOL, 'sub-with-passkey'))?.isWebauthnEnabled, true);
  assert.deepEqual(await records.localPasskeys.list(POOL, 'sub-ada'), [
    {
      userPoolId: POOL,
      sub: 'sub-ada',
      credentialId: 'Y3JlZGVudGlhbC0x',
      name: "Ada's läptop",
      updatedAtMs: 1_700_000_000_026,
    },
  ]);
}
