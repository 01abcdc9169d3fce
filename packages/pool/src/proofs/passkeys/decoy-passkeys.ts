import type { MacPorts } from '../../kernel/ports.ts';
import { computePoolMac } from '../../settings/pools-and-clients.ts';
import type { PasskeyRecord, PoolRecord } from '../../store/records.ts';

/** What a login names of a passkey. */
export type PasskeyDescriptor = Pick<PasskeyRecord, 'credentialId' | 'transports'>;

/** Passkeys as the keepers that most people have make them: how long their ids are, and how they are reached. */
const COMMON_PASSKEY_KINDS = { idBytes: 32, transports: ['hybrid', 'internal'] } as const;
const KINDS: readonly { readonly idBytes: number; readonly transports: readonly string[] }[] = [
  COMMON_PASSKEY_KINDS,
  { idBytes: 20, transports: ['hybrid', 'internal'] },
  { idBytes: 16, transports: ['hybrid', 'internal'] },
  { idBytes: 32, transports: ['internal'] },
];

/** Of 256 names, so many have a second passkey. */
const WITH_SECOND_PASSKEY = 64;

/** The passkeys of a user who has none: one or two, the same each time, and nothing shows that they are decoys. */
export function deriveDecoyPasskeys(ports: MacPorts, pool: PoolRecord, userId: string): readonly PasskeyDescriptor[] {
  // Ids and kinds come from different digests: an id must not show how it was made.
  const [second, ...kinds] = computePoolMac(ports, pool, 'mask-passkeys', userId);
  const count = Number(second) < WITH_SECOND_PASSKEY ? 2 : 1;
  return kinds.slice(0, count).map((kind, position) => {
    const { idBytes, transports } = KINDS[kind % KINDS.length] ?? COMMON_PASSKEY_KINDS;
    const mac = computePoolMac(ports, pool, 'mask-passkey', `${position}\n${userId}`);
    return { credentialId: Buffer.from(mac.subarray(0, idBytes)).toString('base64url'), transports };
  });
}
