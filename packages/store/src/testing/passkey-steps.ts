import type fc from 'fast-check';
import { createReadStep, createWriteStep, IDS, ownedStepInput, type Step } from './property-steps.ts';
import { sampleLocalPasskey, samplePasskey, samplePasskeyCeremony } from './sample-records.ts';

const isOdd = (drawn: { readonly time: number }) => drawn.time % 2 === 1;

/** Digests differ between clients, like those of random challenges. */
const toChallengeDigest = (clientId: string, generation: number) => `${clientId}-${generation}`;

/** The possible digests. */
export const CHALLENGE_DIGESTS = IDS.flatMap((clientId) =>
  [0, 1, 2].map((generation) => toChallengeDigest(clientId, generation)),
);

const storedPasskeys: readonly fc.Arbitrary<Step>[] = [
  ownedStepInput.map(
    createWriteStep(
      'insertPasskey',
      (drawn) => (transaction, pool) =>
        transaction.passkeys.insert({
          ...samplePasskey(pool, drawn.username, drawn.id),
          counter: drawn.generation,
          transports: ['usb', 'nfc'].slice(drawn.generation),
          attachment: [null, 'platform' as const, 'cross-platform' as const][drawn.generation] ?? null,
          isBackupEligible: isOdd(drawn),
          createdAtMs: drawn.time,
        }),
    ),
  ),
  ownedStepInput.map(
    createWriteStep('usePasskey', (drawn) => async (transaction, pool) => {
      const passkey = await transaction.passkeys.byCredentialId(pool, drawn.id);
      if (passkey?.counter !== drawn.generation) return false;
      const { username, publicKey, counter: fromCounter } = passkey;
      const used = { counter: drawn.time % 3, isBackedUp: isOdd(drawn), lastUsedAtMs: drawn.time };
      await transaction.passkeys.use(pool, drawn.id, { username, publicKey, fromCounter, ...used });
      return true;
    }),
  ),
  ownedStepInput.map(
    createWriteStep(
      'deletePasskey',
      (drawn) => (transaction, pool) => transaction.passkeys.delete(pool, drawn.username, drawn.id),
    ),
  ),
  ownedStepInput.map(
    createWriteStep('passkeys', (drawn) => async (transaction, pool) => [
      await transaction.passkeys.lockAndListOf(pool, drawn.username),
      await transaction.passkeys.byCredentialId(pool, drawn.id),
    ]),
  ),
];

const ceremonies: readonly fc.Arbitrary<Step>[] = [
  ownedStepInput.map(
    createWriteStep(
      'putPasskeyCeremony',
      (drawn) => (transaction, pool) =>
        transaction.passkeyCeremonies.put({
          ...samplePasskeyCeremony(pool, drawn.username, drawn.id),
          challengeDigestHex: toChallengeDigest(drawn.id, drawn.generation),
          expiresAtMs: drawn.time,
        }),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'takePasskeyCeremony',
      (drawn) => (transaction, pool) =>
        transaction.passkeyCeremonies.take(
          pool,
          drawn.username,
          toChallengeDigest(drawn.id, drawn.generation),
          drawn.time,
        ),
    ),
  ),
];

const localPasskeys: readonly fc.Arbitrary<Step>[] = [
  ownedStepInput.map(
    createReadStep('localUsers.upsert and localUsers.setWebauthnEnabled', (drawn) => async ({ store, pool }) => {
      const { username } = drawn;
      if (drawn.generation > 0)
        await store.records.localUsers.upsert({ userPoolId: pool, sub: username, username }, drawn.time);
      await store.records.localUsers.setWebauthnEnabled(pool, username, isOdd(drawn), drawn.time + 1);
    }),
  ),
  ownedStepInput.map(
    createReadStep(
      'localPasskeys.put',
      (drawn) =>
        ({ store, pool }) =>
          store.records.localPasskeys.put({
            ...sampleLocalPasskey(pool, drawn.username, drawn.id),
            name: `name ${drawn.generation}`,
            updatedAtMs: drawn.time,
          }),
    ),
  ),
  ownedStepInput.map(
    createReadStep(
      'localPasskeys.delete',
      (drawn) =>
        ({ store, pool }) =>
          store.records.localPasskeys.delete(pool, drawn.username, drawn.id),
    ),
  ),
];

/** Steps on passkeys, their started registrations and their names. */
export const passkeySteps = [...storedPasskeys, ...ceremonies, ...localPasskeys];
