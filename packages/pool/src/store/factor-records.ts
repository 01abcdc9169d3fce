/** A confirmed device of a user. An issued but unconfirmed key has no record; its login contains it. */
export interface DeviceRecord {
  readonly poolId: string;
  readonly username: string;
  /** `{region}_{uuid}`, the SRP identity of the device. */
  readonly key: string;
  readonly groupKey: string;
  readonly name: string | null;
  /** The SRP salt as an integer: lowercase hex without leading zeros. */
  readonly saltHex: string;
  readonly verifierEncrypted: string;
  readonly remembered: boolean;
  readonly lastIp: string | null;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  readonly lastAuthenticatedAtMs: number;
}

/** A passkey of a user (WebAuthn Level 3 §4, credential record). */
export interface PasskeyRecord {
  readonly poolId: string;
  /** Base64url, unique in the pool. */
  readonly credentialId: string;
  readonly username: string;
  /** The COSE key (RFC 9052 §7), base64url. */
  readonly publicKey: string;
  /** The signature counter of the last ceremony; 0 if the authenticator has none. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly attachment: 'platform' | 'cross-platform' | null;
  /** The kind of authenticator, a UUID; all zeros if unknown. */
  readonly aaguid: string;
  /** Assigned by the service. */
  readonly name: string;
  readonly relyingPartyId: string;
  /** Whether it may be copied to other devices, which is fixed at registration, and whether it was. */
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** A pending passkey registration. There is at most one for each user and client, because a new one invalidates the old one. */
export interface PasskeyCeremonyRecord {
  readonly poolId: string;
  readonly username: string;
  readonly clientId: string;
  /** SHA-256 of the challenge, hex. */
  readonly challengeDigestHex: string;
  readonly expiresAtMs: number;
}

/** An authenticator app of a user. A pending one does not replace the active one until it is verified. */
export interface TotpRecord {
  readonly poolId: string;
  readonly username: string;
  readonly state: 'pending' | 'active';
  readonly secretEncrypted: string;
  readonly name: string;
  /** The latest time step whose code was used. Codes up to this step no longer work. */
  readonly lastStep: number;
  readonly createdAtMs: number;
}
