import type { MacPorts } from '../../kernel/ports.ts';
import { computePoolMac } from '../../settings/pools-and-clients.ts';
import type { PasskeyRecord, PoolRecord } from '../../store/records.ts';

/** The parts of a passkey that a login shows. */
export type PasskeyDescriptor = Pick<PasskeyRecord, 'credentialId' | 'transports'>;

/** Passkeys as the most common providers create them: the length of their ids and their transports. */
const COMMON_PASSKEY_KINDS = { idBytes: 32, transports: ['hybrid', 'internal'] } as const;
const KINDS: readonly { readonly idBytes: number; readonly transports: readonly string[] }[] = [
  COMMON_PASSKEY_KINDS,
  { idBytes: 20, transports: ['hybrid', 'internal'] },
  { idBytes: 16, transports: ['hybrid', 'internal'] },
  { idBytes: 32, transports: ['internal'] },
];

/** Of 256 names, this many have a second passkey. */
const WITH_SECOND_PASSKEY = 64;

/** Derives the passkeys of a user who has none: one or two, always the same, and indistinguishable from real ones. */
export function deriveDecoyPasskeys(ports: MacPorts, pool: PoolRecord, userId: string): readonly PasskeyDescriptor[] {
  // Ids and kinds come from different digests, because an id must not show how it was created.
  const [second, ...kinds] = computePoolMac(ports, pool, 'mask-passkeys', userId);
  const count = Number(second) < WITH_SECOND_PASSKEY ? 2 : 1;
  return kinds.slice(0, count).map((kind, position) => {
    const { idBytes, transports } = KINDS[kind % KINDS.length] ?? COMMON_PASSKEY_KINDS;
    const mac = computePoolMac(ports, pool, 'mask-passkey', `${position}\n${userId}`);
    return { credentialId: Buffer.from(mac.subarray(0, idBytes)).toString('base64url'), transports };
  });
}
