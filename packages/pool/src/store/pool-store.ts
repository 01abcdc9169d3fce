import type { AccessTokenReads } from './access-token-reads.ts';
import type { AllowanceReads, AllowanceRepository } from './allowance-repository.ts';
import type { AuthenticatorReads, AuthenticatorRepository } from './authenticator-repository.ts';
import type { AuthorizationReads, AuthorizationRepository } from './authorization-code-repository.ts';
import type { BrandingReads, BrandingRepository } from './branding-repository.ts';
import type { ChallengeSessionRepository } from './challenge-session-repository.ts';
import type { ClientReads, ClientRepository } from './client-repository.ts';
import type { CodeReads, CodeRepository } from './code-repository.ts';
import type { CredentialRepository } from './credential-repository.ts';
import type { DeviceReads, DeviceRepository } from './device-repository.ts';
import type { DomainReads, DomainRepository } from './domain-repository.ts';
import type { EventRepository } from './event-repository.ts';
import type { FederatedIdentityReads, FederatedIdentityRepository } from './federated-identity-repository.ts';
import type { GroupReads, GroupRepository } from './group-repository.ts';
import type { IdentityProviderReads, IdentityProviderRepository } from './identity-provider-repository.ts';
import type { LocalUserRepository } from './local-user-repository.ts';
import type { LockoutReads, LockoutRepository } from './lockout-repository.ts';
import type { LoginReads, LoginRepository } from './login-repository.ts';
import type { MessageReads, MessageRepository } from './message-repository.ts';
import type { NamedLockRepository } from './named-lock-repository.ts';
import type { NotMeLinkRepository } from './not-me-link-repository.ts';
import type { PasskeyCeremonyRepository } from './passkey-ceremony-repository.ts';
import type { PasskeyReads, PasskeyRepository } from './passkey-repository.ts';
import type { PoolRecordReads, PoolRepository } from './pool-repository.ts';
import type { RecoveryCodeReads, RecoveryCodeRepository } from './recovery-code-repository.ts';
import type { RegistrationReads, RegistrationRepository } from './registration-repository.ts';
import type { ResourceServerReads, ResourceServerRepository } from './resource-server-repository.ts';
import type { RevocationRepository } from './revocation-repository.ts';
import type { SigningKeyReads, SigningKeyRepository } from './signing-key-repository.ts';
import type { StackReads, StackRepository } from './stack-repository.ts';
import type { UserReads, UserRepository } from './user-repository.ts';

/** Reads that are available at any time. A read sees every write that was acknowledged before it. */
export interface PoolReads {
  readonly accessTokens: AccessTokenReads;
  readonly allowances: AllowanceReads;
  readonly authenticators: AuthenticatorReads;
  readonly authorizations: AuthorizationReads;
  readonly brandings: BrandingReads;
  readonly clients: ClientReads;
  readonly codes: CodeReads;
  readonly devices: DeviceReads;
  readonly domains: DomainReads;
  readonly federatedIdentities: FederatedIdentityReads;
  readonly groups: GroupReads;
  readonly identityProviders: IdentityProviderReads;
  readonly lockouts: LockoutReads;
  readonly logins: LoginReads;
  readonly messages: MessageReads;
  readonly passkeys: PasskeyReads;
  readonly pools: PoolRecordReads;
  readonly recoveryCodes: RecoveryCodeReads;
  readonly registrations: RegistrationReads;
  readonly resourceServers: ResourceServerReads;
  readonly signingKeys: SigningKeyReads;
  readonly stacks: StackReads;
  readonly users: UserReads;
}

/**
 * What one atomic write can do. Single-use records are consumed by one statement, so that two replicas cannot both succeed. A conflict of
 * unique keys rejects with `ConflictError`.
 */
export interface PoolTransaction extends PoolReads {
  readonly allowances: AllowanceRepository;
  readonly authenticators: AuthenticatorRepository;
  readonly authorizations: AuthorizationRepository;
  readonly brandings: BrandingRepository;
  readonly challengeSessions: ChallengeSessionRepository;
  readonly clients: ClientRepository;
  readonly codes: CodeRepository;
  readonly credentials: CredentialRepository;
  readonly devices: DeviceRepository;
  readonly domains: DomainRepository;
  readonly events: EventRepository;
  readonly federatedIdentities: FederatedIdentityRepository;
  readonly groups: GroupRepository;
  readonly identityProviders: IdentityProviderRepository;
  readonly localUsers: LocalUserRepository;
  readonly lockouts: LockoutRepository;
  readonly locks: NamedLockRepository;
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
  readonly stacks: StackRepository;
  readonly users: UserRepository;
}

/** Facts about a write that are known before it starts. */
export interface WriteOptions {
  /**
   * Whether the write issues all its statements before it waits for any, and commits whatever their results. On a remote database it then
   * takes a single round trip, and later statements are refused.
   */
  readonly isIssuedAtOnce?: boolean;
}

/** Stores the embedded pool's records. Implementations must pass the store's contract tests. */
export interface PoolStore extends PoolReads {
  /**
   * Runs one atomic, durable write, which settles only after the commit. `work` awaits only its transaction. It may run again after a
   * conflict of concurrent writes, or if another write of the same commit failed.
   */
  write<Result>(work: (transaction: PoolTransaction) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  /** Deletes expired records. Nothing depends on it, because every read checks the time itself. */
  sweep(nowMs: number): Promise<void>;
}
