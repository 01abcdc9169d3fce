import type { AllowanceReads, AllowanceRepository } from './allowances.ts';
import type { AuthenticatorReads, AuthenticatorRepository } from './authenticators.ts';
import type { AuthorizationReads, AuthorizationRepository } from './authorizations.ts';
import type { ChallengeSessionRepository } from './challenge-sessions.ts';
import type { ClientReads, ClientRepository } from './clients.ts';
import type { CodeReads, CodeRepository } from './codes.ts';
import type { CredentialRepository } from './credentials.ts';
import type { DeviceReads, DeviceRepository } from './devices.ts';
import type { DomainReads, DomainRepository } from './domains.ts';
import type { EventRepository } from './events.ts';
import type { GroupReads, GroupRepository } from './groups.ts';
import type { LocalUserRepository } from './local-users.ts';
import type { LockoutReads, LockoutRepository } from './lockouts.ts';
import type { LockRepository } from './locks.ts';
import type { LoginReads, LoginRepository } from './logins.ts';
import type { MessageReads, MessageRepository } from './messages.ts';
import type { NotMeLinkRepository } from './not-me-links.ts';
import type { PasskeyCeremonyRepository } from './passkey-ceremonies.ts';
import type { PasskeyReads, PasskeyRepository } from './passkeys.ts';
import type { PoolRecordReads, PoolRepository } from './pools.ts';
import type { RecoveryCodeReads, RecoveryCodeRepository } from './recovery-codes.ts';
import type { RegistrationReads, RegistrationRepository } from './registrations.ts';
import type { ResourceServerReads, ResourceServerRepository } from './resource-servers.ts';
import type { RevocationRepository } from './revocations.ts';
import type { SigningKeyReads, SigningKeyRepository } from './signing-keys.ts';
import type { UserReads, UserRepository } from './users.ts';

/** What can be asked of the store at any time. A read sees every write that was acknowledged before it. */
export interface PoolReads {
  readonly allowances: AllowanceReads;
  readonly authenticators: AuthenticatorReads;
  readonly authorizations: AuthorizationReads;
  readonly clients: ClientReads;
  readonly codes: CodeReads;
  readonly devices: DeviceReads;
  readonly domains: DomainReads;
  readonly groups: GroupReads;
  readonly lockouts: LockoutReads;
  readonly logins: LoginReads;
  readonly messages: MessageReads;
  readonly passkeys: PasskeyReads;
  readonly pools: PoolRecordReads;
  readonly recoveryCodes: RecoveryCodeReads;
  readonly registrations: RegistrationReads;
  readonly resourceServers: ResourceServerReads;
  readonly signingKeys: SigningKeyReads;
  readonly users: UserReads;
}

/**
 * What can be done inside one atomic write. Single-use things are consumed by one statement,
 * so that two replicas cannot both succeed. A conflict of unique keys rejects with `ConflictError`.
 */
export interface PoolTransaction extends PoolReads {
  readonly allowances: AllowanceRepository;
  readonly authenticators: AuthenticatorRepository;
  readonly authorizations: AuthorizationRepository;
  readonly challengeSessions: ChallengeSessionRepository;
  readonly clients: ClientRepository;
  readonly codes: CodeRepository;
  readonly credentials: CredentialRepository;
  readonly devices: DeviceRepository;
  readonly domains: DomainRepository;
  readonly events: EventRepository;
  readonly groups: GroupRepository;
  readonly localUsers: LocalUserRepository;
  readonly lockouts: LockoutRepository;
  readonly locks: LockRepository;
  readonly logins: LoginRepository;
  readonly messages: MessageRepository;
  readonly notMeLinks: NotMeLinkRepository;
  readonly passkeyCeremonies: PasskeyCeremonyRepository;
  readonly passkeys: PasskeyRepository;
  readonly pools: PoolRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
  readonly registrations: RegistrationRepository;
  readonly resourceServers: ResourceServerRepository;
  readonly revocations: RevocationRepository;
  readonly signingKeys: SigningKeyRepository;
  readonly users: UserRepository;
}

/** Where the embedded pool keeps its records. Implementations pass the store contract tests. */
export interface PoolStore extends PoolReads {
  /**
   * Runs one atomic, durable write: all or nothing, and settled only after the commit.
   * `work` awaits nothing but the transaction that it is given, and may be run again: after a conflict of concurrent
   * writes, or where another write of the same commit failed.
   */
  write<Result>(work: (transaction: PoolTransaction) => Promise<Result>): Promise<Result>;
  /** Removes what has expired. Nothing depends on it: every read checks the time itself. */
  sweep(nowMs: number): Promise<void>;
}
