import type fc from 'fast-check';
import { sampleLocalPasskey, samplePasskey, samplePasskeyCeremony } from './sample-records.ts';
import { IDS, owned, readStep, type Step, writeStep } from './steps.ts';

const isOdd = (drawn: { readonly time: number }) => drawn.time % 2 === 1;

/** Digests differ between clients, as those of random challenges do. */
const digestOf = (clientId: string, generation: number) => `${clientId}-${generation}`;

/** Those that are drawn. */
export const CHALLENGE_DIGESTS = IDS.flatMap((clientId) =>
  [0, 1, 2].map((generation) => digestOf(clientId, generation)),
);

const storedPasskeys: readonly fc.Arbitrary<Step>[] = [
  owned.map(
    writeStep(
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
  owned.map(
    writeStep(
      'usePasskey',
      (drawn) => (transaction, pool) =>
        transaction.passkeys.use(pool, drawn.id, {
          fromCounter: drawn.generation,
          counter: drawn.time % 3,
          isBackedUp: isOdd(drawn),
          lastUsedAtMs: drawn.time,
        }),
    ),
  ),
  owned.map(
    writeStep(
      'deletePasskey',
      (drawn) => (transaction, pool) => transaction.passkeys.delete(pool, drawn.username, drawn.id),
    ),
  ),
  owned.map(
    writeStep('passkeys', (drawn) => async (transaction, pool) => [
      await transaction.passkeys.lockAndListOf(pool, drawn.username),
      await transaction.passkeys.byCredentialId(pool, drawn.id),
    ]),
  ),
];

const ceremonies: readonly fc.Arbitrary<Step>[] = [
  owned.map(
    writeStep(
      'putPasskeyCeremony',
      (drawn) => (transaction, pool) =>
        transaction.passkeyCeremonies.put({
          ...samplePasskeyCeremony(pool, drawn.username, drawn.id),
          challengeDigestHex: digestOf(drawn.id, drawn.generation),
          expiresAtMs: drawn.time,
        }),
    ),
  ),
  owned.map(
    writeStep(
      'takePasskeyCeremony',
      (drawn) => (transaction, pool) =>
        transaction.passkeyCeremonies.take(pool, drawn.username, digestOf(drawn.id, drawn.generation), drawn.time),
    ),
  ),
];

const localPasskeys: readonly fc.Arbitrary<Step>[] = [
  owned.map(
    readStep('localUsers.upsert and localUsers.setWebauthnEnabled', (drawn) => async ({ store, pool }) => {
      const { username } = drawn;
      if (drawn.generation > 0)
        await store.records.localUsers.upsert({ userPoolId: pool, sub: username, username }, drawn.time);
      await store.records.localUsers.setWebauthnEnabled(pool, username, isOdd(drawn), drawn.time + 1);
    }),
  ),
  owned.map(
    readStep(
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
  owned.map(
    readStep(
      'localPasskeys.delete',
      (drawn) =>
        ({ store, pool }) =>
          store.records.localPasskeys.delete(pool, drawn.username, drawn.id),
    ),
  ),
];

/** Steps on passkeys, their started registrations and their names. */
export const passkeySteps = [...storedPasskeys, ...ceremonies, ...localPasskeys];
