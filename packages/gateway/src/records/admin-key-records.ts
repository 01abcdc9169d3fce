import type { AdminScope } from '@poolgate/provider';

/** A privileged backend identity. */
export interface AdminKeyRecord {
  /** Lower-case letters and digits, no underscore. */
  readonly id: string;
  /** SHA-256 of the secret, hex; the secret has 256 random bits. */
  readonly secretDigestHex: string;
  /** The secret again, encrypted: Signature V4 needs it to verify. */
  readonly signingSecretEncrypted: string;
  readonly scopes: readonly AdminScope[];
  readonly label: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** Privileged backend identities. */
export interface AdminKeyRecords {
  insert(key: AdminKeyRecord): Promise<void>;
  find(id: string): Promise<AdminKeyRecord | undefined>;
  /** All keys, oldest first. */
  list(): Promise<readonly AdminKeyRecord[]>;
  /** Notes that a key was used; of uses at the same time the latest stays. */
  touch(id: string, nowMs: number): Promise<void>;
  revoke(id: string, nowMs: number): Promise<boolean>;
  /** Lets a living key expire at this time, if it does not earlier. False where there is none. */
  shortenLife(id: string, expiresAtMs: number, nowMs: number): Promise<boolean>;
}
