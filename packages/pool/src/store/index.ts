/**
 * The pool's records, and the repositories that read and write them: types only. `packages/store` implements them. Reads are separate from
 * what only a write can do. A method that locks something until the write ends says so in its name (`lockByName`).
 */

export type { AccessTokenFacts, AccessTokenQuery, AccessTokenReads } from './access-token-reads.ts';
export type { AllowanceReads, AllowanceRepository } from './allowance-repository.ts';
export type { AuthenticatorReads, AuthenticatorRepository } from './authenticator-repository.ts';
export type { AuthorizationReads, AuthorizationRepository, CodeWithUser } from './authorization-code-repository.ts';
export type { BrandingKey, BrandingOwner, BrandingReads, BrandingRepository } from './branding-repository.ts';
export type { ChallengeSessionRepository } from './challenge-session-repository.ts';
export type { ClientChange, ClientReads, ClientRepository } from './client-repository.ts';
export type {
  CodeReads,
  CodeRepository,
  DecoyCode,
  /** @deprecated Use {@link DecoyCode}. */
  DecoyCode as CodeDecoy,
} from './code-repository.ts';
export type { CredentialRepository } from './credential-repository.ts';
export type { DeviceChange, DeviceReads, DeviceRepository, DeviceUse } from './device-repository.ts';
export type { DomainReads, DomainRepository } from './domain-repository.ts';
export type { EventRepository } from './event-repository.ts';
export type {
  FederatedIdentityKey,
  FederatedIdentityReads,
  FederatedIdentityRepository,
} from './federated-identity-repository.ts';
export type { GroupChange, GroupReads, GroupRepository } from './group-repository.ts';
export type {
  IdentityProviderReads,
  IdentityProviderRepository,
} from './identity-provider-repository.ts';
export type { LocalUserRepository } from './local-user-repository.ts';
export type {
  LockoutReads,
  LockoutRepository,
  SharedLockout,
  /** @deprecated Use {@link SharedLockout}. */
  SharedLockout as SharedLock,
  SubjectLock,
} from './lockout-repository.ts';
export type { EndedClientSession, LoginReads, LoginRepository, LoginWithUser } from './login-repository.ts';
export type { MessageReads, MessageRepository } from './message-repository.ts';
export type {
  NamedLockRepository,
  /** @deprecated Use {@link NamedLockRepository}. */
  NamedLockRepository as LockRepository,
} from './named-lock-repository.ts';
export type { NotMeLinkRepository } from './not-me-link-repository.ts';
export type { Page } from './page.ts';
export type { PasskeyCeremonyRepository } from './passkey-ceremony-repository.ts';
export type { PasskeyReads, PasskeyRepository, PasskeyUse } from './passkey-repository.ts';
export type {
  ClientSettings,
  DomainSettings,
  FederationType,
  IdentityProviderSettings,
  MfaMethod,
  PoolSettings,
  ResourceServerScope,
} from './pool-and-client-settings.ts';
export type { PoolChange, PoolRecordReads, PoolRepository } from './pool-repository.ts';
export type { PoolReads, PoolStore, PoolTransaction, WriteOptions } from './pool-store.ts';
export type {
  AllowanceRecord,
  AuthorizationCodeRecord,
  AuthorizationGrant,
  BrandingAsset,
  BrandingRecord,
  BucketSize,
  ClassicBranding,
  ClientRecord,
  ClientSessionRecord,
  CodePurpose,
  CodeRecord,
  CredentialRecord,
  DeviceRecord,
  DomainRecord,
  EventRecord,
  FederatedIdentityRecord,
  GroupRecord,
  IdentityProviderRecord,
  LockoutRecord,
  LoginRecord,
  ManagedBranding,
  MessageRecord,
  NotMeLinkRecord,
  PasskeyCeremonyRecord,
  PasskeyRecord,
  PoolRecord,
  RegistrationRecord,
  ResourceServerRecord,
  SearchableAttribute,
  SigningKeyRecord,
  StackResourceRecord,
  TotpRecord,
  UserGroup,
  UserRecord,
  UserSearch,
  UserStatus,
  UserWithCredential,
} from './records.ts';
export type { RecoveryCodeReads, RecoveryCodeRepository } from './recovery-code-repository.ts';
export type { RegistrationReads, RegistrationRepository } from './registration-repository.ts';
export type { ResourceServerReads, ResourceServerRepository } from './resource-server-repository.ts';
export type { RevocationRepository } from './revocation-repository.ts';
export type { SigningKeyReads, SigningKeyRepository } from './signing-key-repository.ts';
export type { StackLease, StackReads, StackRepository } from './stack-repository.ts';
export type { ConflictError } from './store-errors.ts';
export type { DueDeletion, UserChange, UserReads, UserRepository } from './user-repository.ts';
