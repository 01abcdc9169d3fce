import type { PoolRuntime } from '../runtime.ts';
import type { PasskeyRecord, PoolRecord } from '../store/records.ts';
import { poolMac } from './pools.ts';

/** What a login names of a passkey. */
export type NamedPasskey = Pick<PasskeyRecord, 'credentialId' | 'transports'>;

/** Passkeys as the keepers that most people have make them: how long their ids are, and how they are reached. */
const COMMONEST = { idBytes: 32, transports: ['hybrid', 'internal'] } as const;
const KINDS: readonly { readonly idBytes: number; readonly transports: readonly string[] }[] = [
  COMMONEST,
  { idBytes: 20, transports: ['hybrid', 'internal'] },
  { idBytes: 16, transports: ['hybrid', 'internal'] },
  { idBytes: 32, transports: ['internal'] },
];

/** Of 256 names, so many have a second passkey. */
const WITH_SECOND = 64;

/** The passkeys of a user who has none: one or two, the same each time, and nothing tells that they were invented. */
export function decoyPasskeys(context: PoolRuntime, pool: PoolRecord, userId: string): readonly NamedPasskey[] {
  // Ids and kinds come from different digests: an id must not show how it was made.
  const [second = 0, ...kinds] = poolMac(context, pool, 'mask-passkeys', userId);
  const count = second < WITH_SECOND ? 2 : 1;
  return kinds.slice(0, count).map((kind, place) => {
    const { idBytes, transports } = KINDS[kind % KINDS.length] ?? COMMONEST;
    const mac = poolMac(context, pool, 'mask-passkey', `${place}\n${userId}`);
    return { credentialId: Buffer.from(mac.subarray(0, idBytes)).toString('base64url'), transports };
  });
}
